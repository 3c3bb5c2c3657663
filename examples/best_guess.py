"""The best guesses after a history of guesses and marks: O placed, ? misplaced, X absent.

python examples/best_guess.py tares XX?OX ...
"""

import sys

import gpulingo


def main(history: list[tuple[str, str]]) -> None:
    """Print how many words are left, and the five guesses with the most classes."""
    words = gpulingo.embedded().of_length(len(history[0][0]))
    position = gpulingo.position_after(history, words)
    candidates = position.frontier.candidates(0)
    print(f"{len(candidates)} words fit: {' '.join(words[int(word)] for word in candidates[:8])} ..")
    objective = gpulingo.parts(len(candidates), position.turns_left)
    ranked = gpulingo.rank(position.table, position.frontier, position.pool, objective, width=5)
    for word, value in zip(ranked.guesses[0].tolist(), ranked.ranks[0].tolist(), strict=True):
        print(f"{words[word]} splits them into {value} classes, one more counted for a candidate")


if __name__ == "__main__":
    pairs = sys.argv[1:] or ["tares", "XX?OX"]
    main(list(zip(pairs[::2], pairs[1::2], strict=True)))

"""Rank all guesses for one set of candidates by a custom objective.

python examples/rank_a_set.py [WORD ...]
"""

import sys

import torch

import gpulingo


def main(candidates: list[str]) -> None:
    """Print the five guesses that leave the smallest mean class, and the classes of the best."""
    words = gpulingo.embedded().of_length(len(candidates[0]))
    table = gpulingo.encode(words.words)
    members = torch.tensor(sorted(words.index(word) for word in candidates), dtype=torch.int32)
    front = gpulingo.frontier([members])
    sizes = torch.arange(len(candidates) + 1)
    objective = gpulingo.Objective(-(sizes * sizes))
    ranked = gpulingo.rank(table, front, table.pool, objective, width=5)
    for word, value in zip(ranked.guesses[0].tolist(), ranked.ranks[0].tolist(), strict=True):
        print(f"{words[word]} {-value / len(candidates):.2f} words left on average")
    best = int(ranked.guesses[0, 0])
    classes = gpulingo.split(table, front, ranked.guesses[:, 0])
    for pattern, left in zip(classes.patterns.tolist(), classes.frontier.sizes.tolist(), strict=True):
        print(f"{words[best]} {gpulingo.marks(pattern, len(words[best]))} leaves {left}")


if __name__ == "__main__":
    main(sys.argv[1:] or "dates gates hates mates rates tates cates".split())

"""A custom strategy in ten lines, played against every word of a list.

    python examples/own_strategy.py [LENGTH]

The same function plays on the command line: `gpulingo simulate --length 5 --strategy own_strategy:guess`,
where Python finds this file (PYTHONPATH=examples).
"""

import sys
from collections import Counter

import gpulingo


def guess(candidates: list[str], history: list[tuple[str, str]]) -> str:
    """The candidate whose letters most candidates have in the same place."""
    at_place = [Counter(letters) for letters in zip(*candidates, strict=True)]

    def agreeing(word: str) -> int:
        return sum(counts[letter] for counts, letter in zip(at_place, word, strict=True))

    return max(candidates, key=agreeing)


def main(length: int) -> None:
    """Compare it with `parts`, on the first 500 words of the embedded list."""
    words = gpulingo.embedded().of_length(length).words[:500]
    for strategy in (guess, "parts"):
        played = gpulingo.simulate(words, strategy)
        print(f"{played.strategy:12} {played.opening} {played.mean_points:.2f} points, {played.lost} lost")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)

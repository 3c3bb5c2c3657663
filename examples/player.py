"""A player for the pit; it guesses the word whose letters most of the words that fit have in the same place.

    gpulingo referee -word heron -player "python examples/player.py"

The referee appends the number of letters. A guess is a line on stdout, its marks a line on stdin.
"""

import sys
from collections import Counter
from pathlib import Path


def marks(guess: str, target: str) -> str:
    """O placed, ? misplaced, X absent; each copy in the target is shown once, to placed letters first."""
    left = Counter(there for letter, there in zip(guess, target, strict=True) if letter != there)
    shown = ""
    for letter, there in zip(guess, target, strict=True):
        shown += "O" if letter == there else "?" if left[letter] else "X"
        left[letter] -= shown[-1] == "?"
    return shown


def best(words: list[str]) -> str:
    """The word whose letters most of the words have in the same place."""
    counts = [Counter(letters) for letters in zip(*words, strict=True)]
    return max(words, key=lambda word: sum(counts[place][letter] for place, letter in enumerate(word)))


if __name__ == "__main__":
    # The referee has put the list into the current folder.
    words = Path("wordlist.txt").read_text(encoding="utf-8").lower().split()
    words, answer = [word for word in words if len(word) == int(sys.argv[1])], ""
    while words and set(answer) != {"O"}:
        guess = best(words)
        print(guess, flush=True)  # flush: the referee waits for it
        answer = sys.stdin.readline().strip()
        if not answer:
            break  # the round is over
        words = [word for word in words if word != guess and marks(guess, word) == answer]

"""Two players that answer in words, for example language models, side by side: what each turn costs them.

    python examples/llm.py [ROUNDS]

A player is a function from a prompt to an answer: put a call of your model in the place of one. The table
has the mean regret by turn, in guesses: how much longer a round takes than by the best guess of that turn.
"""

import random
import re
import sys
from collections.abc import Callable
from functools import cache

import torch

import gpulingo

WORDS = gpulingo.find_words(5, targets="answers").targets[::25]
ASKED = """Find the word. It is one of: {words}.
After a guess, O is a letter in its place, ? one in another place, X one that the word lacks.
{history}
Answer with one of the words in square brackets, as in [{first}]."""


def prompt(history: list[tuple[str, str]]) -> str:
    """What a player reads."""
    shown = "\n".join(map(" ".join, history))
    return ASKED.format(words=" ".join(WORDS), history=shown or "No guess so far.", first=WORDS[0])


def parse(answer: str, rounds: gpulingo.Rounds) -> int:
    """Return the number of the last word in brackets; -1, which costs a turn, if it is not in the list."""
    named = re.findall(r"\[\s*(\w+)\s*\]", answer.lower())
    number = rounds.table.get(named[-1]) if named else None
    return -1 if number is None else number


def fitting(text: str) -> list[str]:
    """The words that fit a prompt, read from the prompt alone."""
    history = re.findall(r"^(\w+) ([O?X]+)$", text, re.MULTILINE)
    return [
        word for word in WORDS if all(gpulingo.feedback(guess, word) == shown for guess, shown in history)
    ]


@cache
def parts(text: str) -> str:
    """Answer with the guess that leaves most different marks."""
    left = fitting(text)
    best = max(WORDS, key=lambda word: (len({gpulingo.feedback(word, each) for each in left}), word in left))
    return f"[{best}] splits the {len(left)} words left best. [{best}]"


def any_that_fits(text: str) -> str:
    """Answer with a word that fits, by lot."""
    return f"My guess: [{random.choice(fitting(text)).upper()}]"


def play(call: Callable[[str], str], targets: list[str]) -> gpulingo.Rounds:
    """Return the rounds of a player, one for each target."""
    rounds = gpulingo.Rounds(WORDS, "wordle", targets=targets)
    while not rounds.done.all():
        answers = ["" if done else call(prompt(rounds.history(n))) for n, done in enumerate(rounds.done)]
        rounds.step(torch.tensor([parse(answer, rounds) for answer in answers], dtype=torch.int32))
    return rounds


def main(count: int, players: tuple[Callable[[str], str], ...] = (parts, any_that_fits)) -> None:
    """Print a row for each player."""
    random.seed(1)
    targets = random.sample(WORDS, count)
    print(f"{'':14}{'turn 1':>8}{'2':>8}{'3':>8}{'later':>8}{'total':>8}{'guesses':>9}{'found':>7}")
    for call in players:
        rounds = play(call, targets)
        lost = gpulingo.score(rounds, device="cpu").lost.sum(0) / count
        cells = [*lost[:3].tolist(), *[0.0] * (3 - len(lost)), float(lost[3:].sum()), float(lost.sum())]
        row, guesses = "".join(f"{cell:8.3f}" for cell in cells), 7 - float(rounds.credits.double().mean())
        print(f"{call.__name__:14}{row}{guesses:9.3f}{int((rounds.credits > 0).sum()):7}")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["40"])[0]))

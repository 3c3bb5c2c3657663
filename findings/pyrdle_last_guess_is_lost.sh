#!/usr/bin/env bash
# pyrdle: a word found on the last guess is lost, lost words make the mean smaller, and every copy of a letter is yellow.
# Expected: a word found on the sixth of six guesses is won; "speed" is, as its README says, the mean over the words that were solved; a
#   second copy of a letter that the word has once is absent.
# Seen: Game.state() asks first whether all guesses are used, so success counts words of at most five. speed() divides by all words: a
#   player who solves half of them in 4 guesses has speed 2. For "crane" both e of "eerie" outside their place are somewhere.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check english-words==1.1.0 class-resolver==0.7.1 tabulate==0.9.0 \
    tqdm==4.70.1 pystow==0.7.6 click==8.3.0 typing-extensions==4.16.0 requests==2.34.2  # pyrdle does not name pystow
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps pyrdle==0.0.1.dev0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

from pyrdle.wordle import Configuration, Game

configuration = Configuration(language="en")
words = ["handy", "lotus", "plumb", "first", "stone"]


def played(*guesses):
    game = Game(configuration, "crane")
    for guess in guesses:
        game.append_guess(guess)
    return game


states = [played(*words[:count], "crane").state() for count in (4, 5)]
print(f"pyrdle {version('pyrdle')}: won on guess 5 {states[0]}, on guess 6 {states[1]}")
half = len(configuration.allowed) // 2
found = {4: half, "Failure": len(configuration.allowed) - half}
shown = round(configuration.success(found), 2), round(configuration.speed(found), 2)
print(f"half of the words found, each in 4 guesses: success {shown[0]}, speed {shown[1]}")
marks = played("eerie").calls[0]
print(f"eerie for crane: {' '.join(marks)}")
right = ("somewhere", "somewhere", "somewhere", "incorrect", "correct")
raise SystemExit((states, shown, marks) != ([True, False], (0.5, 2.0), right))
PYTHON

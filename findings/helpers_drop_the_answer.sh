#!/usr/bin/env bash
# wordle-trainer and wordlepy: given the marks of the New York Times for a guess with a repeated letter, the answer is no longer left.
# Expected: a copy of a letter that is absent says how many the answer has, so "eerie" for crane leaves crane, and "geese" for crony,
#   absent throughout, leaves crony.
# Seen: wordle-trainer takes an absent copy to mean that the letter is nowhere, although another copy is placed: crane is gone. wordlepy
#   says that "w is invalid" for the first of several absent copies and takes it for misplaced: crony is gone, words with e are left.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps wordle-trainer==0.0.1 wordlepy==1.6 \
    typer==0.9.4 click==8.1.8 typing-extensions==4.16.0 pandas==2.2.3 numpy==1.26.4 python-dateutil==2.9.0.post0 \
    pytz==2025.2 six==1.17.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from contextlib import redirect_stdout
from importlib.metadata import version
from io import StringIO
from unittest.mock import patch

from wordle_trainer.wordle import Wordle
from wordlepy.wordle_class import Word, get_remaining_words

WORDS = ["crane", "crony", "fetch", "often"]


def by_trainer(guess, marks):
    game = Wordle(word_list=[*WORDS, guess], answer=guess)
    game.reverse_guess(guess, marks.translate(str.maketrans("XYG", "eim")))
    return game.word_lists[-1]


def by_wordlepy(guess, marks):
    word = Word(guess)
    with patch("builtins.input", side_effect=marks.translate(str.maketrans("XYG", "wmr"))), redirect_stdout(StringIO()):
        word.update()
    return get_remaining_words(WORDS, word)


left = {}
for name, helper in (("wordle-trainer", by_trainer), ("wordlepy", by_wordlepy)):
    left[name] = helper("eerie", "XXYXG"), helper("geese", "XXXXX")
    print(f"{name} {version(name)}, of {' '.join(WORDS)}: after eerie XXYXG {left[name][0]}, after geese XXXXX {left[name][1]}")
expected = {"wordle-trainer": ([], ["crony"]), "wordlepy": (["crane"], ["often"])}
raise SystemExit(left != expected)
PYTHON

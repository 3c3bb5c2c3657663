#!/usr/bin/env bash
# GEM: in its Hangman a word whose letters are all shown is not found, and the instructions name the two kinds of guess the wrong way round.
# Expected: the round is won when the last letter is shown, as in TextArena, whose game it follows; the example of a letter is a letter.
# Seen: the round continues until the word is also written out. Each guess costs a turn, letters of the word too, so a player who guesses
#   letters alone never wins, and has half of the reward. "One letter guesses in the format of" is followed by a word, "the entire
#   word in the format of" by a letter.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check reasoning-gym==0.1.23 nltk==3.9.1
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps gem-llm==0.1.0
mkdir -p "$folder/nltk_data/corpora/words"  # the environment asks for nltk's lists, which pip does not bring
for name in en en-basic; do printf '%s\n' crane slate > "$folder/nltk_data/corpora/words/$name"; done
HOME=$folder NLTK_DATA=$folder/nltk_data "$folder/venv/bin/python" -W ignore - 2> "$folder/log" <<'PYTHON'
import re
from importlib.metadata import version

from gem.envs.game_env.hangman import HangmanEnv

env = HangmanEnv(word_length=5, max_turns=8)
text, _ = env.reset(seed=0)
formats = re.findall(r"in the format of \\boxed\{(\w+)\}", text)
print(f"gem-llm {version('gem-llm')}: formats of a letter and of a word: {formats}")
total, letters = 0.0, list(dict.fromkeys(env.secret_word))
for guess in [*letters, *[letter for letter in "QXZJVWKYB" if letter not in letters]]:
    _, reward, ended, late, _ = env.step(f"\\boxed{{{guess}}}")
    total += reward
    print(f"  {guess}: {' '.join(env.board)}, ended {ended}, by the limit {late}")
    if guess == letters[-1]:
        shown = "".join(env.board) == env.secret_word and not ended
    if ended:
        break
print(f"reward in total: {total:.2f}")
raise SystemExit(not (shown and ended and late and round(total, 6) == 0.5 and [len(one) for one in formats] == [5, 1]))
PYTHON

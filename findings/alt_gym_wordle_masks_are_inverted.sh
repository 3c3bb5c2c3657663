#!/usr/bin/env bash
# alt-gym-wordle: action_masks() is true for the words that were guessed already, and a right guess does not end a round.
# Expected: as MaskablePPO of sb3-contrib asks for, action_masks() is true for actions that may be taken; the observation has the round
#   so far; a round ends with the right guess.
# Seen: in WordleEnvEasy no word is allowed at the start, afterwards only those already guessed, and an observation holds the last guess
#   alone: letters of the one before are unknown again. WordleEnv compares "CRANE" with "crane", so every round has six guesses.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps alt-gym-wordle==0.8.6 gym==0.25.2 gym-notices==0.0.8 \
    cloudpickle==3.1.1 numpy==1.26.4 pandas==2.2.3 python-dateutil==2.9.0.post0 pytz==2025.2 six==1.17.0 pygame==2.6.1
PYGAME_HIDE_SUPPORT_PROMPT=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import gym

gym.logger.set_level(gym.logger.ERROR)
from gym_wordle.envs.wordle_env import WordleEnv  # noqa: E402
from gym_wordle.envs.wordle_env_easy import WordleEnvEasy  # noqa: E402

LETTERS = slice(1, 27)  # of an observation: 1 for each letter that was guessed
easy = WordleEnvEasy(words=100)
easy.reset()
words = easy.word_bank["words"].tolist()
answer = words.index(easy.WORD.lower())
first, second = [index for index in range(100) if index != answer][:2]
allowed, known = [sum(easy.action_masks())], []
for action in (first, second):
    observation = easy.step(action)[0]["observation"]
    allowed.append([words[index] for index, legal in enumerate(easy.action_masks()) if legal])
    known.append("".join(letter for letter, seen in zip("abcdefghijklmnopqrstuvwxyz", observation[LETTERS]) if seen))
print(f"alt-gym-wordle {version('alt-gym-wordle')}: allowed at the start {allowed[0]}, then {allowed[1]}, then {allowed[2]}")
print(f"letters of the observation after {words[first]}: {known[0]}, after {words[second]}: {known[1]}")
env = WordleEnv()
env.reset()
over = env.step(env.word_bank.index(env.WORD.lower()))[2]
print(f"the right guess ends a round: {over}")
guessed = [words[first], words[second]]
letters = ["".join(sorted({*word})) for word in guessed]
raise SystemExit((allowed, known, over) != ([0, guessed[:1], guessed], letters, False))
PYTHON

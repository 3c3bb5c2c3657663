"""Rounds as environments of Gymnasium: numpy arrays and rewards; the rules are those of `Rounds`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from torch import Tensor

from gpulingo.games.catalogue import game_of
from gpulingo.games.game import CREDIT
from gpulingo.strategies.batch import Rounds
from gpulingo.strategies.strategy import first_letters
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.wordtable import Array
from gpulingo.words.wordlist import WordList

REWARDS = ("points", "win", "information")
Observation = dict[str, Array]


class RoundsVectorEnv(VectorEnv[Observation, Array, Array]):
    """N rounds at once; a round that has ended begins again at the next step, which ignores its action.

    An action is an index into the list `rounds.wordlist`, in hangman the number of a letter. The observation
    has arrays of `Rounds`: guesses, marks, turn, turns_left; `letter`, the number of the first letter, if the
    game gives it; `action_mask` if a rule says what is legal. An invalid action is reported in the info.

    Args:
        num_envs: N. game: its name, for example `wordle-hard`.
        words: a list, or its words; None: the usual ones of `length` letters.
        reward: `points` of the game at the end, 100 per credit; `win`, 1 for a word that is found; or
            `information`, for each guess its bits: log2 of the candidates before it over those after it.
        device: where the rounds are.
    Raises:
        ValueError: no such reward; and see `Rounds`.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  (Gymnasium's own name)

    def __init__(
        self, num_envs: int = 1, *, game: str = "wordle", length: int = 5,
        words: WordList | Sequence[str] | None = None, reward: str = "points", device: str = "cpu",
    ) -> None:  # fmt: skip
        if reward not in REWARDS:
            raise ValueError(f"reward is {reward!r}: use {', '.join(REWARDS)}")
        rules = game_of(game)
        self.rounds = Rounds(length if words is None else words, rules, num_envs, device=device)
        self.num_envs, self.reward = num_envs, reward
        table, (_, turns, numbers) = self.rounds.table, self.rounds.marks.shape
        most = min(feedback_of(table).digits(table.length)[1] - 1, table.length + 1)
        actions = len(table.alphabet) if rules.guesses_letters else table.words
        inside: dict[str, spaces.Space[Any]] = {
            "guesses": spaces.Box(-1, actions - 1, (turns,), np.int32),
            "marks": spaces.Box(0, most, (turns, numbers), np.uint8),
            "turn": spaces.Discrete(turns + 1), "turns_left": spaces.Discrete(rules.turns + 1),
        }  # fmt: skip
        if rules.given:
            inside["letter"] = spaces.Discrete(len(table.alphabet))
        if self.rounds.legal(0, 0) is not None:
            inside["action_mask"] = spaces.Box(0, 1, (actions,), np.int8)
        self.single_observation_space, self.single_action_space = (
            spaces.Dict(inside),
            spaces.Discrete(actions),
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._actions, self._left, self._begun = actions, self.rounds.turn, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin rounds again; the first time, and with a seed, by words that this seed draws.

        Args:
            options: `reset_mask`, [N] bool: which rounds; without it all.
        Raises:
            ValueError: another mask, or one without a round.
        """
        mask = np.asarray((options or {}).get("reset_mask", [True] * self.num_envs))
        if mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
            seen = f"reset_mask is {mask.dtype} {list(mask.shape)}"
            raise ValueError(f"{seen}, expected [{self.num_envs}] bool, at least one of them set")
        super().reset(seed=seed)
        drawn = None if self._begun and seed is None else int(self.np_random.integers(1 << 62))
        self._begun = True
        self._begin(torch.tensor(mask, device=self.rounds.done.device), drawn)
        return self.observation(), {}

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make a guess in every round that is open, and begin the others again."""
        ended = self.rounds.done.clone()
        rewards = self.act(actions)
        self._begin(ended)
        done, invalid = (row.cpu().numpy().copy() for row in (self.rounds.done, self.rounds.invalid))
        return self.observation(), rewards, done, np.zeros_like(done), {"invalid": invalid}

    def act(self, actions: Array) -> Array:
        """Make the guesses, and begin nothing again; [N] float64 rewards, 0 in a round that was done."""
        rounds, ended, actions = self.rounds, self.rounds.done.clone(), np.asarray(actions)
        kind = actions.dtype.kind
        whole = kind in "iuO" or (kind == "f" and bool((actions == np.trunc(actions)).all()))
        if not whole or actions.shape != (self.num_envs,):
            seen = f"actions is {actions.dtype} {list(actions.shape)}"
            raise ValueError(f"{seen}, expected [{self.num_envs}] whole numbers")
        guesses = np.clip(actions, -1, self._actions).astype(np.int32)  # both ends are invalid
        rounds.step(torch.as_tensor(guesses).to(ended.device))
        rewards = CREDIT * rounds.credits
        if self.reward == "information":
            before, self._left = self._left, rounds.candidates()
            rewards = torch.log2(before / self._left)
        elif self.reward == "win":
            rewards = rounds.credits > rounds.payoff[0]
        made: Array = torch.where(ended, 0.0, rewards.double()).cpu().numpy()
        return made

    def observation(self) -> Observation:
        """Return new arrays of the observation."""
        rounds = self.rounds
        rows = {"guesses": rounds.guesses, "marks": rounds.marks}
        rows |= {"turn": rounds.turn.long(), "turns_left": rounds.turns_left.long()}
        if rounds.game.given:
            rows["letter"] = first_letters(rounds.table, rounds.targets).long()
        if (legal := rounds.legal()) is not None:
            rows["action_mask"] = legal.to(torch.int8)
        return {name: row.cpu().numpy().copy() for name, row in rows.items()}

    def _begin(self, which: Tensor, seed: int | None = None) -> None:
        self.rounds.reset(which, seed=seed)
        if self.reward == "information" and bool(which.any()):
            self._left = self.rounds.candidates()


class RoundsEnv(gymnasium.Env[Observation, int]):
    """One round, a row of `RoundsVectorEnv`, whose arguments it takes; after its end actions are ignored."""

    def __init__(self, **options: Any) -> None:
        self.many = RoundsVectorEnv(1, **options)
        self.rounds = self.many.rounds
        self.observation_space = self.many.single_observation_space
        self.action_space = self.many.single_action_space

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        return {name: rows[0] for name, rows in self.many.reset(seed=seed)[0].items()}, {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        reward = float(self.many.act(np.array([action]))[0])
        observation = {name: rows[0] for name, rows in self.many.observation().items()}
        return observation, reward, bool(self.rounds.done), False, {"invalid": bool(self.rounds.invalid)}

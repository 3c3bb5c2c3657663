"""Rounds as environments of Gymnasium: numpy arrays and rewards; the rules are those of `Rounds`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import error, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from torch import Tensor

from gpulingo.games.catalogue import game_of
from gpulingo.games.game import CREDIT
from gpulingo.strategies.batch import Rounds
from gpulingo.strategies.strategy import first_letters
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.feedback import feedback_of
from gpulingo.words.wordlist import WordList

REWARDS = ("points", "win", "information")
METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}
Observation = dict[str, Array]


class RoundsVectorEnv(VectorEnv[Observation, Array, Array]):
    """N rounds at once.

    An action is an index into the list `rounds.wordlist`, in hangman the number of a letter. The observation
    has arrays of `Rounds`: guesses, marks, turn, turns_left; `letter`, the number of the first letter, if the
    game gives it; `action_mask` if a rule says what is legal, all ones once the round has ended. The info has
    the mask again, `invalid` and, like that of `SyncVectorEnv`, masks of its arrays, such as `_invalid`.

    Args:
        num_envs: N. game: its name, for example `wordle-hard`.
        words: a list, or its words; None: the usual ones of `length` letters.
        reward: `points` of the game at the end, 100 per credit; `win`, 1 for a word that is found; or
            `information`, for each guess its bits: log2 of the candidates before it over those after it.
        device: where the rounds are.
        autoreset_mode: when a round that has ended begins again: at the next step, which ignores its action;
            in the same step, with `final_obs` and `final_info` in the info; or by `reset` alone.
        render_mode: `ansi`, guesses and marks as text, a line each; or None.
    Raises:
        ValueError: no such reward or mode; and see `Rounds`.
        gymnasium.error.UnsupportedMode: another way to render.
    """

    def __init__(
        self, num_envs: int = 1, *, game: str = "wordle", length: int = 5,
        words: WordList | Sequence[str] | None = None, reward: str = "points", device: str = "cpu",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        modes = [mode.value for mode in AutoresetMode]
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        for name, value, known in ("reward", reward, REWARDS), ("autoreset_mode", mode, modes):
            if value not in known:
                raise ValueError(f"{name} is {value!r}: use {', '.join(known)}")
        if render_mode not in (None, *METADATA["render_modes"]):
            raise error.UnsupportedMode(f"render_mode is {render_mode!r}: use ansi")
        self.autoreset_mode, self.render_mode = AutoresetMode(mode), render_mode
        self.metadata = METADATA | {"autoreset_mode": self.autoreset_mode}
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
        self._ruled = self.rounds.legal(0, 0) is not None
        if self._ruled:
            inside["action_mask"] = spaces.Box(0, 1, (actions,), np.int8)
        self.single_observation_space = spaces.Dict(inside)
        self.single_action_space = spaces.Discrete(actions)
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
            fault = f"reset_mask is {mask.dtype} {list(mask.shape)}"
            raise ValueError(f"{fault}, expected [{self.num_envs}] bool, at least one of them set")
        super().reset(seed=seed)
        drawn = None if self._begun and seed is None else int(self.np_random.integers(1 << 62))
        self._begun = True
        self._begin(torch.tensor(mask, device=self.rounds.done.device), drawn)
        observation = self.observation()
        return observation, _masks(observation, mask)

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make a guess in every round that is open, and begin those again that have ended.

        Raises:
            gymnasium.error.ResetNeeded: nothing begins rounds again, and one has ended; no reset came before.
            gymnasium.error.ClosedEnvironmentError: it is closed.
            ValueError: actions of another form.
        """
        mode, before = self.autoreset_mode, self.rounds.done.cpu().numpy().copy()
        if not self._begun or (mode is AutoresetMode.DISABLED and before.any()):
            fault = f"round {before.argmax()} has ended" if self._begun else "no round has begun"
            raise error.ResetNeeded(f"{fault}: call reset, for some rounds with a reset_mask")
        rewards = self.act(actions)
        done, invalid = (row.cpu().numpy().copy() for row in (self.rounds.done, self.rounds.invalid))
        begun, info = before, dict[str, Any]()
        if mode is AutoresetMode.SAME_STEP and (begun := done).any():
            last = self.observation()
            final_obs = np.full(self.num_envs, None)
            for number in done.nonzero()[0]:
                final_obs[number] = {name: rows[number] for name, rows in last.items()}
            final_info = _masks(last, done) | {"invalid": invalid & done, "_invalid": done}
            info = {"final_obs": final_obs, "_final_obs": done, "final_info": final_info, "_final_info": done}
        if mode is not AutoresetMode.DISABLED:
            self._begin(torch.tensor(begun, device=self.rounds.done.device))
        observation = self.observation()
        info |= _masks(observation, np.ones_like(done)) | {"invalid": invalid & ~begun, "_invalid": ~begun}
        return observation, rewards, done & ~before, np.zeros_like(done), info

    def action_masks(self) -> Array:
        """Return [N, A] bool: the legal actions of each round; all in one that has ended."""
        legal = self.rounds.legal()
        if legal is None:
            return np.ones((self.num_envs, self._actions), bool)
        masks: Array = legal.cpu().numpy()
        masks[self.rounds.done.cpu().numpy()] = True
        return masks

    def render(self) -> tuple[str, ...] | None:
        """Return the guesses of each round with their marks, a line each; None without `render_mode`."""
        if self.render_mode is None:
            return None
        return tuple("\n".join(map(" ".join, self.rounds.history(number))) for number in range(self.num_envs))

    def act(self, actions: Array) -> Array:
        """Make the guesses, and begin nothing again; [N] float64 rewards, 0 in a round that was done."""
        if self.closed:
            raise error.ClosedEnvironmentError("the environment is closed: make another one")
        rounds, ended, actions = self.rounds, self.rounds.done.clone(), np.asarray(actions)
        kind = actions.dtype.kind
        whole = kind in "iuO" or (kind == "f" and bool((actions == np.trunc(actions)).all()))
        if not whole or actions.shape != (self.num_envs,):
            fault = f"actions is {actions.dtype} {list(actions.shape)}"
            raise ValueError(f"{fault}, expected [{self.num_envs}] whole numbers")
        guesses = np.clip(actions, -1, self._actions).astype(np.int32)  # both ends are invalid
        rounds.step(torch.as_tensor(guesses, device=ended.device))
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
        made = {name: row.cpu().numpy().copy() for name, row in rows.items()}
        return made | ({"action_mask": self.action_masks().view(np.int8)} if self._ruled else {})

    def _begin(self, which: Tensor, seed: int | None = None) -> None:
        self.rounds.reset(which, seed=seed)
        if self.reward == "information" and bool(which.any()):
            self._left = self.rounds.candidates()


def _masks(observation: Observation, which: Array | None = None) -> dict[str, Any]:
    """Return the part of the info with the mask, which is there in Gymnasium's Taxi and read by AgileRL."""
    if "action_mask" not in observation:
        return {}
    masks = observation["action_mask"]
    if which is None:
        return {"action_mask": masks}
    return {"action_mask": masks if which.all() else masks * which[:, None], "_action_mask": which}


class RoundsEnv(gymnasium.Env[Observation, int]):
    """One round, a row of `RoundsVectorEnv`, whose arguments it takes; after its end actions are ignored."""

    metadata = METADATA

    def __init__(self, **options: Any) -> None:
        self.many = RoundsVectorEnv(1, **options)
        self.rounds, self.render_mode = self.many.rounds, self.many.render_mode
        self.observation_space = self.many.single_observation_space
        self.action_space = self.many.single_action_space

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        observation = {name: rows[0] for name, rows in self.many.reset(seed=seed)[0].items()}
        return observation, _masks(observation)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a guess, a number or an array of one; see `RoundsVectorEnv.step`."""
        reward = float(self.many.act(np.ravel(action))[0])
        observation = {name: rows[0] for name, rows in self.many.observation().items()}
        info = _masks(observation) | {"invalid": bool(self.rounds.invalid)}
        return observation, reward, bool(self.rounds.done), False, info

    def action_masks(self) -> Array:
        masks: Array = self.many.action_masks()[0]
        return masks

    def render(self) -> str | None:
        shown = self.many.render()
        return None if shown is None else shown[0]

    def close(self) -> None:
        """Refuse further steps."""
        self.many.close()

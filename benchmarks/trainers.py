#!/usr/bin/env python3
"""Libraries that train on the environments: rewards, steps per CPU second, and who takes the time.

    python benchmarks/trainers.py LIBRARY [STEPS [WORDS]]

The library is installed, as pinned below, into a virtual environment in a temporary folder that sees the
packages of this Python; torch stays what it is. It trains STEPS steps, 20,000 by default, of Wordle on WORDS
words, 200 by default, then of hard mode with masks of the legal guesses, if it has a way to use them. The
reward is 1 for a word that is found: a line has its mean over the rounds of the first tenth of the steps and
of the last, beside that of random legal guesses. Seconds are CPU seconds of one thread.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import gpulingo.envs
from gpulingo.envs.rounds import RoundsEnv, RoundsVectorEnv

ROOT = Path(__file__).resolve().parent.parent
WORDS = tuple(gpulingo.find_words(5, targets="answers").targets[::13][:200])
MANY = 32  # rounds of a vector environment
PINNED = {
    "loop": (),
    "stable-baselines3": ("stable-baselines3==2.9.2",),
    "sb3-contrib": ("sb3-contrib==2.9.2",),
    "skrl": ("skrl==2.1.1",),
    "torchrl": ("torchrl==0.14.1",),
    "torchrl-vector": ("torchrl==0.14.1",),
    "rllib": ("ray[rllib]==2.60.0",),
    "tianshou": ("tianshou==2.0.1",),
}


class Watch:
    """What the environments do meanwhile: steps, CPU seconds, and the reward of each round that ended."""

    def __init__(self) -> None:
        self.steps, self.seconds, self.ends, self._within = 0, 0.0, list[tuple[int, float]](), False
        for kind in RoundsEnv, RoundsVectorEnv:
            for name in "step", "reset", "action_masks":
                setattr(kind, name, self._timed(getattr(kind, name)))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def timed(env: Any, *arguments: Any, **options: Any) -> Any:
            if self._within:
                return method(env, *arguments, **options)
            self._within, begun = True, process_time()
            made = method(env, *arguments, **options)
            self._within, self.seconds = False, self.seconds + process_time() - begun
            if method.__name__ == "step":
                rewards, ended = np.ravel(made[1]), np.ravel(made[2])
                self.steps += rewards.size
                self.ends += [(self.steps, reward) for reward in rewards[ended].tolist()]
            return made

        return timed

    def mean(self, first: float, last: float) -> float:
        """Mean reward of the rounds that ended in a part of the steps."""
        part = [reward for step, reward in self.ends if first < step / self.steps <= last]
        return sum(part) / max(1, len(part))


@dataclass(frozen=True)
class Task:
    """What is trained: a game and its words."""

    game: str
    words: tuple[str, ...]
    steps: int

    def env(self) -> gymnasium.Env[Any, Any]:
        """One round at a time."""
        return gymnasium.make("gpulingo/Wordle-v0", words=self.words, game=self.game, reward="win")

    def envs(self, **options: Any) -> Any:
        """Many rounds at once."""
        made = {"words": self.words, "game": self.game, "reward": "win"} | options
        return gymnasium.make_vec("gpulingo/Wordle-v0", MANY, **made)


class Network(nn.Module):
    """Logits of the words, or a value, from the guesses so far and their marks; illegal words have -inf."""

    def __init__(self, task: Task, outputs: int, turns: int = 6, length: int = 5) -> None:
        super().__init__()
        self.words = nn.Embedding(len(task.words) + 1, 16)
        size = turns * (16 + length)
        self.layers = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, guesses: Any, marks: Any, legal: Any = None) -> torch.Tensor:
        guesses, marks = torch.as_tensor(guesses).long(), torch.as_tensor(marks).float()
        made: torch.Tensor = self.layers(
            torch.cat([self.words(guesses + 1).flatten(-2), marks.flatten(-2)], -1)
        )
        return made if legal is None else made.where(torch.as_tensor(legal) > 0, -torch.inf)


def random_guesses(task: Task) -> None:
    """Guess at random among the legal words."""
    envs, draw = task.envs(), np.random.default_rng(1)
    envs.reset(seed=1)
    for _ in range(task.steps // MANY):
        envs.step((draw.random((MANY, len(task.words))) * envs.unwrapped.action_masks()).argmax(1))


def loop(task: Task) -> None:
    """PPO as one loop of some 40 lines, after CleanRL's `ppo.py`."""
    turns, epochs, parts = 64, 4, 4
    envs = task.envs(autoreset_mode="SameStep")
    policy, critic = Network(task, len(task.words)), Network(task, 1)
    optimiser = torch.optim.Adam([*policy.parameters(), *critic.parameters()], lr=1e-3)
    observation, _ = envs.reset(seed=1)

    def state() -> list[torch.Tensor]:
        rows = observation["guesses"], observation["marks"], envs.unwrapped.action_masks()
        return [torch.as_tensor(row) for row in rows]

    for _ in range(max(1, task.steps // (MANY * turns))):
        rows = []
        for _ in range(turns):
            guesses, marks, legal = state()
            with torch.no_grad():
                choice = Categorical(logits=policy(guesses, marks, legal))
                action, value = choice.sample(), critic(guesses, marks)[:, 0]
            observation, reward, ended, _, _ = envs.step(action.numpy())
            after = torch.as_tensor(reward).float(), torch.as_tensor(ended).float()
            rows.append((guesses, marks, legal, action, choice.log_prob(action), value, *after))
        *told, values, rewards, ends = map(torch.stack, zip(*rows, strict=True))
        with torch.no_grad():
            following = critic(*state()[:2])[:, 0]
        gains, gain = torch.zeros_like(rewards), torch.zeros(MANY)
        for turn in reversed(range(turns)):
            surprise = rewards[turn] + 0.99 * following * (1 - ends[turn]) - values[turn]
            gains[turn] = gain = surprise + 0.99 * 0.95 * (1 - ends[turn]) * gain
            following = values[turn]
        flat = [row.flatten(0, 1) for row in (*told, gains, gains + values)]
        for part in (part for _ in range(epochs) for part in torch.randperm(MANY * turns).chunk(parts)):
            guesses, marks, legal, actions, chances, gains, returns = (row[part] for row in flat)
            choice = Categorical(logits=policy(guesses, marks, legal))
            ratio, gains = (choice.log_prob(actions) - chances).exp(), (gains - gains.mean()) / gains.std()
            loss = -torch.min(gains * ratio, gains * ratio.clamp(0.8, 1.2)).mean()
            loss += (critic(guesses, marks)[:, 0] - returns).square().mean() - 0.01 * choice.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()


def stable_baselines3(task: Task) -> None:
    from stable_baselines3 import PPO

    PPO("MultiInputPolicy", task.env(), seed=1).learn(task.steps)


def sb3_contrib(task: Task) -> None:
    from sb3_contrib import MaskablePPO

    MaskablePPO("MultiInputPolicy", task.env(), seed=1).learn(task.steps)


def skrl(task: Task) -> None:
    from skrl.agents.torch.ppo import PPO
    from skrl.envs.wrappers.torch import wrap_env
    from skrl.memories.torch import RandomMemory
    from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
    from skrl.trainers.torch import SequentialTrainer
    from skrl.utils.spaces.torch import unflatten_tensorized_space

    env = wrap_env(task.envs(), wrapper="gymnasium")
    spaces = {"observation_space": env.observation_space, "action_space": env.action_space, "device": "cpu"}

    class Chosen(Model):
        def __init__(self, outputs: int) -> None:
            Model.__init__(self, **spaces)
            self.network = Network(task, outputs)

        def compute(self, inputs: Any, role: str = "") -> tuple[torch.Tensor, dict[str, Any]]:
            seen = unflatten_tensorized_space(self.observation_space, inputs["observations"])
            legal = seen.get("action_mask") if role == "policy" else None
            return self.network(seen["guesses"], seen["marks"], legal), {}

    class Policy(CategoricalMixin, Chosen):
        def __init__(self) -> None:
            Chosen.__init__(self, len(task.words))
            CategoricalMixin.__init__(self)

    class Value(DeterministicMixin, Chosen):
        def __init__(self) -> None:
            Chosen.__init__(self, 1)
            DeterministicMixin.__init__(self)

    quiet = {"write_interval": 0, "checkpoint_interval": 0}
    agent = PPO(
        models={"policy": Policy(), "value": Value()}, memory=RandomMemory(memory_size=64, num_envs=MANY),
        cfg={"rollouts": 64, "learning_epochs": 4, "mini_batches": 4, "experiment": quiet}, **spaces,
    )  # fmt: skip
    cfg = {"timesteps": task.steps // MANY, "headless": True, "disable_progressbar": True}
    SequentialTrainer(env=env, agents=agent, cfg=cfg).train()


def torchrl(task: Task, env: Any = None) -> None:
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.envs import GymWrapper
    from torchrl.modules import ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

    env = GymWrapper(task.env() if env is None else env, categorical_action_encoding=True)
    seen = ["guesses", "marks"]
    masked = [*seen, "action_mask"] if "action_mask" in env.observation_spec.keys() else seen
    logits = TensorDictModule(Network(task, len(task.words)), masked, ["logits"])
    actor = ProbabilisticActor(
        logits, ["logits"], spec=env.action_spec, distribution_class=Categorical, return_log_prob=True
    )
    critic = ValueOperator(Network(task, 1), seen)
    frames, batch = task.steps, 2048
    collector = Collector(env, actor, frames_per_batch=batch, total_frames=frames)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for rows in collector:
        for _ in range(4):
            advantage(rows)
            flat = rows.reshape(-1)
            for part in torch.randperm(batch).chunk(4):
                losses = loss(flat[part])
                optimiser.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                optimiser.step()
    collector.shutdown()


def torchrl_vector(task: Task) -> None:
    torchrl(task, task.envs(autoreset_mode="SameStep"))


def tianshou(task: Task) -> None:
    from tianshou.algorithm import PPO
    from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.trainer import OnPolicyTrainerParams

    class Chosen(Network):
        def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:  # type: ignore[override]
            legal = obs.action_mask if "action_mask" in obs else None
            return super().forward(obs.guesses, obs.marks, legal), state

    class Value(Network):
        def forward(self, obs: Any) -> torch.Tensor:  # type: ignore[override]
            return super().forward(obs.guesses, obs.marks)

    envs = DummyVectorEnv([task.env for _ in range(MANY)])
    policy = ProbabilisticActorPolicy(
        actor=Chosen(task, len(task.words)), dist_fn=lambda logits: Categorical(logits=logits),
        action_space=envs.action_space[0], action_scaling=False, action_bound_method=None,
    )  # fmt: skip
    algorithm = PPO(policy=policy, critic=Value(task, 1), optim=AdamOptimizerFactory(lr=1e-3))
    collector = Collector(algorithm, envs, VectorReplayBuffer(2048, MANY))
    algorithm.run_training(OnPolicyTrainerParams(
        training_collector=collector, test_collector=None, max_epochs=1, epoch_num_steps=task.steps,
        update_step_num_repetitions=4, batch_size=512, collection_step_num_env_steps=2048, verbose=False,
        show_progress=False,
    ))  # fmt: skip


def rllib(task: Task) -> None:
    import os

    os.environ |= {"RAY_AUTH_MODE": "disabled"}
    from gymnasium.spaces import Box, Dict
    from gymnasium.spaces.utils import flatten, flatten_space
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.connectors.env_to_module import FlattenObservations
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    def regrouped(_: Any) -> gymnasium.Env[Any, Any]:
        env = task.env()
        rest = Dict({k: v for k, v in env.observation_space.items() if k != "action_mask"})
        shapes = {"observations": flatten_space(rest).shape, "action_mask": (len(task.words),)}
        space = Dict({name: Box(-np.inf, np.inf, shape) for name, shape in shapes.items()})
        return gymnasium.wrappers.TransformObservation(
            env,
            lambda seen: {
                "observations": flatten(rest, {k: seen[k] for k in rest}).astype(np.float32),
                "action_mask": seen["action_mask"].astype(np.float32),
            },
            space,
        )

    masked = task.game != "wordle"
    config = PPOConfig().framework("torch").training(train_batch_size_per_learner=2048)
    register_env("rounds", regrouped if masked else lambda _: task.env())
    config.environment("rounds")
    if masked:
        config.rl_module(rl_module_spec=RLModuleSpec(ActionMaskingTorchRLModule))
    else:
        config.env_runners(env_to_module_connector=lambda *_, **__: FlattenObservations())
    algorithm = config.env_runners(num_env_runners=0).build_algo()
    for _ in range(task.steps // 2048):
        algorithm.train()
    algorithm.stop()


WATCH = Watch()
TRAINERS: dict[str, Callable[[Task], None]] = {
    "loop": loop, "stable-baselines3": stable_baselines3, "sb3-contrib": sb3_contrib, "skrl": skrl,
    "torchrl": torchrl, "torchrl-vector": torchrl_vector, "rllib": rllib, "tianshou": tianshou,
}  # fmt: skip


def measure(name: str, work: Callable[[Task], None], task: Task) -> None:
    """Print a line."""
    torch.manual_seed(1)
    WATCH.steps, WATCH.seconds, WATCH.ends = 0, 0.0, []
    begun = process_time()
    work(task)
    seconds = process_time() - begun
    print(
        f"{name}, {task.game}, {len(task.words)} words: {WATCH.steps:,} steps, {WATCH.steps / seconds:,.0f} "
        f"per CPU second; {seconds - WATCH.seconds:.1f} s in the library, {WATCH.seconds:.1f} s in the "
        f"environment; found {WATCH.mean(0, 0.1):.3f} at first, {WATCH.mean(0.9, 1):.3f} at last",
        flush=True,
    )


def inside(library: str, steps: str, words: str) -> None:
    """Train, after a short run that loads what is loaded once."""
    torch.set_num_threads(1)
    TRAINERS[library](Task("wordle", WORDS, 2 * 2048))
    for game in "wordle", "wordle-hard":
        task = Task(game, WORDS[: int(words)], int(steps))
        measure("random", random_guesses, task)
        measure(library, TRAINERS[library], task)


def main(library: str, steps: str = "20000", words: str = "200") -> None:
    """Install the library beside the packages of this Python, and train with it."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        (site,) = Path(folder).glob("lib/*/site-packages")
        seen = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
        (site / "seen.pth").write_text("\n".join(seen))
        (Path(folder) / "torch.txt").write_text(f"torch=={torch.__version__.partition('+')[0]}")
        install = [python, "-m", "pip", "install", "-q", "-c", f"{folder}/torch.txt", *PINNED[library]]
        if PINNED[library]:
            subprocess.run(install, check=True)
        subprocess.run([python, __file__, library, steps, words, "inside"], check=True, cwd=folder)


if __name__ == "__main__":
    if sys.argv[4:] == ["inside"]:
        inside(*sys.argv[1:4])
    else:
        main(*sys.argv[1:])

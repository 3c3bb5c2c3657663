"""Shared by the tests of tensors: seeded candidate sets, objectives of every kind, threads."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence

import pytest
import torch

from gpulingo.strategies.objectives import BY_NAME
from gpulingo.tensors import reference
from gpulingo.tensors.device import Backend
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.outcomes import RoundArrays

if os.environ.get("GPULINGO_PTX"):  # run kernels as compiled for a GPU, on this CPU
    from devices import ptx

    ptx.install()
elif not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # read at the import of the CUDA kernels, by whichever test is first


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("GPULINGO_PTX"):
        terminalreporter.write_line(f"PTX was run of: {' '.join(sorted(ptx.RUN))}")


@pytest.fixture(scope="session")
def random_sets() -> Callable[..., Frontier]:
    """A function that draws candidate sets of given sizes (cut to the number of words) from a list."""

    def sets(seed: int, words: int, sizes: Sequence[int]) -> Frontier:
        generator = random.Random(seed)
        drawn = (sorted(generator.sample(range(words), min(size, words))) for size in sizes)
        return frontier([torch.tensor(members, dtype=torch.int32) for members in drawn])

    return sets


@pytest.fixture(scope="session")
def objective() -> Callable[[str, int], Objective]:
    """A function that makes the objective of a name for sets up to a size."""

    def made(name: str, largest: int) -> Objective:
        if name.startswith("random"):
            # Neither sub- nor superadditive, of both signs.
            table = torch.randint(
                -(1 << 40), 1 << 40, (largest + 1,), generator=torch.Generator().manual_seed(7)
            )
            table[0] = 0
            return Objective(table, bonus=1 << 39, largest=name == "random largest")
        return BY_NAME[name.removesuffix(" with bonus")](largest, 2 if name.endswith(" with bonus") else 4)

    return made


@pytest.fixture(scope="session")
def played_alike() -> Callable[..., bool]:
    """A function that plays rounds to their end on a backend and by the reference, and compares them."""
    from gpulingo import Rounds

    def alike(words: list[str], count: int, backend: Backend, device: str) -> bool:
        draw = torch.Generator().manual_seed(count)
        here, there = (Rounds(words, "lingo", count, seed=3, device=where) for where in ("cpu", device))
        for _ in range(7):
            guesses = torch.randint(-1, len(words) + 1, (count,), generator=draw, dtype=torch.int32)
            right = torch.rand(count, generator=draw) < 0.1
            guesses = torch.where(right, here.targets, guesses)
            expected = reference.play(here.table, here, guesses)
            made = backend.play(there.table, there, guesses.to(device))
            assert made.dtype == torch.uint8 and made.tolist() == expected.tolist()
            for name in RoundArrays.__annotations__.keys() - {"counts_misses"}:
                states = [getattr(rounds, name).tolist() for rounds in (here, there)]
                assert states[0] == states[1], name
        return bool(here.done.all() and (here.credits > 0).any() and (here.credits == 0).any())

    return alike


@pytest.fixture(autouse=True)
def threads() -> Iterator[Callable[[int], None]]:
    """Sets torch's number of threads: one, unless a test requests more; the number is restored afterwards.

    One, because torch's threads wait for each other in busy loops: on a busy machine the reference is a
    hundred times slower with two.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield torch.set_num_threads
    torch.set_num_threads(before)

"""Shared by the tests of tensors: seeded candidate sets, objectives of every kind, threads."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence

import pytest
import torch

from gpulingo.strategies.objectives import BY_NAME
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective

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

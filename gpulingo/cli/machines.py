"""The place of the work: a device, or a cluster, with results in the order of one machine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Generic, TypeVar

from gpulingo.cli.errors import tell, wrong_usage

if TYPE_CHECKING:
    import torch

    from gpulingo.machines.plays import Executor, Place

# By what is done: its part on the CPU, and its part on the GPU, as the table in docs/howto/gpu.md has them.
PARTS = {
    "hangman": ("hangman's words and letters are searched", "patterns of letters are made"),
    "openings": ("openings are bounded", "they are rolled out"),
    "prove": ("values of sets are searched", "classes are counted"),
    "review": ("every guess is searched", "guesses are ranked"),
    "solve": ("every guess and values of sets are searched", "openings are rolled out"),
    "weights": ("sets of words with weights are ranked", "sets are split"),
}


def device_for(name: str, work: str | None) -> torch.device:
    """The device of a name; where it is a GPU, say what of the work (one of PARTS) the CPU does."""
    from gpulingo.tensors.device import find_device, is_gpu

    with wrong_usage("--device"):
        place = find_device(name)
    named = f"{place.type}:{place.index or 0}"
    if is_gpu(place) and find_spec("triton") is None:
        tell(f"Triton is not installed, so {named} works in plain torch: install it, or use --device cpu")
    if work is not None and is_gpu(place):
        here, there = PARTS[work]
        tell(f"{here} on the CPU; {there} on {named}")
    return place


T = TypeVar("T")


class InOrder(Generic[T]):
    """Shows what comes in any order in that of its keys, each as soon as those before it are shown."""

    def __init__(self, keys: Sequence[Hashable], show: Callable[[T], None]) -> None:
        self._left, self._show = list(keys), show
        self._held: dict[Hashable, T] = {}

    def add(self, key: Hashable, thing: T) -> None:
        self._held[key] = thing
        while self._left and self._left[0] in self._held:
            self._show(self._held.pop(self._left.pop(0)))

    def end(self) -> None:
        """No more will come: show those that wait for others."""
        for key in self._left:
            if key in self._held:
                self._show(self._held.pop(key))


@contextlib.contextmanager
def executor_at(
    address: str | None, device: str, report: Callable[..., None]
) -> Iterator[tuple[Executor, Place]]:
    """The executor of tasks and their place: a cluster, or where there is no address this process.

    Args:
        device: as the user wrote it; without an address one of this machine. report: see `plays.Here`.
    """
    from gpulingo.machines.plays import LocalTasks, Place, place_of

    if address is None:
        yield LocalTasks(report), Place(device, 0)
        return
    from gpulingo.machines.ray_tasks import connected

    with contextlib.ExitStack() as stack:
        with wrong_usage("--ray"):
            cluster = stack.enter_context(connected(address))
        with wrong_usage("--device"):
            place = place_of(device, cluster)
        yield cluster, place

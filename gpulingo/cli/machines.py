"""Work on a cluster from the command line: the option --ray, and the results in the order of one machine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from gpulingo.cli.errors import wrong_usage

if TYPE_CHECKING:
    from gpulingo.machines.ray_tasks import Cluster

RAY = "--ray"
T = TypeVar("T")


class InOrder(Generic[T]):
    """Shows what comes in any order in one order, each as soon as those before it are shown.

    Args:
        keys: in that order. show: what is called with each.
    """

    def __init__(self, keys: Sequence[Hashable], show: Callable[[T], None]) -> None:
        self._left, self._show = list(keys), show
        self._held: dict[Hashable, T] = {}

    def add(self, key: Hashable, thing: T) -> None:
        """One of them has come."""
        self._held[key] = thing
        while self._left and self._left[0] in self._held:
            self._show(self._held.pop(self._left.pop(0)))

    def end(self) -> None:
        """No more will come: show those that wait for others."""
        for key in self._left:
            if key in self._held:
                self._show(self._held.pop(key))


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """The cluster that --ray names.

    Raises:
        WrongUsage: the address is invalid. ClusterError: there is no cluster, or Ray is not installed.
    """
    from gpulingo.machines.ray_tasks import AddressError, checked_address, connected

    with wrong_usage(RAY):
        checked_address(address)
    try:
        with connected(address) as cluster:
            yield cluster
    except AddressError as error:  # that of the environment
        with wrong_usage(RAY):
            raise error

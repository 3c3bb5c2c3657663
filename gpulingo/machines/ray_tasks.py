"""Ray, wrapped: independent tasks on the nodes of a cluster; the only file that imports it.

Ray chooses the node of a task, and runs it again if that node died.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from types import ModuleType
from typing import Any, TypeVar

from gpulingo.storage.printed import version

AGAIN = 20  # retries of a task after its node or process died
AHEAD = 3  # tasks per core given to Ray before the first of them is done
A_WHILE = 0.1  # seconds between two calls of `check` while waiting for results
LOOKED = 5.0  # seconds between two looks at the number of cores
REACHED = 5.0  # seconds within which the head of a cluster must answer
LOCAL, AUTO = "local", "auto"
FORM = f"HOST:PORT of the head that `ray start --head` prints, {LOCAL} or {AUTO}"
HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):([0-9]{1,5})")
# Read by Ray when it is imported or started: no usage report, no warnings of future changes, and half a
# minute instead of two until a silent listener at an address is not considered a cluster.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_NUM_REDIS_GET_RETRIES": "2",
    "RAY_py_gcs_connect_timeout_s": "5",
}
ADDRESS, MODE = "RAY_ADDRESS", "RAY_AUTH_MODE"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
K = TypeVar("K")


class AddressError(ValueError):
    """Text that is not an address of a cluster."""


class ClusterError(RuntimeError):
    """There is no cluster, it does not fit this machine, or it could not run a task."""


@dataclass(frozen=True)
class Task:
    """A call that a node makes, repeatedly if need be: it must have the same result each time."""

    function: Callable[..., Any]  # of a module that every node can import
    arguments: tuple[Any, ...]  # a return value of `Cluster.keep` stands for the stored object
    device: str = "cpu"  # on cuda it needs a GPU, in addition to a core


class Cluster:
    """Nodes that run tasks; made by `connected`."""

    def __init__(self, ray: Any, agent: str) -> None:
        self._ray, self._agent = ray, agent
        self._call = ray.remote(num_cpus=1, max_retries=AGAIN)(called)
        self._looked, self._cores = -LOOKED, 0

    @property
    def cores(self) -> int:
        """Number of cores of all current nodes; ClusterError if the node of this machine is gone."""
        if perf_counter() - self._looked >= LOOKED:
            self._looked = perf_counter()
            # Whether Ray's agent here answers: seconds after its death Ray silently ends this process.
            with socket.socket(socket.AF_UNIX) as connection:
                try:
                    connection.connect(self._agent)
                except (ConnectionRefusedError, FileNotFoundError):
                    fault = "Ray has died on this machine (its raylet is gone)"
                    raise ClusterError(f"{fault}: start the command again") from None
            with contextlib.suppress(self._ray.exceptions.RayError):  # the head is busy, or gone
                self._cores = int(self._ray.cluster_resources().get("CPU", 0))
        return self._cores

    @property
    def gpus(self) -> int:
        return int(self._ray.cluster_resources().get("GPU", 0))

    def keep(self, thing: object) -> Any:
        """Store an object that many tasks need, sent to each node once; pass the result as an argument."""
        return self._ray.put(thing)

    def ship(self, module: ModuleType) -> None:
        """Send the definitions of a module with the tasks, because nodes may not have it."""
        self._ray.cloudpickle.register_pickle_by_value(module)

    def results(
        self,
        tasks: Iterable[tuple[K, Task] | None],
        check: Callable[[], None] = lambda: None,
        ahead: int = AHEAD,
    ) -> Iterator[tuple[K, Any]]:
        """Run tasks, and yield each result when it is ready; or raise the error of a task.

        Tasks come with a key, and are taken as cores become free, some per core ahead; None: no task now, ask
        again after the next result. An error that `check` raises ends the work here. Running tasks then end
        with the connection: Ray 2.60 aborts a process that cancels one at the moment when it is done.
        ClusterError: a task could not be run, or this machine is no longer a node.
        """
        coming, running = iter(tasks), dict[Any, K]()
        while True:
            check()
            while len(running) < ahead * max(1, self.cores) and (following := next(coming, None)):
                key, task = following
                call = self._call.options(num_gpus=1) if task.device == "cuda" else self._call
                running[call.remote(version(), task.function, *task.arguments)] = key
            if not running:
                return
            done, _ = self._ray.wait([*running], timeout=A_WHILE)
            for ref in done:
                yield running.pop(ref), self._result(ref)

    def _result(self, ref: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(ref)
        except errors.RayTaskError as error:
            if missing := re.search(r"No module named '([\w.]+)'", str(error)):
                fault = f"a node of the cluster has no module {missing[1]}"
                raise ClusterError(f"{fault}: install there what is installed here") from None
            raise (error.cause if isinstance(error.cause, Exception) else error) from error
        except errors.RayError as error:
            raise ClusterError(f"the cluster could not run a task: {one_line(error)}") from None


def called(theirs: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a node, unless its version differs from the caller's."""
    if theirs != version():
        fault = f"node {socket.gethostname()} has gpulingo {version()}, this machine {theirs}"
        raise ClusterError(f"{fault}: install the same on all")
    return function(*arguments)


def checked_address(text: str, where: str = "") -> str:
    """Return an address unchanged; empty is Ray's default. An error begins with `where`."""
    fits = HOST.fullmatch(text)
    if text in ("", LOCAL, AUTO) or (fits and 0 < int(fits[2]) < 1 << 16):
        return text
    raise AddressError(f"{where}{text!r} is no address of a cluster: give {FORM}")


@contextlib.contextmanager
def connected(address: str = "") -> Iterator[Cluster]:
    """Yield nodes that run tasks until the end of the block; those started for it end with it.

    Args:
        address: HOST:PORT of the head of a cluster of which this machine is a node; local: start one on this
            machine alone; auto: the one that runs on this machine; empty: that of RAY_ADDRESS, or Ray's
            default: the one that runs on this machine, or a new one on this machine alone.
    Raises:
        AddressError: not an address.
        ClusterError: there is no such cluster, it has no core or other versions, or Ray is not installed.
    """
    named = checked_address(address) or checked_address(os.environ.get(ADDRESS, ""), f"{ADDRESS}: ")
    if HOST.fullmatch(named):  # if nothing listens there, Ray alone would wait for minutes
        host, _, port = named.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), REACHED).close()
        except (OSError, UnicodeError) as error:
            fault = f"no Ray cluster at {named} ({getattr(error, 'strerror', None) or error})"
            remedy = "start one with `ray start --head`, or leave the address out"
            raise ClusterError(f"{fault}: {remedy}") from None
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray._private.worker as worker
        import ray.exceptions
    except ImportError as error:
        command = f"{shlex.quote(sys.executable)} -m pip install 'gpulingo[ray]'"
        fault = f"a cluster needs {error.name or 'ray'}, which is not installed"
        raise ClusterError(f"{fault}: run {command}") from None
    # Ray prints errors of the cluster to stdout, whatever its settings; results go there.
    worker.print_to_stdstream = lambda *data, **options: None
    try:
        _begin(ray, named)
        cluster = Cluster(ray, worker.global_worker.node.raylet_socket_name)
        if not cluster.cores:
            raise ClusterError(f"the cluster {named} has no core: start a node with `ray start --address`")
        yield cluster
    finally:
        ray.shutdown()


def _begin(ray: Any, address: str) -> None:
    """Connect to a cluster or start one, without its output on stdout or stderr."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        with _no_stderr():
            ray.init(address or None, include_dashboard=False, log_to_driver=False, logging_level="CRITICAL")
    except (Exception, SystemExit) as error:
        where = f"the Ray cluster at {address}" if address else "a Ray cluster"
        fault = f"cannot join {where}: {one_line(error)}"
        if MODE not in os.environ:
            fault += f"; if `ray start` said that it has a token, set {MODE}=token"
        raise ClusterError(fault) from None
    finally:
        for number, handler in before.items():  # Ray sets a handler of SIGTERM
            with contextlib.suppress(ValueError):  # not in the main thread, where Ray sets none
                signal.signal(number, handler)


@contextlib.contextmanager
def _no_stderr() -> Iterator[None]:
    """Discard what is written to the file descriptor of stderr in the block."""
    try:
        kept = os.dup(2)
    except OSError:  # there is none
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def one_line(error: BaseException) -> str:
    """Return an error of Ray's as one line: its text up to the first empty line."""
    text = str(error).strip() or type(error).__name__
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", text).split("\n\n")[0].split())

"""Ray, wrapped: independent tasks on the nodes of a cluster; the one file that imports it.

Which task runs where, and again after its node died, is Ray's business.
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

AGAIN = 20  # times that a task is run again after its node or its process died
AHEAD = 3  # tasks per core that are handed to Ray before the first of them is done
A_WHILE = 0.1  # seconds: how soon who waits for results is asked whether to go on
LOOKED = 5.0  # seconds between two looks at how many cores there are
REACHED = 5.0  # seconds in which the head of a cluster has to answer
LOCAL, AUTO = "local", "auto"
FORM = f"HOST:PORT of the head that `ray start --head` prints, {LOCAL} or {AUTO}"
HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):([0-9]{1,5})")
# Read by Ray when it is imported or started: no report to its makers, no warning of what it will do one day,
# and not two minutes, but half a one, until what listens at an address and does not answer is no cluster.
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
    """Text that is not the address of a cluster."""


class ClusterError(RuntimeError):
    """There is no cluster, it does not fit this machine, or it could not do a task."""


@dataclass(frozen=True)
class Task:
    """A call that a node makes, again if need be: it must come to the same each time."""

    function: Callable[..., Any]  # of a module that every node can import
    arguments: tuple[Any, ...]  # a return value of `Cluster.keep` represents the stored object
    gpus: int = 0  # that it needs, beside a core


class Cluster:
    """Nodes that tasks run on; `connected` makes it."""

    def __init__(self, ray: Any, agent: str) -> None:
        self._ray, self._agent = ray, agent
        self._call = ray.remote(num_cpus=1, max_retries=AGAIN)(called)
        self._looked, self._cores = -LOOKED, 0

    @property
    def cores(self) -> int:
        """Cores of all nodes that are there now; a ClusterError if the node of this machine is gone."""
        if perf_counter() - self._looked >= LOOKED:
            self._looked = perf_counter()
            self._check_agent()
            with contextlib.suppress(self._ray.exceptions.RayError):  # the head is busy, or gone
                self._cores = int(self._ray.cluster_resources().get("CPU", 0))
        return self._cores

    def _check_agent(self) -> None:
        """Check that Ray's agent here answers: some seconds after its death Ray ends this process, mutely."""
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(self._agent)
            except (ConnectionRefusedError, FileNotFoundError):
                raise ClusterError(
                    "Ray has died on this machine (its raylet is gone): start the command again"
                ) from None

    @property
    def gpus(self) -> int:
        """GPUs of all nodes that are there now."""
        return int(self._ray.cluster_resources().get("GPU", 0))

    def keep(self, thing: object) -> Any:
        """Something that many tasks need, sent to each node once; to be given to tasks as an argument."""
        return self._ray.put(thing)

    def ship(self, module: ModuleType) -> None:
        """Send what is defined in a module with the tasks, as nodes need not have it."""
        self._ray.cloudpickle.register_pickle_by_value(module)

    def results(
        self,
        tasks: Iterable[tuple[K, Task] | None],
        check: Callable[[], None] = lambda: None,
        ahead: int = AHEAD,
    ) -> Iterator[tuple[K, Any]]:
        """Run tasks, and yield each result as soon as it is there; or raise what a task raised.

        Tasks come with what they are known by, and are taken as cores become free, some a core ahead; None:
        nothing now, ask again after the next result. What `check` raises ends the work here. Tasks that run
        then end with the connection: Ray 2.60 aborts a process that cancels one at the moment at which it is
        done. ClusterError: a task could not be run, or this machine is no node any more.
        """
        coming, running = iter(tasks), dict[Any, K]()
        while True:
            check()
            while len(running) < ahead * max(1, self.cores) and (following := next(coming, None)):
                key, task = following
                call = self._call.options(num_gpus=task.gpus) if task.gpus else self._call
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
                seen = f"a node of the cluster has no module {missing[1]}"
                raise ClusterError(f"{seen}: install there what is installed here") from None
            raise (error.cause if isinstance(error.cause, Exception) else error) from error
        except errors.RayError as error:
            raise ClusterError(f"the cluster could not run a task: {one_line(error)}") from None


def called(theirs: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a node, unless the version of who asks is another."""
    if theirs != version():
        seen = f"node {socket.gethostname()} has gpulingo {version()}, this machine {theirs}"
        raise ClusterError(f"{seen}: install the same on all")
    return function(*arguments)


def checked_address(text: str, seen: str = "") -> str:
    """Return an address as it was written; empty is Ray's default. An error begins with what was `seen`."""
    fits = HOST.fullmatch(text)
    if text in ("", LOCAL, AUTO) or (fits and 0 < int(fits[2]) < 1 << 16):
        return text
    raise AddressError(f"{seen}{text!r} is no address of a cluster: give {FORM}")


@contextlib.contextmanager
def connected(address: str = "") -> Iterator[Cluster]:
    """Yield nodes to run tasks on until the end of the block; those started for it end with it.

    Args:
        address: HOST:PORT of the head of a cluster that this machine is a node of; local: start one of this
            machine alone; auto: the one that runs on this machine; empty: the one of RAY_ADDRESS, or Ray's
            own default: the one that runs on this machine, or one of this machine alone.
    Raises:
        AddressError: that is no address.
        ClusterError: there is no such cluster, it has no core or other versions, or Ray is not installed.
    """
    named = checked_address(address) or checked_address(os.environ.get(ADDRESS, ""), f"{ADDRESS}: ")
    if HOST.fullmatch(named):
        _check_reached(named)
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
        import ray._private.worker as worker
        import ray.exceptions
    except ImportError as error:
        command = f"{shlex.quote(sys.executable)} -m pip install 'gpulingo[ray]'"
        seen = f"a cluster needs {error.name or 'ray'}, which is not installed"
        raise ClusterError(f"{seen}: run {command}") from None
    # Errors of the cluster are printed to stdout, whatever is set; results stand there.
    worker.print_to_stdstream = lambda *data, **options: None
    try:
        _begin(ray, named)
        cluster = Cluster(ray, worker.global_worker.node.raylet_socket_name)
        if not cluster.cores:
            raise ClusterError(f"the cluster {named} has no core: start a node with `ray start --address`")
        yield cluster
    finally:
        ray.shutdown()


def _check_reached(address: str) -> None:
    """Check that something listens at an address: Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACHED).close()
    except (OSError, UnicodeError) as error:
        seen = f"no Ray cluster at {address} ({getattr(error, 'strerror', None) or error})"
        raise ClusterError(f"{seen}: start one with `ray start --head`, or leave the address out") from None


def _begin(ray: Any, address: str) -> None:
    """Connect to a cluster or start one, with nothing of it on stdout or stderr."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        with _no_stderr():
            ray.init(address or None, include_dashboard=False, log_to_driver=False, logging_level="CRITICAL")
    except (Exception, SystemExit) as error:
        where = f"the Ray cluster at {address}" if address else "a Ray cluster"
        token = (
            f"; if `ray start` said that it has a token, set {MODE}=token" if MODE not in os.environ else ""
        )
        raise ClusterError(f"cannot join {where}: {one_line(error)}{token}") from None
    finally:
        for number, handler in before.items():  # Ray has its own end of SIGTERM
            with contextlib.suppress(ValueError):  # not in the main thread, where Ray sets none
                signal.signal(number, handler)


@contextlib.contextmanager
def _no_stderr() -> Iterator[None]:
    """Within the block what is written to the file descriptor of stderr goes nowhere."""
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
    """Return an error of Ray's as one line: of its text what comes before the first empty line."""
    text = str(error).strip() or type(error).__name__
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", text).split("\n\n")[0].split())

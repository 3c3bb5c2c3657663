"""Shared by the tests of several layers: words, trees grown by the plain rule, the pit's list, a browser."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import random
import shutil
import signal
import string
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import IO, Any

import pytest
import typer.testing

from gpulingo.cli.signals import ENDING_SIGNALS, set_signals
from gpulingo.games.catalogue import lingo
from gpulingo.games.marks import feedback, pattern
from gpulingo.storage import printed
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList, parse, read

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # for all started processes

gc.disable()  # during imports, which leave little garbage: the collector would take a third of their time

# One thread for torch, unless a test or the caller asks for more: on a busy machine every small operation
# waits until its second thread gets a core.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def schema() -> Any:
    """The schema of all objects that commands print with --json."""
    path = Path(printed.__file__).parents[1] / "schema" / f"output-{printed.SCHEMA}.json"
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def output_schema(command: str) -> Any:
    """What checks the objects that a command prints with --json."""
    from jsonschema import Draft202012Validator  # not where only the tests on a device run

    return Draft202012Validator(schema() | {"anyOf": [{"$ref": f"#/$defs/{command}"}]})


def _valid_line(command: str, entry: Any) -> str:
    """Return a command's line once the schema accepts it: so every test of --json tests the schema."""
    from jsonschema.exceptions import best_match

    line = _line_of(command, entry)
    wrong = best_match(output_schema(command).iter_errors(json.loads(line)))
    assert wrong is None, f"{wrong.message} in {line[:400]}"
    return line


_line_of, printed.line_of = printed.line_of, _valid_line  # before any command is imported
typer.testing._get_command = cache(typer.testing._get_command)  # saves 15 ms for each command line
BIRDS = "heron robin eagle finch goose crane stork raven quail snipe egret macaw"
LETTERS40 = string.ascii_lowercase + "åäöéèüñçøæßþðł"
FRUITS = "apple grape lemon mango peach olive melon berry guava papaw"


def pytest_configure(config: pytest.Config) -> None:
    """Let interrupts reach started processes, also in a background job, whose processes ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(LeftOut(config))


def pytest_collection_finish() -> None:
    """Enable the garbage collector, but not for imported objects."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: a fifth of the time is spent waiting for players, servers, clusters."""
    return (os.cpu_count() or 1) + 1


COMPILED = {"cli", "match", "player", "tensors", "solvers", "strategies", "bounds", "optimise", "positions",
            "web", "tuning", "tiles", "machines", "games"}  # folders whose tests run kernels  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Compile the kernels before tests that run them; of parallel processes each begins with slow tests.

    Those of a cluster come first, so that one process runs them all, on one cluster.
    """
    items.sort(key=lambda item: "cluster" not in item.fixturenames)  # type: ignore[attr-defined]
    kinds: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        if COMPILED & set(item.path.relative_to(Path(__file__).parent).parts):
            item.fixturenames.insert(0, "compiled_kernels")  # type: ignore[attr-defined]
        kinds[item.get_closest_marker("slow") is not None].append(item)
    if many := getattr(config, "workerinput", {}).get("workercount"):
        shares = [kind[len(kind) * n // many : len(kind) * (n + 1) // many]
                  for n in range(many) for kind in kinds.values()]  # fmt: skip
        items[:] = [item for share in shares for item in share]


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """Each kernel is compiled by one of those that test side by side; those of first answers ahead."""
    from gpulingo.tensors.cpu.compile import _Cache
    from gpulingo.tensors.precompiled import precompiled_mark

    try:
        mark, machine = precompiled_mark()
        folder = mark.parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ahead.lock").touch()
    except (OSError, RuntimeError):  # no folder that can be written, or no home: nothing is cached
        return
    with locked(folder / "ahead.lock"):
        if not mark.exists() or mark.read_text() != machine:
            subprocess.run([sys.executable, "-m", "gpulingo", "precompile"], capture_output=True, check=True)
    load, save, held = _Cache.load_overload, _Cache.save_overload, dict[str, IO[str]]()

    def load_or_lock(self: _Cache, *asked: Any) -> Any:
        found, name = load(self, *asked), self._impl.filename_base
        if found is None and name not in held:
            held[name] = locked(folder / f"{name}.lock")
            if (found := load(self, *asked)) is not None:  # another has compiled it meanwhile
                held.pop(name).close()
        return found

    def save_and_unlock(self: _Cache, *asked: Any) -> None:
        save(self, *asked)
        if lock := held.pop(self._impl.filename_base, None):
            lock.close()

    _Cache.load_overload, _Cache.save_overload = load_or_lock, save_and_unlock


def locked(path: Path) -> IO[str]:
    """A file that no other process can lock until it is closed."""
    file = path.open("a")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


class LeftOut:
    """The number of skipped slow tests, printed at the very end."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.slow = config, 0

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self.slow += sum(item.get_closest_marker("slow") is not None for item in items)

    def pytest_sessionfinish(self) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["slow"] = self.slow

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # one of several parallel test processes
        self.slow = max(self.slow, getattr(node, "workeroutput", {}).get("slow", 0))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        yield
        stats = terminalreporter.stats.items()
        ran = {kind for kind, each in stats for one in each if "test_ptx" in str(one)}
        if ran:
            said = "was run on this CPU" if "passed" in ran else "was not run, see above"
            terminalreporter.write_line(f"PTX of the CUDA kernels {said}")
        if self.slow:
            told = f"left out: {self.slow} slow tests; run them with ./scripts/test --all"
            terminalreporter.write_line(told)


@pytest.fixture(scope="session")
def write_anew() -> Callable[[Path, bytes], None]:
    """A function that replaces a file: truncating and rewriting a file would write it to the disk at once."""

    def write(path: Path, data: bytes) -> None:
        path.unlink(missing_ok=True)
        path.write_bytes(data)

    return write


@pytest.fixture
def every_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bound every opening, also of lists with automorphisms."""
    import numpy as np

    from gpulingo.bounds import state

    monkeypatch.setattr(state, "automorphisms", lambda table: np.empty((0, 0), np.int64))


@pytest.fixture(scope="session")
def words22() -> WordList:
    """22 words of 5 letters."""
    return parse("\n".join(f"{BIRDS} {FRUITS}".split())).of_length(5)


@pytest.fixture(scope="session")
def random_words() -> Callable[..., list[str]]:
    """A function that makes distinct words in random order, half from few letters, so that some repeat."""

    def words(seed: int, count: int, length: int, letters: str = LETTERS40) -> list[str]:
        generator = random.Random(seed)
        few = letters[: max(2, length // 3)]
        found: dict[str, None] = {}
        while len(found) < count:
            source = few if generator.random() < 0.5 else letters
            found["".join(generator.choices(source, k=length))] = None
        return list(found)

    return words


@pytest.fixture
def grown() -> Callable[..., Tree]:
    """A function that grows a tree by the plain rule, guessing the middle candidate."""

    def grow(wordlist: WordList, *, turns: int = 5, opening: int | None = None, **fields: Any) -> Tree:
        level: list[tuple[Sequence[int], int]] = [(range(len(wordlist)), -1)]
        rows: list[tuple[int, int, int, int]] = []  # guess, pattern, first child, hit
        nodes = 1
        for turn in range(1, turns + 1):
            after = []
            for candidates, code in level:
                guess = candidates[len(candidates) // 2]
                if turn == 1 and opening is not None:
                    guess = opening
                rows.append((guess, code, nodes, int(guess in candidates)))
                classes = defaultdict(list)
                for word in candidates:
                    if word != guess and turn < turns:
                        classes[pattern(feedback(wordlist.words[guess], wordlist.words[word]))].append(word)
                after += [(classes[code], code) for code in sorted(classes)]
                nodes += len(classes)
            level = after
        guesses, codes, first, hits = zip(*rows, strict=True)
        known: dict[str, Any] = {"length": wordlist.length, "words": len(wordlist)}
        known["fingerprint"] = wordlist.fingerprint
        arrays = {"guess": guesses, "pattern": codes, "first": (*first, nodes), "hit": hits}
        return Tree(**arrays, **({"game": lingo(turns), "strategy": "middle"} | known | fields))

    return grow


def path_in(variable: str, what: str) -> Path:
    """The path in an environment variable, for data outside the project; without it the test is skipped."""
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} does not name {what}")
    return Path(path)


@pytest.fixture(scope="session")
def pit_list() -> Path:
    """The pit's list; vectors.tsv and classes.tsv are in the same folder."""
    return path_in("GPULINGO_PIT_LIST", "the pit's wordlist.txt")


@pytest.fixture(scope="session")
def wordle_lists() -> Path:
    """The folder of Wordle's pool.txt and targets.txt."""
    return path_in("GPULINGO_WORDLE_LISTS", "a folder of Wordle's lists")


@pytest.fixture(scope="session")
def pit_words(pit_list: Path) -> Callable[[int], WordList]:
    """A function that returns the pit's words of a length."""
    return read(pit_list).of_length


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless browser."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("no chromium and chromium-driver of Debian's")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for name in (
        "headless=new",
        "no-sandbox",
        "disable-dev-shm-usage",
        "disable-gpu",
        "window-size=1200,900",
    ):
        options.add_argument(f"--{name}")
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    with webdriver.Chrome(options=options, service=service) as driver:
        driver.command_executor.client_config.timeout = 900  # seconds, more than a script has
        for name in ("get", "refresh"):
            setattr(driver, name, partial(loaded, driver, getattr(driver, name)))
        yield driver


def loaded(driver: Any, load: Callable[..., None], *address: str) -> None:
    """Load a page to its end: on a busy machine the driver's own `get` returns before it."""
    from selenium.webdriver.support.ui import WebDriverWait

    driver.execute_script("window.old = true")
    load(*address)
    script = "return !window.old && document.readyState === 'complete'"
    WebDriverWait(driver, 60, 0.02).until(lambda _: driver.execute_script(script), *address)


@pytest.fixture(params=[signal.SIGTERM, signal.SIGHUP])
def ending(request):
    """A signal that ends a process, also where these tests run under `nohup`, set as for a command."""
    before = {number: signal.getsignal(number) for number in ENDING_SIGNALS}
    signal.signal(request.param, signal.SIG_DFL)
    set_signals(at_once=False)
    yield request.param
    for number, handler in before.items():
        signal.signal(number, handler)

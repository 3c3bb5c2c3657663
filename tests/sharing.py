"""What tests of shared searches have in common; as a program, one process of such a search.

python sharing.py FOLDER LIST OUT: a line on stdout whenever it looks whether to go on
"""

import json
import sys
from collections import Counter
from pathlib import Path

from gpulingo.bounds.arrays import DIGEST, packed_arrays, read_arrays, sealed_arrays
from gpulingo.bounds.certificate import certificate_arrays
from gpulingo.games.catalogue import lingo
from gpulingo.search.shared_folder import SharedFolder, search_text, terms_of
from gpulingo.search.shared_search import SharedSearch
from gpulingo.search.stages import Stage
from gpulingo.search.state import Problem
from gpulingo.storage.leases import Leases, new_owner
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import parse

LEASE = 60.0
processes = Counter()  # of each folder: where a process begins follows from its name
PLAN = [Stage(6, {3: 1, 4: 1}), Stage(2, {3: 4, 4: 4})]


def problem_of(wordlist, game=None):
    """What is searched."""
    return Problem(wordlist, game or lingo(), table_of(wordlist, lingo()), points, memory=1 << 24)


def bytes_of(certificate):
    """A certificate as its file."""
    return packed_arrays(certificate_arrays(certificate))


def begun_folder(path, problem, lease=LEASE, block=3):
    """A folder in which a search has begun, and its terms."""
    path.mkdir(exist_ok=True)
    folder = SharedFolder(path, problem, new_owner())
    tree = simulate(problem.wordlist, "parts", problem.game).tree
    terms = terms_of(problem, 0.0, tree.value, PLAN, block=block, lease=lease)
    return folder, folder.begin(terms, tree, None)


def forge_search(path, **change):
    """Let the search.json of a folder say something else, with the right digest."""
    record = json.loads((path / "search.json").read_text()) | change
    del record["digest"]
    (path / "search.json").write_text(search_text(record))


def forge_result(path, change):
    """Let a result say what `change` makes of its arrays, with the right digest."""
    arrays = read_arrays(path)
    del arrays[DIGEST]
    path.write_bytes(sealed_arrays(arrays | change(arrays)))


def process_of(path, problem, clock, often=lambda: None, told=None):
    """A process that takes part; its clock goes on only while it waits."""

    def wait(seconds):
        clock[0] += seconds
        often()

    processes[path] += 1
    folder = SharedFolder(path, problem, f"process{processes[path]}")
    leases = Leases(str(folder.results), folder.terms().lease, folder.owner, now=lambda: clock[0])
    tell = print if told is None else told.append
    return SharedSearch(folder, leases, often=often, wait=wait, tell=tell)


def main(path, words, out):
    """Take part until the end."""
    import time

    problem = problem_of(parse(Path(words).read_text()).of_length(5))
    folder = SharedFolder(Path(path), problem, new_owner())
    terms = folder.terms()
    search = SharedSearch(
        folder,
        Leases(str(folder.results), terms.lease, folder.owner),
        often=lambda: print(".", flush=True),
        wait=time.sleep,
        tell=lambda text: print(text, file=sys.stderr),
    )
    Path(out).write_bytes(bytes_of(search.run(terms).certificate))


if __name__ == "__main__":
    main(*sys.argv[1:])

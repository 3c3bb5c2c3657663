#!/usr/bin/env python3
"""Rates of the operations for bounds, and whether another device gives the same answers.

    python benchmarks/operations.py [--letters 5,9,13] [--device cpu] [--against cpu] [--calls 3]
                                    [--most 4000] [--wordlist wordlist.txt]

The sets are the classes of the word with the most classes. `greatest_capped` is measured on a part of the
list, as it needs the classes of all words by every word. Ceilings are those of unions of two sets.
On the CPU there is one thread, and seconds are CPU seconds, because others may use the machine. Exit code 1:
the devices differ.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from time import process_time
from typing import Any

import torch
from rates import finish
from torch import Tensor

from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import is_gpu
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.operations import class_counts, greatest_capped, most_classes, refined, split
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.wordtable import WordTable, encode
from gpulingo.words.listing import embedded, read

REFINED = 2000  # guesses, spread over the list, that refine the sets


@dataclass(frozen=True)
class Case:
    """One operation: a function of a device, and the number of pairs of guess and candidate it evaluates."""

    name: str
    pairs: int
    call: Callable[[torch.device], Any]


def best_classes(table: WordTable) -> Frontier:
    """The classes of the word with the most classes."""
    opening = class_counts(table, table.targets).long().argmax()[None].to(torch.int32)
    return split(table, whole(table), opening).frontier


def capped_of(table: WordTable, seed: int) -> CappedClasses:
    """The classes of all words by every word, with caps by their sizes."""
    rows = [split(table, whole(table), guess[None]).frontier for guess in table.pool]
    wide = max(row.sets for row in rows) + 1
    kind = torch.uint8 if wide <= 256 else torch.int16
    classes = torch.zeros(table.words, table.words, dtype=kind)
    caps = torch.zeros(table.words, wide, dtype=torch.int32)
    draw = torch.Generator().manual_seed(seed)
    for guess, row in enumerate(rows):
        classes[guess, row.members.long()] = row.owners.to(kind)
        classes[guess, guess], caps[guess, row.sets] = row.sets, 2
        some = (row.sizes * torch.rand(row.sets, generator=draw)).long() + 1
        caps[guess, : row.sets] = some.to(torch.int32)
    return CappedClasses(classes, caps)


def moved(front: Frontier, device: torch.device) -> Frontier:
    """The same sets on a device."""
    return Frontier(front.members.to(device), front.offsets.to(device))


def cases(table: WordTable, part: WordTable) -> Iterator[Case]:
    """Every operation on a list; the last one on a part of it."""
    n, sets = table.words, best_classes(table)
    tables = {torch.device("cpu"): table}

    def there(device: torch.device) -> WordTable:
        return tables.setdefault(device, table.to(device))

    yield Case("class_counts", n * n, lambda d: class_counts(there(d), table.targets.to(d)))
    all_pairs = n * int(sets.sizes[sets.sizes > 2].sum())
    yield Case("most_classes", all_pairs, lambda d: most_classes(there(d), moved(sets, d)))
    guesses = torch.arange(0, n, max(1, n // REFINED), dtype=torch.int32)
    steps = torch.randint(-50, 50, (sets.members.shape[0],), generator=torch.Generator().manual_seed(1))
    yield Case("refined", guesses.shape[0] * n, lambda d: refined(
        there(d), guesses.to(d), moved(sets, d), steps.to(d)))  # fmt: skip
    capped, few = capped_of(part, part.words), best_classes(part)
    kept = {torch.device("cpu"): capped}

    def caps(device: torch.device) -> CappedClasses:
        return kept.setdefault(device, CappedClasses(capped.classes.to(device), capped.caps.to(device)))

    most = few.sizes // 2 + 2
    yield Case("greatest_capped", part.words**2, lambda d: greatest_capped(
        caps(d), moved(few, d), most.to(d)))  # fmt: skip


def tensors_of(answer: Any) -> list[Tensor]:
    """The tensors of an answer, on the CPU."""
    columns = [getattr(answer, f.name) for f in fields(answer)] if is_dataclass(answer) else [answer]
    return [column.cpu() for column in columns]


def row_of(case: Case, device: torch.device, other: torch.device, calls: int) -> tuple[str, bool]:
    """Seconds and rate of an operation after an unmeasured call, and whether the other device agrees."""
    seconds, now = [], clock if is_gpu(device) else process_time
    for _ in range(calls + 1):
        finish(device)
        started = now()
        answer = case.call(device)
        finish(device)
        seconds.append(now() - started)
    median = statistics.median(seconds[1:])
    row = [f"{case.pairs / 1e6:.0f}", f"{median:.4f}", f"{case.pairs / median / 1e6:.0f}"]
    if device == other:
        return "\t".join([case.name, *row, "not compared"]), True
    pairs = zip(tensors_of(answer), tensors_of(case.call(other)), strict=True)
    same = all(torch.equal(one, two) for one, two in pairs)
    return "\t".join([case.name, *row, "same" if same else "DIFFERENT"]), same


def main() -> int:
    """Print a row for each length and operation; return 1 if devices differ."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--letters", default="5,9,13")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--against", default="cpu")
    parser.add_argument("--calls", type=int, default=3)
    parser.add_argument("--most", type=int, default=4000, help="words of the list for greatest_capped")
    parser.add_argument("--wordlist", type=Path, help="the embedded list if not given")
    options = parser.parse_args()
    listing, alike = read(options.wordlist) if options.wordlist else embedded(), True
    torch.set_num_threads(1)
    device, other = torch.device(options.device), torch.device(options.against)
    print("letters", "operation", "million pairs", "seconds", "million pairs/s", "answers", sep="\t")
    for length in map(int, options.letters.split(",")):
        words = listing.of_length(length).words
        part = encode(words[:: -(-len(words) // options.most)])
        for case in cases(encode(words), part):
            row, same = row_of(case, device, other, options.calls)
            alike &= same
            print(length, row, sep="\t", flush=True)
    return 0 if alike else 1


if __name__ == "__main__":
    sys.exit(main())

"""Patterns of the reference and of the cpu backend, against the referee, the plain rule and its laws."""

import subprocess
import sys
from collections import defaultdict
from importlib.util import find_spec

import pytest
import torch

from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.cpu.marks import BLOCK
from gpulingo.tensors.operations import patterns
from gpulingo.tensors.wordtable import encode

LENGTHS = [1, 19, 20]


def encoded(guesses, targets):
    """A table, and the indices of guesses and targets in it; they may repeat, words of a table may not."""
    words = list(dict.fromkeys(guesses + targets))
    places = torch.tensor([words.index(word) for word in guesses + targets], dtype=torch.int32)
    return encode(words), places.reshape(2, -1)


def by_patterns(guesses, targets):
    table, places = encoded(guesses, targets)
    pairs = table.letters[places].split(20, dim=1)
    return torch.cat([patterns(g, t).diagonal() for g, t in pairs])


def by_pairs(backend):
    def coded(guesses, targets):
        table, places = encoded(guesses, targets)
        return backend.paired_patterns(table, places[0], places[1])

    return coded


WAYS = pytest.mark.parametrize(
    "coded", [by_patterns, by_pairs(reference), by_pairs(cpu)], ids=["patterns", "reference", "cpu"]
)


@WAYS
def test_the_referees_3000_answers_are_given(coded, pit_list):
    rows = defaultdict(list)
    for row in pit_list.with_name("vectors.tsv").read_text(encoding="utf-8").splitlines():
        target, guess, answer = row.split("\t")
        rows[len(guess)].append((guess, target, pattern(answer)))
    assert sum(map(len, rows.values())) == 3000
    for of_length in rows.values():
        guesses, targets, answers = zip(*of_length, strict=True)
        assert coded(list(guesses), list(targets)).tolist() == list(answers)


@pytest.fixture(params=LENGTHS)
def table(request, random_words):
    """About 30 words of a length."""
    return encode(random_words(request.param, 30, request.param))


@pytest.fixture
def texts(table):
    return ["".join(table.alphabet[x] for x in word) for word in table.letters.tolist()]


def test_patterns_are_those_of_the_plain_rule(table, texts):
    expected = [[pattern(feedback(guess, target)) for target in texts] for guess in texts]
    assert patterns(table.letters, table.letters).tolist() == expected


@pytest.mark.parametrize("backend", [reference, cpu])
def test_paired_patterns_are_the_entries_of_the_matrix(table, backend):
    guesses = torch.arange(table.words, dtype=torch.int32).repeat_interleave(table.words)
    targets = torch.arange(table.words, dtype=torch.int32).repeat(table.words)
    paired = backend.paired_patterns(table, guesses, targets)
    matrix = patterns(table.letters, table.letters)
    assert torch.equal(paired, matrix.flatten())
    assert paired.dtype == matrix.dtype == (torch.int32 if table.length <= 19 else torch.int64)


DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def letters(seed, *shape, kinds=5):
    """Random letters of few kinds, some with the highest number."""
    made = torch.randint(0, kinds, shape, generator=torch.Generator().manual_seed(seed), dtype=torch.uint8)
    return torch.where(made == kinds - 1, 255, made)


@pytest.mark.parametrize("length", [1, 6, 39])
def test_patterns_of_the_cpu_are_those_of_the_reference(length):
    for guesses, targets in ((7, BLOCK + 1), (1, 1), (0, 3), (3, 0)):
        asked = letters(length, guesses, length), letters(length + 1, targets, length, kinds=7)
        expected, made = reference.patterns(*asked), cpu.patterns(*asked)
        assert made.dtype == expected.dtype
        assert torch.equal(made, expected)
    turned = letters(1, length, 6).T, letters(2, length, 9).T
    assert torch.equal(cpu.patterns(*turned), reference.patterns(*turned))


@pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")
@pytest.mark.parametrize(("length", "guesses"), [(5, 7), pytest.param(25, 2, marks=pytest.mark.slow)])
def test_patterns_of_cuda_are_those_of_the_reference(monkeypatch, length, guesses):
    from gpulingo.tensors.cuda import backend as kernels

    monkeypatch.setattr(kernels, "MOST_ENTRIES", 140)
    for targets in (65, 0):
        asked = letters(length, guesses, length), letters(3, targets, length)
        made = kernels.patterns(*(rows.to(DEVICE) for rows in asked)).cpu()
        assert made.dtype == reference.patterns(*asked).dtype
        assert torch.equal(made, reference.patterns(*asked))


def test_either_side_may_be_batched():
    guesses, targets = letters(1, 3, 4, 5), letters(2, 3, 6, 5)
    both = torch.func.vmap(patterns)(guesses, targets)
    assert torch.equal(both, torch.stack([patterns(*pair) for pair in zip(guesses, targets, strict=True)]))
    ours = torch.func.vmap(patterns, in_dims=(1, None))(guesses.transpose(0, 1), targets[0])
    assert torch.equal(ours, torch.stack([patterns(each, targets[0]) for each in guesses]))
    theirs = torch.func.vmap(patterns, in_dims=(None, 0))(guesses[0], targets)
    assert torch.equal(theirs, torch.stack([patterns(guesses[0], each) for each in targets]))


@pytest.mark.slow
def test_a_call_that_is_not_compiled_does_not_import_dynamo():
    code = "import gpulingo, sys, torch; a = torch.zeros((2, 5), dtype=torch.uint8); gpulingo.patterns(a, a)"
    code += "; assert 'torch._dynamo' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.slow
def test_torch_compiles_it_as_one_operator():
    graphs = []

    def kept(graph, inputs):
        graphs.append(graph)
        return graph.forward

    def classes(guesses, targets):
        return (patterns(guesses, targets) == 0).sum(1)

    asked = letters(1, 4, 5), letters(2, 9, 5)
    assert torch.equal(torch.compile(classes, backend=kept, fullgraph=True)(*asked), classes(*asked))
    assert [node.target for node in graphs[0].graph.nodes].count(torch.ops.gpulingo.patterns.default) == 1
    torch.library.opcheck(torch.ops.gpulingo.patterns.default, asked)

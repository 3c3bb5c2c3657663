"""`patterns` on every backend equals the plain torch; what torch makes of the operator."""

from importlib.util import find_spec

import pytest
import torch
from sampled import quick

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.cpu.pairs import BLOCK
from gpulingo.tensors.patterns import patterns

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def letters(seed, *shape, kinds=5):
    """Random letters of few kinds, some of the highest number."""
    made = torch.randint(0, kinds, shape, generator=torch.Generator().manual_seed(seed), dtype=torch.uint8)
    return torch.where(made == kinds - 1, 255, made)


@pytest.mark.parametrize("length", quick([1, 2, 5, 6, 10, 11, 19, 20, 39], [5, 6, 20]))
def test_patterns_of_the_cpu_are_those_of_the_reference(length):
    for guesses, targets in ((7, BLOCK + 1), (1, 1), (0, 3), (3, 0)):
        asked = letters(length, guesses, length), letters(length + 1, targets, length, kinds=7)
        expected, made = reference.patterns(*asked), cpu.patterns(*asked)
        assert made.dtype == expected.dtype
        assert torch.equal(made, expected)
    turned = letters(1, length, 6).T, letters(2, length, 9).T
    assert torch.equal(cpu.patterns(*turned), reference.patterns(*turned))


@pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")
@pytest.mark.parametrize(("length", "guesses"), quick([(1, 3), (5, 7), (20, 2), (25, 2)], [(5, 7)]))
def test_patterns_of_cuda_are_those_of_the_reference(monkeypatch, length, guesses):
    from gpulingo.tensors.cuda import patterns as kernels

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

"""Vector instructions that count the labels of a set for 64 guesses at a time; see `lanes` and `labels`.

Each guess has a word of 64 bits, one bit per label seen. The words of all 64 guesses stay in registers during
the loop over the members of the set; labels from 64 on need another pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from gpulingo.tensors.cpu.lanes import Elements, Emitter, emitted

TOGETHER = 64  # guesses whose labels are counted in one call
_EIGHT = 8  # guesses per vector
_PARTS = range(TOGETHER // _EIGHT)
_INT, _LONG = ir.IntType(32), ir.IntType(64)
_WORDS, _COUNTS = ir.VectorType(_LONG, _EIGHT), ir.VectorType(_INT, _EIGHT)


def _every(value: int) -> Any:
    """The same number in every lane."""
    return ir.Constant(_WORDS, [value] * _EIGHT)


class _Counter(Emitter):
    """Code generators for `count_labels`, bound to one function being built."""

    def __init__(
        self, builder: Any, labels: Elements, mine: Elements, start: Any, stop: Any, first: Any, wide: Any
    ) -> None:
        super().__init__(builder)
        self.labels, self.mine, self.first, self.wide = labels, mine, first, wide
        self.start, self.stop = start, stop
        self.row = ir.VectorType(labels.kind, TOGETHER)

    def call(self, name: str, result: Any, argument: Any) -> Any:
        """Return an operation of LLVM on one vector."""
        kind = ir.FunctionType(result, [_WORDS])
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.v{_EIGHT}i64")
        return self.builder.call(function, [argument])

    def bits_of(self, place: Any, base: Any) -> list[Any]:
        """Return the bit of one member's label by each guess, 0 if the label is not among these 64."""
        builder = self.builder
        columns = builder.extract_value(self.labels.shape, 1)
        member = builder.mul(builder.load(self.mine.at(place)), columns)
        loaded = self.load(self.labels.at(builder.add(member, self.first)), self.row)
        bits = []
        for part in _PARTS:
            lanes = ir.Constant(_COUNTS, [part * _EIGHT + k for k in range(_EIGHT)])
            eight = builder.shuffle_vector(loaded, ir.Constant(self.row, ir.Undefined), lanes)
            shift = builder.sub(builder.zext(eight, _WORDS), base)
            inside = builder.icmp_unsigned("<", shift, _every(64))
            bits.append(builder.select(inside, builder.shl(_every(1), shift), _every(0)))
        return bits

    def seen_labels(self, base: Any) -> list[Any]:
        """The labels, of the 64 from the base on, that each guess has in the set: a loop over members."""
        builder, entry = self.builder, self.builder.block
        head, body, done = (builder.append_basic_block(name) for name in ("members", "member", "seen"))
        builder.branch(head)
        builder.position_at_end(head)
        place, seen = builder.phi(_LONG), [builder.phi(_WORDS) for _ in _PARTS]
        builder.cbranch(builder.icmp_signed("<", place, self.stop), body, done)
        builder.position_at_end(body)
        both = zip(seen, self.bits_of(place, base), strict=True)
        place.add_incoming(self.start, entry)
        place.add_incoming(builder.add(place, ir.Constant(_LONG, 1)), body)
        for before, after in [(before, builder.or_(before, bit)) for before, bit in both]:
            before.add_incoming(_every(0), entry)
            before.add_incoming(after, body)
        builder.branch(head)
        builder.position_at_end(done)
        return seen

    def totals(self) -> list[Any]:
        """Return the number of labels of each guess in the set: a loop over 64 labels at a time."""
        builder, entry = self.builder, self.builder.block
        outer, end = builder.append_basic_block("labels"), builder.append_basic_block("counted")
        builder.branch(outer)
        builder.position_at_end(outer)
        word, totals = builder.phi(_LONG), [builder.phi(_WORDS) for _ in _PARTS]
        seen = self.seen_labels(self.splat(builder.shl(word, ir.Constant(_LONG, 6)), _WORDS))
        sums = [
            builder.add(total, self.call("ctpop", _WORDS, bits))
            for total, bits in zip(totals, seen, strict=True)
        ]
        another = builder.add(word, ir.Constant(_LONG, 1))
        word.add_incoming(ir.Constant(_LONG, 0), entry)
        word.add_incoming(another, builder.block)
        for total, more in zip(totals, sums, strict=True):
            total.add_incoming(_every(0), entry)
            total.add_incoming(more, builder.block)
        builder.cbranch(builder.icmp_signed("<", another, self.wide), outer, end)
        builder.position_at_end(end)
        return sums

    def write(self, sums: Sequence[Any], scores: Elements) -> Any:
        """Write the counts, and return the greatest."""
        builder, greatest = self.builder, sums[0]
        for part, total in enumerate(sums):
            self.store(builder.trunc(total, _COUNTS), self.offset(scores.at(self.first), part * _EIGHT))
            greatest = builder.select(builder.icmp_unsigned(">", greatest, total), greatest, total)
        return self.call("vector.reduce.umax", _LONG, greatest)


@emitted(types.int64)
def count_labels(
    emit: Emitter, scores: Elements, labels: Elements, mine: Elements, start: Any, stop: Any, first: Any,
    wide: Any,
) -> Any:  # fmt: skip
    """scores[first:][:64] = labels of each of these guesses in rows mine[start:stop]; returns the most.

    labels is [n, D] uint8 or uint16, D a multiple of 64; counted are those below 64 * wide.
    mine is int64, scores int32.
    """
    counter = _Counter(emit.builder, labels, mine, start, stop, first, wide)
    return counter.write(counter.totals(), scores)

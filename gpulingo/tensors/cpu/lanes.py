"""Vector instructions for the numba kernels, written as LLVM's portable vector operations.

LLVM's loop vectoriser fails on these inner loops (a dozen row pointers that might overlap); explicit vectors
become AVX-512, AVX2 or NEON code, depending on the processor. Loops over guesses are elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from inspect import signature
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 64  # targets per word of a feature's bits
ROW = 32  # targets per row of a slot table
TOGETHER = 64  # guesses whose labels are counted in one call

_BYTE, _INT, _LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_EIGHT = 8  # guesses per vector
_PARTS = range(TOGETHER // _EIGHT)
_WORDS, _COUNTS = ir.VectorType(_LONG, _EIGHT), ir.VectorType(_INT, _EIGHT)


class Elements(NamedTuple):
    """An array argument: its shape, the type of its elements, and where the first one is."""

    shape: Any
    kind: Any
    first: Any
    builder: Any

    def at(self, index: Any) -> Any:
        return self.builder.gep(self.first, [index])


class Emitter:
    """The few vector idioms below, bound to one function being built."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def offset(self, pointer: Any, index: int) -> Any:
        return self.builder.gep(pointer, [ir.Constant(_LONG, index)])

    def times(self, value: Any, factor: int) -> Any:
        return self.builder.mul(value, ir.Constant(_LONG, factor))

    def load(self, pointer: Any, kind: Any) -> Any:
        value = self.builder.load(self.builder.bitcast(pointer, kind.as_pointer()))
        value.align = 1
        return value

    def store(self, value: Any, pointer: Any) -> None:
        self.builder.store(value, self.builder.bitcast(pointer, value.type.as_pointer())).align = 1

    def splat(self, value: Any, kind: Any) -> Any:
        undefined = ir.Constant(kind, ir.Undefined)
        first = self.builder.insert_element(undefined, value, ir.Constant(_INT, 0))
        zeros = ir.Constant(ir.VectorType(_INT, kind.count), [0] * kind.count)
        return self.builder.shuffle_vector(first, undefined, zeros)

    def chosen(self, bits: Any, coefficient: Any, kind: Any) -> Any:
        """Return the coefficient in the lanes whose bit is set, zero elsewhere."""
        chosen = self.builder.bitcast(bits, ir.VectorType(ir.IntType(1), kind.count))
        return self.builder.select(chosen, self.splat(coefficient, kind), ir.Constant(kind, [0] * kind.count))

    def put_codes(self, inner: Any, radix: Any, codes: Elements, pointer: Any, first: bool) -> None:
        """Write inner sums of a group as codes from a pointer on, or add radix x them."""
        kind = ir.VectorType(codes.kind, inner.type.count)
        value = inner if codes.kind.width == 8 else self.builder.zext(inner, kind)
        if not first:
            factor = radix if codes.kind.width == 64 else self.builder.trunc(radix, codes.kind)
            value = self.builder.mul(value, self.splat(factor, kind))
            value = self.builder.add(value, self.load(pointer, kind))
        self.store(value, pointer)


def _argument(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return an argument as `emitted` says."""
    if isinstance(kind, types.Literal):
        return kind.literal_value
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        return Elements(array.shape, context.get_value_type(kind.dtype), array.data, builder)
    return value


def emitted(result: Any, *literals: str) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: an intrinsic with this result, of a function that emits its code and returns its value.

    The function gets an emitter, then each argument: an array as `Elements`, a literal of these names as it
    is, any other as a 64-bit number.
    """

    def intrinsic_of(emit: Callable[..., Any]) -> Any:
        names = [*signature(emit).parameters][1:]

        @wraps(emit)
        def typed(context: Any, *given: Any) -> Any:
            named = zip(names, given, strict=True)
            kinds = [
                kind if name in literals or isinstance(kind, types.Array) else types.intp
                for name, kind in named
            ]

            def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                value = emit(Emitter(builder), *map(partial(_argument, context, builder), kinds, arguments))
                return context.get_dummy_value() if value is None else value

            return result(*kinds), codegen

        return intrinsic(prefer_literal=True)(typed)

    return intrinsic_of


@emitted(types.void, "first", "words")
def feature_codes(
    emit: Emitter, codes: Elements, start: Any, bits: Elements, word: Any, features: Elements,
    coefficients: Elements, radix: Elements, group: Any, first: bool, words: int,
) -> None:  # fmt: skip
    """codes[start:][:64 * words] (+)= radix[group] x sum of the group's coefficients over the targets' bits.

    bits is uint64; feature f of the 64 targets of word w is bits[word + 8 * f + w]. More words at once share
    the reading of features and coefficients.
    """
    builder, kind, row = emit.builder, ir.VectorType(_BYTE, LANES), emit.times(group, 10)
    base, names, scale = bits.at(word), features.at(row), coefficients.at(row)
    sums: list[Any] = [None] * words
    for k in range(10):
        feature = builder.zext(builder.load(emit.offset(names, k)), _LONG)
        pointer = builder.gep(base, [builder.shl(feature, ir.Constant(_LONG, 3))])
        coefficient = builder.load(emit.offset(scale, k))
        for w in range(words):
            value = emit.chosen(builder.load(emit.offset(pointer, w)), coefficient, kind)
            sums[w] = value if k == 0 else builder.add(sums[w], value)
    factor = builder.load(radix.at(group))
    for w in range(words):
        emit.put_codes(sums[w], factor, codes, emit.offset(codes.at(start), w * LANES), first)


@emitted(types.void)
def slot_row(
    emit: Emitter, rows: Elements, row: Any, bits: Elements, features: Elements, coefficients: Elements
) -> None:
    """rows[32 * row:][:32] = what slot number `row` adds to the code of each of the first 32 targets."""
    builder, kind, total = emit.builder, ir.VectorType(_BYTE, ROW), None
    names, scale = features.at(emit.times(row, 2)), coefficients.at(emit.times(row, 2))
    for k in range(2):
        feature = builder.zext(builder.load(emit.offset(names, k)), _LONG)
        word = builder.load(bits.at(builder.shl(feature, ir.Constant(_LONG, 3))))
        value = emit.chosen(builder.trunc(word, _INT), builder.load(emit.offset(scale, k)), kind)
        total = value if total is None else builder.add(total, value)
    emit.store(total, rows.at(emit.times(row, ROW)))


@emitted(types.void, "first")
def slot_codes(
    emit: Emitter, codes: Elements, start: Any, rows: Elements, slots: Elements, radix: Elements, group: Any,
    first: bool,
) -> None:  # fmt: skip
    """codes[start:][:32] (+)= radix[group] x sum of the rows of the group's five slots."""
    builder, kind, total = emit.builder, ir.VectorType(_BYTE, ROW), None
    names = slots.at(emit.times(group, 5))
    for k in range(5):
        slot = builder.zext(builder.load(emit.offset(names, k)), _LONG)
        value = emit.load(rows.at(emit.times(slot, ROW)), kind)
        total = value if total is None else builder.add(total, value)
    emit.put_codes(total, builder.load(radix.at(group)), codes, codes.at(start), first)


def _shifts(emit: Emitter, count: Any, start: Any, body: Any) -> Any:
    """Loop over shifts 1, 2, .. below `count`, four at a time, carrying one vector; return its last value."""
    builder = emit.builder
    entry = builder.block
    head, inside, end = (builder.append_basic_block(name) for name in ("shifts", "shift", "shifted"))
    builder.branch(head)
    builder.position_at_end(head)
    shift, carried = builder.phi(_LONG), builder.phi(start.type)
    shift.add_incoming(ir.Constant(_LONG, 1), entry)
    carried.add_incoming(start, entry)
    builder.cbranch(builder.icmp_signed("<", shift, count), inside, end)
    builder.position_at_end(inside)
    value = carried
    for k in range(4):
        value = body(value, builder.add(shift, ir.Constant(_LONG, k)))
    shift.add_incoming(builder.add(shift, ir.Constant(_LONG, 4)), inside)
    carried.add_incoming(value, inside)
    builder.branch(head)
    builder.position_at_end(end)
    return carried


@emitted(types.intp)
def distinct(emit: Emitter, codes: Elements, start: Any, count: Any) -> Any:
    """Number of different values in codes[start:][:count], count up to 32.

    Each lane is compared with the lanes before it, by loads shifted by 1, 2, ..; the 35 entries before
    `start` must hold a value that is no code.
    """
    builder, first, kind = emit.builder, codes.at(start), ir.VectorType(codes.kind, ROW)
    lanes = emit.load(first, kind)
    none = ir.Constant(ir.VectorType(ir.IntType(1), ROW), [0] * ROW)

    def body(repeated: Any, shift: Any) -> Any:
        earlier = emit.load(builder.gep(first, [builder.neg(shift)]), kind)
        return builder.or_(repeated, builder.icmp_unsigned("==", lanes, earlier))

    repeated = builder.zext(builder.bitcast(_shifts(emit, count, none, body), _INT), _LONG)
    unit = ir.Constant(_LONG, 1)
    inside = builder.sub(builder.shl(unit, count), unit)
    return builder.sub(count, builder.ctpop(builder.and_(repeated, inside)))


@emitted(types.void)
def earlier_equals(
    emit: Emitter, out: Elements, row: Any, codes: Elements, start: Any, count: Any, outside: Elements
) -> None:
    """out[row + i] = outside[i] + number of codes[start:][:i] equal to codes[start + i], i < 32, all uint8.

    As `distinct`; lanes from `count` on, up to 32, get at least outside[i].
    """
    builder, first = emit.builder, codes.at(start)
    kind, counts = ir.VectorType(codes.kind, ROW), ir.VectorType(_BYTE, ROW)
    lanes = emit.load(first, kind)

    def body(seen: Any, shift: Any) -> Any:
        earlier = emit.load(builder.gep(first, [builder.neg(shift)]), kind)
        return builder.add(seen, builder.zext(builder.icmp_unsigned("==", lanes, earlier), counts))

    emit.store(_shifts(emit, count, emit.load(outside.first, counts), body), out.at(row))


@emitted(types.intp)
def take_marks(emit: Emitter, marks: Elements, start: Any) -> Any:
    """Number of non-zero bytes in marks[start:][:64], which become zero."""
    builder, kind = emit.builder, ir.VectorType(_BYTE, LANES)
    zeros = ir.Constant(kind, [0] * LANES)
    marked = builder.icmp_unsigned("!=", emit.load(marks.at(start), kind), zeros)
    emit.store(zeros, marks.at(start))
    return builder.ctpop(builder.bitcast(marked, _LONG))


def _unpacked(emit: Emitter, start: Any, count: int, kind: Any) -> Iterator[Any]:
    """Yield the codes from a pointer on, as indices: read eight bytes at a time and shifted apart.

    With one load per code, each load would have to check the stores before it.
    """
    builder, per = emit.builder, 64 // kind.width
    for k in range(0, count, per):
        word = emit.load(emit.offset(start, k), _LONG)
        for _ in range(per):
            yield builder.and_(word, ir.Constant(_LONG, (1 << kind.width) - 1))
            word = builder.lshr(word, ir.Constant(_LONG, kind.width % 64))


@emitted(types.void, "count")
def mark_codes(emit: Emitter, codes: Elements, start: Any, marks: Elements, count: int) -> None:
    """marks[c] = 1 for the codes c in codes[start:][:count]; `count` is a multiple of 8."""
    for code in _unpacked(emit, codes.at(start), count, codes.kind):
        emit.builder.store(ir.Constant(_BYTE, 1), marks.at(code))


@emitted(types.int64, "count")
def sum_at(emit: Emitter, places: Elements, start: Any, values: Elements, count: int) -> Any:
    """Sum of values[p] for the p in places[start:][:count], uint8; `count` is a multiple of 8."""
    builder, sums = emit.builder, [ir.Constant(_LONG, 0)] * 2  # so that each addition waits for one in two
    for place in _unpacked(emit, places.at(start), count, _BYTE):
        sums = [sums[1], builder.add(sums[0], builder.load(values.at(place)))]
    return builder.add(*sums)


def _every(value: int) -> Any:
    """The same number in every lane."""
    return ir.Constant(_WORDS, [value] * _EIGHT)


class _Counter(Emitter):
    """Code generators for `count_labels`, bound to one function being built.

    Each guess has a word of 64 bits, one bit per label seen. The words of all 64 guesses stay in registers
    during the loop over the members of the set; labels from 64 on need another pass.
    """

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

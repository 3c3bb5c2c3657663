"""Vector instructions for the numba kernels, written as LLVM's portable vector operations.

LLVM's loop vectoriser fails on these inner loops (a dozen row pointers that might overlap); explicit vectors
become AVX-512, AVX2 or NEON code, depending on the processor. Loops over guesses are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 64  # targets per word of a feature's bits
ROW = 32  # targets per row of a slot table

_BYTE, _INT, _LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)


class Emitter:
    """The few vector idioms below, bound to one function being built."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.context, self.builder, self.signature, self.arguments = context, builder, signature, arguments

    def element(self, argument: int, index: Any) -> Any:
        array = self.context.make_array(self.signature.args[argument])
        return self.builder.gep(array(self.context, self.builder, self.arguments[argument]).data, [index])

    def lane_type(self, argument: int) -> Any:
        return self.context.get_value_type(self.signature.args[argument].dtype)

    def offset(self, pointer: Any, index: int) -> Any:
        return self.builder.gep(pointer, [ir.Constant(_LONG, index)])

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

    def put_codes(self, inner: Any, radix: Any, offset: int, first: bool) -> None:
        """Write inner sums of a group as codes to (argument 0)[argument 1 + offset:], or add radix x them."""
        code, pointer = self.lane_type(0), self.offset(self.element(0, self.arguments[1]), offset)
        kind = ir.VectorType(code, inner.type.count)
        value = inner if code.width == 8 else self.builder.zext(inner, kind)
        if not first:
            factor = radix if code.width == 64 else self.builder.trunc(radix, code)
            value = self.builder.mul(value, self.splat(factor, kind))
            value = self.builder.add(value, self.load(pointer, kind))
        self.store(value, pointer)


@intrinsic(prefer_literal=True)
def feature_codes(
    context: Any, codes: Any, start: Any, bits: Any, word: Any, features: Any, coefficients: Any, radix: Any,
    group: Any, first: Any, words: Any,
) -> Any:  # fmt: skip
    """codes[start:][:64 * words] (+)= radix[group] x sum of the group's coefficients over the targets' bits.

    bits is uint64; feature f of the 64 targets of word w is bits[word + 8 * f + w]. `first` and `words` are
    literals; more words at once share the reading of features and coefficients.
    """
    signature = types.void(
        codes, types.intp, bits, types.intp, features, coefficients, radix, types.intp, first, words
    )

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        kind = ir.VectorType(_BYTE, LANES)
        row = builder.mul(arguments[7], ir.Constant(_LONG, 10))
        base, names, scale = emit.element(2, arguments[3]), emit.element(4, row), emit.element(5, row)
        sums: list[Any] = [None] * words.literal_value
        for k in range(10):
            feature = builder.zext(builder.load(emit.offset(names, k)), _LONG)
            pointer = builder.gep(base, [builder.shl(feature, ir.Constant(_LONG, 3))])
            coefficient = builder.load(emit.offset(scale, k))
            for w in range(words.literal_value):
                value = emit.chosen(builder.load(emit.offset(pointer, w)), coefficient, kind)
                sums[w] = value if k == 0 else builder.add(sums[w], value)
        factor = builder.load(emit.element(6, arguments[7]))
        for w in range(words.literal_value):
            emit.put_codes(sums[w], factor, w * LANES, first.literal_value)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def slot_row(context: Any, rows: Any, row: Any, bits: Any, features: Any, coefficients: Any) -> Any:
    """rows[32 * row:][:32] = what slot number `row` adds to the code of each of the first 32 targets."""
    signature = types.void(rows, types.intp, bits, features, coefficients)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        kind = ir.VectorType(_BYTE, ROW)
        pair = builder.mul(arguments[1], ir.Constant(_LONG, 2))
        names, scale = emit.element(3, pair), emit.element(4, pair)
        total = None
        for k in range(2):
            feature = builder.zext(builder.load(emit.offset(names, k)), _LONG)
            word = builder.load(emit.element(2, builder.shl(feature, ir.Constant(_LONG, 3))))
            value = emit.chosen(builder.trunc(word, _INT), builder.load(emit.offset(scale, k)), kind)
            total = value if total is None else builder.add(total, value)
        emit.store(total, emit.element(0, builder.mul(arguments[1], ir.Constant(_LONG, ROW))))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic(prefer_literal=True)
def slot_codes(
    context: Any, codes: Any, start: Any, rows: Any, slots: Any, radix: Any, group: Any, first: Any
) -> Any:
    """codes[start:][:32] (+)= radix[group] x sum of the rows of the group's five slots."""
    signature = types.void(codes, types.intp, rows, slots, radix, types.intp, first)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        kind = ir.VectorType(_BYTE, ROW)
        names = emit.element(3, builder.mul(arguments[5], ir.Constant(_LONG, 5)))
        total = None
        for k in range(5):
            slot = builder.zext(builder.load(emit.offset(names, k)), _LONG)
            value = emit.load(emit.element(2, builder.mul(slot, ir.Constant(_LONG, ROW))), kind)
            total = value if total is None else builder.add(total, value)
        factor = builder.load(emit.element(4, arguments[5]))
        emit.put_codes(total, factor, 0, first.literal_value)
        return context.get_dummy_value()

    return signature, codegen


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


@intrinsic
def distinct(context: Any, codes: Any, start: Any, count: Any) -> Any:
    """Number of different values in codes[start:][:count], count up to 32.

    Each lane is compared with the lanes before it, by loads shifted by 1, 2, ..; the 35 entries before
    `start` must hold a value that is no code.
    """
    signature = types.intp(codes, types.intp, types.intp)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        start = emit.element(0, arguments[1])
        kind = ir.VectorType(emit.lane_type(0), ROW)
        lanes = emit.load(start, kind)
        none = ir.Constant(ir.VectorType(ir.IntType(1), ROW), [0] * ROW)

        def body(repeated: Any, shift: Any) -> Any:
            earlier = emit.load(builder.gep(start, [builder.neg(shift)]), kind)
            return builder.or_(repeated, builder.icmp_unsigned("==", lanes, earlier))

        repeated = builder.zext(builder.bitcast(_shifts(emit, arguments[2], none, body), _INT), _LONG)
        unit = ir.Constant(_LONG, 1)
        inside = builder.sub(builder.shl(unit, arguments[2]), unit)
        return builder.sub(arguments[2], builder.ctpop(builder.and_(repeated, inside)))

    return signature, codegen


@intrinsic
def earlier_equals(context: Any, out: Any, row: Any, codes: Any, start: Any, count: Any, outside: Any) -> Any:
    """out[row + i] = outside[i] + number of codes[start:][:i] equal to codes[start + i], i < 32, all uint8.

    As `distinct`; lanes from `count` on, up to 32, get at least outside[i].
    """
    signature = types.void(out, types.intp, codes, types.intp, types.intp, outside)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        start = emit.element(2, arguments[3])
        kind, counts = ir.VectorType(emit.lane_type(2), ROW), ir.VectorType(_BYTE, ROW)
        lanes = emit.load(start, kind)

        def body(seen: Any, shift: Any) -> Any:
            earlier = emit.load(builder.gep(start, [builder.neg(shift)]), kind)
            return builder.add(seen, builder.zext(builder.icmp_unsigned("==", lanes, earlier), counts))

        first = emit.load(emit.element(5, ir.Constant(_LONG, 0)), counts)
        emit.store(_shifts(emit, arguments[4], first, body), emit.element(0, arguments[1]))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def take_marks(context: Any, marks: Any, start: Any) -> Any:
    """Number of non-zero bytes in marks[start:][:64], which become zero."""
    signature = types.intp(marks, types.intp)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        kind = ir.VectorType(_BYTE, LANES)
        zeros = ir.Constant(kind, [0] * LANES)
        pointer = emit.element(0, arguments[1])
        marked = builder.icmp_unsigned("!=", emit.load(pointer, kind), zeros)
        emit.store(zeros, pointer)
        return builder.ctpop(builder.bitcast(marked, _LONG))

    return signature, codegen


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


@intrinsic(prefer_literal=True)
def mark_codes(context: Any, codes: Any, start: Any, marks: Any, count: Any) -> Any:
    """marks[c] = 1 for the codes c in codes[start:][:count]; `count` is a literal, a multiple of 8."""
    signature = types.void(codes, types.intp, marks, count)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        for code in _unpacked(emit, emit.element(0, arguments[1]), count.literal_value, emit.lane_type(0)):
            builder.store(ir.Constant(_BYTE, 1), emit.element(2, code))
        return context.get_dummy_value()

    return signature, codegen


@intrinsic(prefer_literal=True)
def sum_at(context: Any, places: Any, start: Any, values: Any, count: Any) -> Any:
    """Sum of values[p] for the p in places[start:][:count], uint8; `count` is a literal, a multiple of 8."""
    signature = types.int64(places, types.intp, values, count)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        emit = Emitter(context, builder, signature, arguments)
        sums: list[Any] = [ir.Constant(_LONG, 0)] * 2  # two sums, so that each addition waits for one in two
        for place in _unpacked(emit, emit.element(0, arguments[1]), count.literal_value, _BYTE):
            sums = [sums[1], builder.add(sums[0], builder.load(emit.element(2, place)))]
        return builder.add(*sums)

    return signature, codegen

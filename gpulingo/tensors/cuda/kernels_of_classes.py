"""Triton kernels of candidate sets: their features as bits, and small sets compared as bit planes.

Planes: feedback as bit planes, 32 targets per number, one guess per lane. Two targets are in one class when
every plane has the same bit for both. So the class of a target is an AND over the planes, and nothing is
coded, stored or counted in memory. Larger sets are counted in shared memory by `classes.cu`.
"""

import triton
import triton.language as tl


# One compilation for all numbers.
@triton.jit(do_not_specialize=["row_words", "features", "words"])
def bits_kernel(rows, row_words, features, members, starts, sizes, bits, words,
                LANES: tl.constexpr, ACROSS: tl.constexpr):  # fmt: skip
    """Transpose the features of candidate sets: [sets, features, words] int32.

    Target t is bit t % 32 of word t // 32; with ACROSS, bit t // words of word t % words, so that
    neighbouring lanes have neighbours of the list, whose codes are close. One program for each word of each
    set and each LANES features.
    """
    program = tl.program_id(0)
    s, w = program // words, program % words
    feature = tl.program_id(1) * LANES + tl.arange(0, LANES)
    start, n = tl.load(starts + s), tl.load(sizes + s)
    out = tl.zeros([LANES], tl.int32)
    for bit in range(32):
        t = bit * words + w if ACROSS else w * 32 + bit
        here = t < n
        member = tl.load(members + start + t, mask=here, other=0).to(tl.int64)
        row = tl.load(rows + member * row_words + feature // 32, mask=(feature < features) & here, other=0)
        out |= ((row >> (feature % 32)) & 1) << bit
    place = (s.to(tl.int64) * features + feature) * words + w
    tl.store(bits + place, out, mask=feature < features)


@triton.jit
def ones(number):
    """Number of one bits of int32 numbers; LLVM recognises these five lines and makes one instruction."""
    x = number.to(tl.uint32, bitcast=True)
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) >> 24).to(tl.int32)


@triton.jit
def equals(planes, u, WORD: tl.constexpr, SPAN: tl.constexpr, PLANES: tl.constexpr, WORDS: tl.constexpr):
    """Bits of the targets with the same feedback as target 32 * WORD + u, for the first SPAN words."""
    same = ()
    for _ in tl.static_range(SPAN):
        same = same + (planes[0] | -1,)
    for k in tl.static_range(PLANES):
        bit = (planes[k * WORDS + WORD] << (31 - u)) >> 31
        after = ()
        for v in tl.static_range(SPAN):
            after = after + (same[v] & ~(planes[k * WORDS + v] ^ bit),)
        same = after
    return same


@triton.jit
def earlier(planes, u, WORD: tl.constexpr, PLANES: tl.constexpr, WORDS: tl.constexpr, SIZES: tl.constexpr):
    """Number of targets before 32 * WORD + u in its class; without SIZES any number but 0 for some."""
    same = equals(planes, u, WORD, WORD + 1, PLANES, WORDS)
    last = same[WORD] & ((1 << u) - 1)
    before = ones(last) if SIZES else last
    for v in tl.static_range(WORD):
        before = before + ones(same[v]) if SIZES else before | same[v]
    return before


@triton.jit
def class_size(planes, u, n, WORD: tl.constexpr, PLANES: tl.constexpr, WORDS: tl.constexpr):
    """Size of the class of target 32 * WORD + u."""
    same = equals(planes, u, WORD, WORDS, PLANES, WORDS)
    size = planes[0] & 0
    for v in tl.static_range(WORDS):
        beyond = n - 32 * v  # bits after the last target are 0, like feedback
        # A shift by 32 is undefined, so a whole word is a separate case.
        known = tl.where(beyond >= 32, -1, (1 << (tl.maximum(beyond, 0) & 31)) - 1)
        size = size + ones(same[v] & known)
    return size


# One compilation for all numbers.
@triton.jit(do_not_specialize=["table_words", "features", "columns", "blocks"])
def planes_kernel(
    planes_of, table_words, features, bits, sizes, guesses, firsts, counts, out, columns, blocks, worth,
    steps, worth_at, PLANES: tl.constexpr, WORDS: tl.constexpr, LANES: tl.constexpr, SIZES: tl.constexpr,
    LARGEST: tl.constexpr,
):  # fmt: skip
    """Twice the value of the partition of every set by every guess: a program per set and LANES guesses."""
    program = tl.program_id(0)
    s = program // blocks
    place = (program % blocks) * LANES + tl.arange(0, LANES)
    n, first, count = tl.load(sizes + s), tl.load(firsts + s), tl.load(counts + s)
    live = place < count
    guess = tl.load(guesses + first + place, mask=live, other=0)
    row = bits + s.to(tl.int64) * features * WORDS
    worth, steps = worth + tl.load(worth_at + s), steps + tl.load(worth_at + s)
    planes = ()
    for k in tl.static_range(PLANES):
        feature = tl.load(planes_of + k * table_words + guess)
        for v in tl.static_range(WORDS):
            planes = planes + (tl.load(row + feature * WORDS + v),)
    parts = tl.zeros([LANES], tl.int32)
    value = tl.zeros([LANES], tl.int64)
    if LARGEST:
        value += 0x7FFFFFFFFFFFFFFF
    for word in tl.static_range(WORDS):
        for u in range(0, tl.minimum(n - 32 * word, 32)):
            if LARGEST:
                value = tl.minimum(value, tl.load(worth + class_size(planes, u, n, word, PLANES, WORDS)))
            elif SIZES:
                value += tl.load(steps + earlier(planes, u, word, PLANES, WORDS, True))
            else:
                parts += (earlier(planes, u, word, PLANES, WORDS, False) == 0).to(tl.int32)
    if not (SIZES or LARGEST):
        value = parts.to(tl.int64)
    tl.store(out + s.to(tl.int64) * columns + place, 2 * value, mask=live)

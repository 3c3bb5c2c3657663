"""Triton kernels of partitions: bit planes value those of small sets, elections label the classes of one set.

Planes: feedback as bit planes, 32 targets per number, one guess per lane. Two targets are in one class when
every plane has the same bit for both. So the class of a target is an AND over the planes, and nothing is
coded, stored or counted in memory. Larger sets are counted in shared memory by `classes.cu`.

Elections: a lane takes 32 targets, BREADTH neighbouring lanes take a guess; target t is bit t // words of
word t % words. Pair codes are computed four at a time, one per byte. Every target writes its number at the
place of its code, and the last one written is elected; every place is written before it is read, so nothing
is cleared. Codes too wide for that are taken a piece at a time: the number elected so far and the next piece
make the next place.
"""

import triton
import triton.language as tl

PER_GROUP = tl.constexpr(10)


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


@triton.jit
def plan_of(plan, table_words, guess, START: tl.constexpr, STOP: tl.constexpr, GROUPS: tl.constexpr,
            WIDTH: tl.constexpr, LAST: tl.constexpr):  # fmt: skip
    """Load features and coefficients of guesses, for the groups START to STOP."""
    entries = ()
    for p in tl.static_range(START, STOP):
        for f in tl.static_range(LAST if p == GROUPS - 1 else WIDTH):
            entries = entries + (tl.load(plan + (p * PER_GROUP + f) * table_words + guess),)
    return entries


@triton.jit
def words_of(row, plan, words, word, inside, COUNT: tl.constexpr):
    """Load the bits of 32 targets for each feature of a plan."""
    bits = ()
    for f in tl.static_range(COUNT):
        place = (plan[f] & 0xFFFF) * words + word
        bits = bits + (tl.load(row + place, mask=inside, other=0),)
    return bits


@triton.jit
def four_sums(bits, plan, k, START: tl.constexpr, COUNT: tl.constexpr):
    """Sums of one group for the targets k, 8 + k, 16 + k, 24 + k, one per byte, as they are below 256."""
    sums = bits[START] & 0
    for f in tl.static_range(START, START + COUNT):
        sums += ((bits[f] >> k) & 0x01010101) * (plan[f] >> 16)
    return sums


@triton.jit
def all_sums(bits, plan, k, START: tl.constexpr, STOP: tl.constexpr, GROUPS: tl.constexpr,
             WIDTH: tl.constexpr, LAST: tl.constexpr):  # fmt: skip
    """`four_sums` of the groups START to STOP."""
    sums = ()
    for p in tl.static_range(START, STOP):
        sums = sums + (four_sums(bits, plan, k, (p - START) * WIDTH, LAST if p == GROUPS - 1 else WIDTH),)
    return sums


@triton.jit
def code_of(sums, radix, b, COUNT: tl.constexpr, PERIOD: tl.constexpr):
    """The code of the target of byte b, reduced by `PairCodes.period`."""
    code = (sums[0] >> (8 * b)) & 255
    for p in tl.static_range(1, COUNT):
        code += ((sums[p] >> (8 * b)) & 255) * radix[p]
    if PERIOD:
        code = tl.where(code < PERIOD * (PERIOD - 1), code % PERIOD, code)
    return code


@triton.jit
def radix_of(radix, table_words, guess, COUNT: tl.constexpr):
    """Load the factor for the sum of each of the first groups."""
    factors = ()
    for p in tl.static_range(COUNT):
        factors = factors + (tl.load(radix + p * table_words + guess),)
    return factors


@triton.jit
def total(values, axis: tl.constexpr):
    """The sum along an axis; Triton 3.7 compiles `tl.sum` by a call that Python 3.15 refuses."""
    return tl.reduce(values, axis, tl.standard._sum_combine)


@triton.jit
def elect(row, plan, radix, words, n, w, live, votes, ids,
          START: tl.constexpr, STOP: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr,
          WIDTH: tl.constexpr, LAST: tl.constexpr, PERIOD: tl.constexpr):  # fmt: skip
    """Split the classes by the groups START to STOP: every target gets the number elected by its class."""
    COUNT: tl.constexpr = (STOP - START) * WIDTH + (LAST - WIDTH if STOP == GROUPS else 0)
    for reads in tl.static_range(2):
        for tile in range(0, words, BREADTH):
            word = tile + w
            inside = live & (word < words)
            bits = words_of(row, plan, words, word, inside, COUNT)
            for k in range(8):
                sums = all_sums(bits, plan, k, START, STOP, GROUPS, WIDTH, LAST)
                for b in tl.static_range(4):
                    number = (8 * b + k) * words + word
                    valid = inside & (number < n)
                    code = code_of(sums, radix, b, STOP - START, PERIOD)
                    place = code  # of a vote; later with the number elected so far
                    if START > 0:
                        place = tl.load(ids + number, mask=inside, other=0) * 256 + code
                    if reads:
                        tl.store(ids + number, tl.load(votes + place, mask=valid, other=-1), mask=valid)
                    else:
                        tl.store(votes + place, number, mask=valid)
        tl.debug_barrier()

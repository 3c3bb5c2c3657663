"""Triton kernels for sets of more than 256: classes counted in working memory that stays in the L2 cache.

A lane takes 32 targets, BREADTH lanes side by side take a guess, a program takes LANES // BREADTH guesses
of one set at a time; target t is bit t // words of word t % words. Pair codes are computed four at a time,
one to a byte. Triton has no scatter into shared memory; what is written here is read again by the same
program after a barrier, and by no other.
"""

import triton
import triton.language as tl

PER_GROUP = tl.constexpr(10)


@triton.jit
def plan_of(plan, table_words, guess, START: tl.constexpr, STOP: tl.constexpr, GROUPS: tl.constexpr,
            WIDTH: tl.constexpr, LAST: tl.constexpr):  # fmt: skip
    """Features and coefficients of guesses, of the groups START to STOP."""
    entries = ()
    for p in tl.static_range(START, STOP):
        for f in tl.static_range(LAST if p == GROUPS - 1 else WIDTH):
            entries = entries + (tl.load(plan + (p * PER_GROUP + f) * table_words + guess),)
    return entries


@triton.jit
def words_of(row, plan, words, word, inside, COUNT: tl.constexpr):
    """The bits that 32 targets have of each feature of a plan."""
    bits = ()
    for f in tl.static_range(COUNT):
        place = (plan[f] & 0xFFFF) * words + word
        bits = bits + (tl.load(row + place, mask=inside, other=0),)
    return bits


@triton.jit
def four_sums(bits, plan, k, START: tl.constexpr, COUNT: tl.constexpr):
    """Sums of one group for the targets k, 8 + k, 16 + k, 24 + k, a byte each, as they stay below 256."""
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
    """The code of the target of byte b, reduced as `PairCodes.period` says."""
    code = (sums[0] >> (8 * b)) & 255
    for p in tl.static_range(1, COUNT):
        code += ((sums[p] >> (8 * b)) & 255) * radix[p]
    if PERIOD:
        code = tl.where(code < PERIOD * (PERIOD - 1), code % PERIOD, code)
    return code


@triton.jit
def radix_of(radix, table_words, guess, COUNT: tl.constexpr):
    """Factor of the sum of each of the first groups."""
    factors = ()
    for p in tl.static_range(COUNT):
        factors = factors + (tl.load(radix + p * table_words + guess),)
    return factors


@triton.jit
def mark(table, row, plan, radix, words, n, w, live, BREADTH: tl.constexpr, GROUPS: tl.constexpr,
         WIDTH: tl.constexpr, LAST: tl.constexpr, PERIOD: tl.constexpr, SIZES: tl.constexpr):  # fmt: skip
    """Mark the code of every target, or count it."""
    for tile in range(0, words, BREADTH):
        word = tile + w
        bits = words_of(row, plan, words, word, live & (word < words), (GROUPS - 1) * WIDTH + LAST)
        for k in range(8):
            sums = all_sums(bits, plan, k, 0, GROUPS, GROUPS, WIDTH, LAST)
            for b in tl.static_range(4):
                place = table + code_of(sums, radix, b, GROUPS, PERIOD)
                valid = live & (word < words) & ((8 * b + k) * words + word < n)
                if SIZES:
                    tl.atomic_add(place, 1, mask=valid, sem="relaxed", scope="cta")
                else:
                    tl.store(place, (word & 0).to(tl.uint8) + 1, mask=valid)


@triton.jit
def scan(table, limit, worth, w, live, BREADTH: tl.constexpr, SIZES: tl.constexpr, LARGEST: tl.constexpr):
    """Value of the marks or counts, a part in each lane; they are cleared for the next guess."""
    value = tl.zeros_like(w).to(tl.int64)
    if LARGEST:
        value += 0x7FFFFFFFFFFFFFFF
    if SIZES:
        for c in range(0, tl.max(limit), BREADTH):
            here = live & (c + w < limit)
            count = tl.load(table + c + w, mask=here, other=0)
            tl.store(table + c + w, count & 0, mask=here)
            if LARGEST:
                worst = tl.load(worth + count, mask=count > 0, other=0x7FFFFFFFFFFFFFFF)
                value = tl.minimum(value, worst)
            else:
                value += tl.load(worth + count, mask=count > 0, other=0)
        return value
    # Four marks at once: each is 0 or 1, so the product's highest byte is their sum.
    four = table.to(tl.pointer_type(tl.int32))
    parts = tl.zeros_like(w)
    for c in range(0, (tl.max(limit) + 3) // 4, BREADTH):
        here = live & ((c + w) * 4 < limit)
        marks = tl.load(four + c + w, mask=here, other=0)
        tl.store(four + c + w, marks & 0, mask=here)
        parts += (marks * 0x01010101) >> 24
    return parts.to(tl.int64)


@triton.jit
def combined(value, LANES: tl.constexpr, BREADTH: tl.constexpr, LARGEST: tl.constexpr):
    """[LANES // BREADTH] what the lanes of each guess have found together."""
    lines = tl.reshape(value, [LANES // BREADTH, BREADTH])
    return tl.min(lines, 1) if LARGEST else tl.sum(lines, 1)


# One compilation for all numbers.
@triton.jit(do_not_specialize=["table_words", "features", "words", "columns", "blocks", "rows", "slots"])
def tables_kernel(
    plan_at, radix_at, ranges, table_words, features, bits, words, sizes, guesses, firsts, counts, out,
    columns, blocks, rows, worth, worth_at, tables, slots,
    LANES: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr, WIDTH: tl.constexpr,
    LAST: tl.constexpr, PERIOD: tl.constexpr, SIZES: tl.constexpr, LARGEST: tl.constexpr,
):  # fmt: skip
    """Twice the value of the partition of every set by every guess, by a table of the code range.

    `tables` holds `slots` entries for each guess that is worked on, all 0 before and after: bytes, or int32
    with SIZES. `rows` is the number of sets x `blocks`, each of LANES // BREADTH guesses.
    """
    lane = tl.arange(0, LANES)
    w = lane % BREADTH
    line = tl.program_id(0) * (LANES // BREADTH) + lane // BREADTH
    table = tables + line.to(tl.int64) * slots
    for item in range(tl.program_id(0), rows, tl.num_programs(0)):
        s = item // blocks
        place = (item % blocks) * (LANES // BREADTH)
        n, first, count = tl.load(sizes + s), tl.load(firsts + s), tl.load(counts + s)
        live = place + lane // BREADTH < count
        guess = tl.load(guesses + first + place + lane // BREADTH, mask=live, other=0)
        plan = plan_of(plan_at, table_words, guess, 0, GROUPS, GROUPS, WIDTH, LAST)
        radix = radix_of(radix_at, table_words, guess, GROUPS)
        row = bits + s.to(tl.int64) * features * words
        mark(table, row, plan, radix, words, n, w, live, BREADTH, GROUPS, WIDTH, LAST, PERIOD, SIZES)
        tl.debug_barrier()
        limit = tl.load(ranges + guess)
        value = scan(table, limit, worth + tl.load(worth_at + s), w, live, BREADTH, SIZES, LARGEST)
        tl.debug_barrier()
        column = place + tl.arange(0, LANES // BREADTH)
        here = out + s.to(tl.int64) * columns + column
        tl.store(here, 2 * combined(value, LANES, BREADTH, LARGEST), mask=column < count)

"""Triton kernels that value the partitions of candidate sets: by planes, tables, a histogram or elections.

Planes, for small sets: feedback as bit planes, 32 targets per number, one guess per lane. Two targets are in
one class when every plane has the same bit for both. So the class of a target is an AND over the planes, and
nothing is coded, stored or counted in memory.

Tables: classes counted in working memory that stays in the L2 cache. A lane takes 32 targets, BREADTH
neighbouring lanes take a guess, a program takes LANES // BREADTH guesses of one set at a time; target t is
bit t // words of word t % words. Pair codes are computed four at a time, one per byte. Triton cannot scatter
into shared memory; only the program that writes an entry reads it, after a barrier.

Histogram, for class sizes of large sets with narrow codes: in registers, one guess of one set per program.

Elections, if the code range is too wide for a table: each class elects one of its targets. Every target
writes its number at the place of its code, and the last one written is elected; every place is written before
it is read, so nothing is cleared. Codes too wide even for that are taken a piece at a time: the number
elected so far and the next piece make the next place.
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
    """Value of the marks or counts, a partial value per lane; they are cleared for the next guess."""
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
def total(values, axis: tl.constexpr):
    """The sum along an axis; Triton 3.7 compiles `tl.sum` by a call that Python 3.15 refuses."""
    return tl.reduce(values, axis, tl.standard._sum_combine)


@triton.jit
def combined(value, LANES: tl.constexpr, BREADTH: tl.constexpr, LARGEST: tl.constexpr):
    """[LANES // BREADTH]: the partial values of each guess's lanes, combined."""
    lines = tl.reshape(value, [LANES // BREADTH, BREADTH])
    return tl.min(lines, 1) if LARGEST else total(lines, 1)


# One compilation for all numbers.
@triton.jit(do_not_specialize=["table_words", "features", "words", "columns", "blocks", "rows", "slots"])
def tables_kernel(
    plan_at, radix_at, ranges, table_words, features, bits, words, sizes, guesses, firsts, counts, out,
    columns, blocks, rows, worth, worth_at, tables, slots,
    LANES: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr, WIDTH: tl.constexpr,
    LAST: tl.constexpr, PERIOD: tl.constexpr, SIZES: tl.constexpr, LARGEST: tl.constexpr,
):  # fmt: skip
    """Twice the value of the partition of every set by every guess, by a table of the code range.

    `tables` has `slots` entries for each guess in progress, all 0 before and after: bytes, or int32
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


@triton.jit
def tile_codes(bits, plan, radix, words, n, word, BINS: tl.constexpr, LANES: tl.constexpr,
               GROUPS: tl.constexpr, WIDTH: tl.constexpr, LAST: tl.constexpr,
               PERIOD: tl.constexpr):  # fmt: skip
    """[32 * LANES] int32 in any order: codes of the targets of a tile, BINS - 1 if there is no target."""
    quarters = ()
    for k in tl.static_range(8):
        sums = all_sums(bits, plan, k, 0, GROUPS, GROUPS, WIDTH, LAST)
        codes = ()
        for b in tl.static_range(4):
            valid = (word < words) & ((8 * b + k) * words + word < n)
            codes = codes + (tl.where(valid, code_of(sums, radix, b, GROUPS, PERIOD), BINS - 1),)
        quarters = quarters + (tl.join(tl.join(codes[0], codes[1]), tl.join(codes[2], codes[3])),)
    low = tl.join(tl.join(quarters[0], quarters[1]), tl.join(quarters[2], quarters[3]))
    high = tl.join(tl.join(quarters[4], quarters[5]), tl.join(quarters[6], quarters[7]))
    return tl.reshape(tl.join(low, high), [32 * LANES], can_reorder=True)


# One compilation for all numbers.
@triton.jit(do_not_specialize=["table_words", "features", "words", "columns"])
def histogram_kernel(
    plan_at, radix_at, ranges, table_words, features, bits, words, sizes, guesses, firsts, counts, out,
    columns, worth, worth_at, LANES: tl.constexpr, BINS: tl.constexpr, GROUPS: tl.constexpr,
    WIDTH: tl.constexpr, LAST: tl.constexpr, PERIOD: tl.constexpr, LARGEST: tl.constexpr,
):  # fmt: skip
    """Twice the value of the partition of every set by every guess; no code is BINS - 1 or more."""
    s, place = tl.program_id(0) // columns, tl.program_id(0) % columns
    if place < tl.load(counts + s):
        n, guess = tl.load(sizes + s), tl.load(guesses + tl.load(firsts + s) + place)
        plan = plan_of(plan_at, table_words, guess, 0, GROUPS, GROUPS, WIDTH, LAST)
        radix = radix_of(radix_at, table_words, guess, GROUPS)
        row = bits + s.to(tl.int64) * features * words
        lane = tl.arange(0, LANES)
        size = tl.zeros([BINS], tl.int32)
        for tile in range(0, words, LANES):
            word = tile + lane
            held = words_of(row, plan, words, word, word < words, (GROUPS - 1) * WIDTH + LAST)
            size += tl.histogram(
                tile_codes(held, plan, radix, words, n, word, BINS, LANES, GROUPS, WIDTH, LAST, PERIOD), BINS
            )
        worth += tl.load(worth_at + s)
        known = (size > 0) & (tl.arange(0, BINS) < tl.load(ranges + guess))
        if LARGEST:
            value = tl.min(tl.load(worth + size, mask=known, other=0x7FFFFFFFFFFFFFFF))
        else:
            value = total(tl.load(worth + size, mask=known, other=0), 0)
        tl.store(out + s.to(tl.int64) * columns + place, 2 * value)


@triton.jit
def place_of(code, ids, number, inside, FOLLOWS: tl.constexpr):
    """The place of a target's vote: its code, or its elected number so far with the next byte of its code."""
    if FOLLOWS:
        return tl.load(ids + number, mask=inside, other=0) * 256 + code
    return code


@triton.jit
def elect(row, plan, radix, words, n, w, live, votes, ids, worth,
          START: tl.constexpr, STOP: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr,
          WIDTH: tl.constexpr, LAST: tl.constexpr, PERIOD: tl.constexpr,
          SIZES: tl.constexpr, LARGEST: tl.constexpr, ENDS: tl.constexpr):  # fmt: skip
    """Split the classes by the groups START to STOP; return their value, a partial value per lane.

    Unless it ENDS here, the elected numbers are stored in `ids`, and there is no value yet.
    """
    # One function: Triton inlines every part anyway, and each would take most of these arguments.
    COUNT: tl.constexpr = (STOP - START) * WIDTH + (LAST - WIDTH if STOP == GROUPS else 0)
    counts = ids + 32 * words
    for tile in range(0, words, BREADTH):
        word = tile + w
        inside = live & (word < words)
        bits = words_of(row, plan, words, word, inside, COUNT)
        for k in range(8):
            sums = all_sums(bits, plan, k, START, STOP, GROUPS, WIDTH, LAST)
            for b in tl.static_range(4):
                number = (8 * b + k) * words + word
                code = code_of(sums, radix, b, STOP - START, PERIOD)
                place = place_of(code, ids, number, inside, START > 0)
                tl.store(votes + place, number, mask=inside & (number < n))
                if ENDS and SIZES:
                    tl.store(counts + number, word & 0, mask=inside)
    tl.debug_barrier()
    parts = tl.zeros_like(w)
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
                place = place_of(code, ids, number, inside, START > 0)
                elected = tl.load(votes + place, mask=valid, other=-1)
                if not ENDS:
                    tl.store(ids + number, elected, mask=valid)
                elif SIZES:
                    tl.atomic_add(counts + elected, 1, mask=valid, sem="relaxed", scope="cta")
                else:
                    parts += (elected == number).to(tl.int32)
    tl.debug_barrier()
    value = parts.to(tl.int64)
    if LARGEST:
        value += 0x7FFFFFFFFFFFFFFF
    if ENDS and SIZES:
        for c in range(0, 32 * words, BREADTH):
            here = live & (c + w < 32 * words)
            size = tl.load(counts + c + w, mask=here, other=0)
            if LARGEST:
                worst = tl.load(worth + size, mask=size > 0, other=0x7FFFFFFFFFFFFFFF)
                value = tl.minimum(value, worst)
            else:
                value += tl.load(worth + size, mask=size > 0, other=0)
        tl.debug_barrier()
    return value


# One compilation for all numbers.
@triton.jit(do_not_specialize=["table_words", "features", "words", "columns", "blocks", "rows", "slots"])
def elections_kernel(
    plan_at, radix_at, table_words, features, bits, words, sizes, guesses, firsts, counts, out, columns,
    blocks, rows, worth, worth_at, votes, slots,
    LANES: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr, WIDTH: tl.constexpr,
    LAST: tl.constexpr, PERIOD: tl.constexpr, FIRST: tl.constexpr, SIZES: tl.constexpr, LARGEST: tl.constexpr,
):  # fmt: skip
    """Twice the value of the partition of every set by every guess, by elections.

    `votes` has `slots` int32 for each guess in progress: places for the votes, then 32 x words
    elected numbers and 32 x words class sizes. The codes of the first FIRST groups make one place, the others
    follow one by one.
    """
    lane = tl.arange(0, LANES)
    w = lane % BREADTH
    line = tl.program_id(0) * (LANES // BREADTH) + lane // BREADTH
    own_votes = votes + line.to(tl.int64) * slots
    ids = own_votes + (slots - 64 * words)
    for item in range(tl.program_id(0), rows, tl.num_programs(0)):
        s = item // blocks
        start = (item % blocks) * (LANES // BREADTH)
        n, first, count = tl.load(sizes + s), tl.load(firsts + s), tl.load(counts + s)
        live = start + lane // BREADTH < count
        guess = tl.load(guesses + first + start + lane // BREADTH, mask=live, other=0)
        row = bits + s.to(tl.int64) * features * words
        own_worth = worth + tl.load(worth_at + s)
        plan = plan_of(plan_at, table_words, guess, 0, FIRST, GROUPS, WIDTH, LAST)
        radix = radix_of(radix_at, table_words, guess, FIRST)
        value = elect(row, plan, radix, words, n, w, live, own_votes, ids, own_worth,
                      0, FIRST, BREADTH, GROUPS, WIDTH, LAST, PERIOD, SIZES, LARGEST,
                      FIRST == GROUPS)  # fmt: skip
        for p in tl.static_range(FIRST, GROUPS):
            piece = plan_of(plan_at, table_words, guess, p, p + 1, GROUPS, WIDTH, LAST)
            value = elect(row, piece, radix, words, n, w, live, own_votes, ids, own_worth,
                          p, p + 1, BREADTH, GROUPS, WIDTH, LAST, PERIOD, SIZES, LARGEST,
                          p + 1 == GROUPS)  # fmt: skip
        column = start + tl.arange(0, LANES // BREADTH)
        here = out + s.to(tl.int64) * columns + column
        tl.store(here, 2 * combined(value, LANES, BREADTH, LARGEST), mask=column < count)

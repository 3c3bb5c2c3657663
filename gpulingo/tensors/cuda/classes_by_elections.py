"""Triton kernel for sets whose code range is too wide for a table: each class elects one of its targets.

Every target writes its number where its code points, and whichever stays is the one of the class; what was
there before is overwritten before it is read, so nothing is cleared. Codes too wide even for that are taken
a piece at a time: the elected number so far and the next piece make the next place.
"""

import triton
import triton.language as tl

from gpulingo.tensors.cuda.classes_by_tables import all_sums, code_of, combined, plan_of, radix_of, words_of


@triton.jit
def place_of(code, ids, number, inside, FOLLOWS: tl.constexpr):
    """The place of a target's vote: its code, or its elected number so far and the next byte of its code."""
    if FOLLOWS:
        return tl.load(ids + number, mask=inside, other=0) * 256 + code
    return code


@triton.jit
def elect(row, plan, radix, words, n, w, live, votes, ids, worth,
          START: tl.constexpr, STOP: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr,
          WIDTH: tl.constexpr, LAST: tl.constexpr, PERIOD: tl.constexpr,
          SIZES: tl.constexpr, LARGEST: tl.constexpr, ENDS: tl.constexpr):  # fmt: skip
    """Split the classes by the groups START to STOP; return their value, a part in each lane.

    Unless it ENDS here, what was elected is kept in `ids`, and no value is written yet.
    """
    # In one piece: Triton inlines every part anyway, and each would be handed most of these arguments.
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

    `votes` holds for each guess that is worked on `slots` int32: places for the votes, then 32 x words
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

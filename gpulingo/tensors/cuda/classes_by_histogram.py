"""Triton kernel for class sizes of sets of more than 256 where codes are narrow: a histogram in registers.

Lanes and bits are as in `classes_by_tables`; a program takes one guess of one set.
"""

import triton
import triton.language as tl

from gpulingo.tensors.cuda.classes_by_tables import all_sums, code_of, plan_of, radix_of, words_of


@triton.jit
def tile_codes(bits, plan, radix, words, n, word, BINS: tl.constexpr, LANES: tl.constexpr,
               GROUPS: tl.constexpr, WIDTH: tl.constexpr, LAST: tl.constexpr,
               PERIOD: tl.constexpr):  # fmt: skip
    """[32 * LANES] int32 in no order, the codes of the targets of a tile; the last bin for no target."""
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
            value = tl.sum(tl.load(worth + size, mask=known, other=0))
        tl.store(out + s.to(tl.int64) * columns + place, 2 * value)

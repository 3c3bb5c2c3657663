"""Triton kernels for sums of capped classes: one program a guess, which takes the sets one after the other.

A program is one warp, so that small sets leave few lanes idle and nothing waits for other warps.
"""

import triton
import triton.language as tl


@triton.jit
def offer(best, s, total):
    """Raise the best of a set to a sum; most are no higher than what is read, which may only be too low."""
    tl.atomic_max(best + s, total, mask=total > tl.load(best + s), sem="relaxed")


# One compilation for all numbers.
@triton.jit(do_not_specialize=["first", "words", "wide", "sets"])
def bins_kernel(
    classes, caps, words, wide, members, offsets, sets, most, best, first,
    BINS: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    """The sums of the guesses from `first` on, of up to BINS classes: sizes are counted as a histogram."""
    guess = first + tl.program_id(0)
    row = classes + guess.to(tl.int64) * words
    kind, lane = tl.arange(0, BINS), tl.arange(0, LANES)
    cap = tl.load(caps + guess.to(tl.int64) * wide + kind, mask=kind < wide, other=0).to(tl.int64)
    for s in range(sets):
        start, end = tl.load(offsets + s), tl.load(offsets + s + 1)
        sizes = tl.zeros([BINS], tl.int32)
        own = tl.zeros([LANES], tl.int32)
        for t in range(start, end, LANES):
            here = t + lane < end
            member = tl.load(members + t + lane, mask=here, other=-1)
            sizes += tl.histogram(tl.load(row + member, mask=here, other=0).to(tl.int32), BINS, mask=here)
            own += (member == guess).to(tl.int32)
        worth = tl.minimum(tl.minimum(sizes.to(tl.int64) + 1, cap), tl.load(most + s))
        offer(best, s, tl.sum(tl.where(sizes > 0, worth, 0)) + tl.sum(own))


# One compilation for all numbers.
@triton.jit(do_not_specialize=["first", "words", "wide", "sets", "guesses"])
def counters_kernel(
    classes, caps, words, wide, members, offsets, sets, most, best, first, guesses, tables,
    LANES: tl.constexpr,
):  # fmt: skip
    """The sums of `guesses` guesses from `first` on, of any number of classes.

    `tables` holds `wide` int32 for each program, 0 before and after. The first word of a class counts two,
    each further one more for which there is room.
    """
    lane = tl.arange(0, LANES)
    table = tables + tl.program_id(0).to(tl.int64) * wide
    for place in range(tl.program_id(0), guesses, tl.num_programs(0)):
        guess = first + place
        row = classes + guess.to(tl.int64) * words
        limits = caps + guess.to(tl.int64) * wide
        for s in range(sets):
            start, end = tl.load(offsets + s), tl.load(offsets + s + 1)
            room = tl.load(most + s)
            gains = tl.zeros([LANES], tl.int64)
            for t in range(start, end, LANES):
                here = t + lane < end
                member = tl.load(members + t + lane, mask=here, other=-1)
                kind = tl.load(row + member, mask=here, other=0).to(tl.int32)
                before = tl.atomic_add(table + kind, 1, mask=here, sem="relaxed", scope="cta")
                cap = tl.minimum(tl.load(limits + kind, mask=here, other=0).to(tl.int64), room)
                gain = tl.where(before == 0, tl.minimum(cap, 2), (before + 2 <= cap).to(tl.int64))
                gains += tl.where(here, gain + (member == guess).to(tl.int64), 0)
            tl.debug_barrier()
            for t in range(start, end, LANES):
                here = t + lane < end
                member = tl.load(members + t + lane, mask=here, other=-1)
                kind = tl.load(row + member, mask=here, other=0).to(tl.int32)
                tl.store(table + kind, kind & 0, mask=here)
            tl.debug_barrier()
            offer(best, s, tl.sum(gains))

"""Triton kernels for the classes of a list that is cut into sets: a label for each target, then their parts.

Labels come by elections: a class is labelled with the number of the target that it elects. Parts are counted
by one warp a guess, which takes the sets one after the other.
"""

import triton
import triton.language as tl

from gpulingo.tensors.cuda.classes_by_elections import elect
from gpulingo.tensors.cuda.classes_by_tables import plan_of, radix_of


# One compilation for all numbers.
@triton.jit(do_not_specialize=["table_words", "words", "n", "count", "slots"])
def labels_kernel(
    plan_at, radix_at, table_words, bits, words, n, guesses, count, labels, votes, slots,
    LANES: tl.constexpr, BREADTH: tl.constexpr, GROUPS: tl.constexpr, WIDTH: tl.constexpr,
    LAST: tl.constexpr, PERIOD: tl.constexpr, FIRST: tl.constexpr,
):  # fmt: skip
    """[count, 32 * words] int32, the label of the class that each guess puts each of n targets in.

    `votes` holds for each guess that is worked on `slots` int32. The codes of the first FIRST groups make one
    place, the others follow one by one.
    """
    lane = tl.arange(0, LANES)
    w = lane % BREADTH
    line = tl.program_id(0) * (LANES // BREADTH) + lane // BREADTH
    own_votes = votes + line.to(tl.int64) * slots
    STEP = LANES // BREADTH
    for start in range(tl.program_id(0) * STEP, count, tl.num_programs(0) * STEP):
        place = start + lane // BREADTH
        live = place < count
        guess = tl.load(guesses + place, mask=live, other=0)
        own = labels + place * 32 * words
        plan = plan_of(plan_at, table_words, guess, 0, FIRST, GROUPS, WIDTH, LAST)
        radix = radix_of(radix_at, table_words, guess, FIRST)
        elect(bits, plan, radix, words, n, w, live, own_votes, own, labels,
              0, FIRST, BREADTH, GROUPS, WIDTH, LAST, PERIOD, False, False, False)  # fmt: skip
        for p in tl.static_range(FIRST, GROUPS):
            piece = plan_of(plan_at, table_words, guess, p, p + 1, GROUPS, WIDTH, LAST)
            elect(bits, piece, radix, words, n, w, live, own_votes, own, labels,
                  p, p + 1, BREADTH, GROUPS, WIDTH, LAST, PERIOD, False, False, False)  # fmt: skip


# One compilation for all numbers.
@triton.jit(do_not_specialize=["columns", "count", "sets"])
def parts_kernel(
    labels, columns, guesses, count, members, offsets, sets, steps, sizes, worth, before,
    LANES: tl.constexpr,
):  # fmt: skip
    """Sizes and values of classes, [count, columns] by label, of all members but the guess itself.

    `sizes` and `worth` are 0 before. `before` holds `columns` int32 for each program, 0 before and after: the
    sizes that classes had when the set at hand began. A word is the next of the part that it is in; which one
    it is makes no difference to the sum.
    """
    lane = tl.arange(0, LANES)
    began = before + tl.program_id(0).to(tl.int64) * columns
    for place in range(tl.program_id(0), count, tl.num_programs(0)):
        guess = tl.load(guesses + place)
        row, own_sizes, own_worth = labels + place * columns, sizes + place * columns, worth + place * columns
        for s in range(sets):
            start, end = tl.load(offsets + s), tl.load(offsets + s + 1)
            for t in range(start, end, LANES):
                here = t + lane < end
                here = here & (tl.load(members + t + lane, mask=here, other=0) != guess)
                label = tl.load(row + t + lane, mask=here, other=0)
                size = tl.atomic_add(own_sizes + label, 1, mask=here, sem="relaxed", scope="cta")
                part = size - tl.load(began + label, mask=here, other=0)
                step = tl.load(steps + start + part, mask=here, other=0)
                tl.atomic_add(own_worth + label, step, mask=here, sem="relaxed", scope="cta")
            tl.debug_barrier()
            for t in range(start, end, LANES):
                here = t + lane < end
                label = tl.load(row + t + lane, mask=here, other=0)
                tl.store(began + label, tl.load(own_sizes + label, mask=here, other=0), mask=here)
            tl.debug_barrier()
        for label in range(0, columns, LANES):
            tl.store(began + label + lane, lane & 0, mask=label + lane < columns)
        tl.debug_barrier()

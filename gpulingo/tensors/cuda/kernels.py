"""Triton kernels; larger sets of candidates are counted by `classes.cu`.

Planes: feedback of sets as bit planes, 32 targets per number, one guess per lane. Two targets are in one
class when every plane has the same bit for both. So the class of a target is an AND over the planes, and
nothing is coded, stored or counted in memory. Marks: one pair of guess and target, or one round, per lane,
its letters in registers. Capped classes: one program per guess, which takes the sets in turn; it is one warp,
so that small sets leave few lanes idle and no warp waits for another. Parts: one warp per guess counts the
words of each class, set after set.
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


@triton.jit
def letters_of(letters, word, here, LENGTH: tl.constexpr):
    """Load the letters of one word per lane."""
    row = ()
    for i in tl.static_range(LENGTH):
        row = row + (tl.load(letters + word.to(tl.int64) * LENGTH + i, mask=here, other=0),)
    return row


@triton.jit
def mark_at(i: tl.constexpr, guess, target, LENGTH: tl.constexpr):
    """The mark of letter i of a guess, from the letters of guess and target in each lane."""
    # Unplaced copies of the letter in the target, less those that earlier letters have used.
    spare = tl.zeros_like(guess[0]).to(tl.int32)
    for j in tl.static_range(LENGTH):
        spare += ((target[j] == guess[i]) & (target[j] != guess[j])).to(tl.int32)
    for j in tl.static_range(i):
        spare -= ((guess[j] == guess[i]) & (target[j] != guess[j])).to(tl.int32)
    return tl.where(guess[i] == target[i], 2, (spare > 0).to(tl.int32))


# One compilation for all numbers.
@triton.jit(do_not_specialize=["columns", "count"])
def marks_kernel(guess_letters, target_letters, guesses, targets, columns, count, out, EVERY: tl.constexpr,
                 LENGTH: tl.constexpr, LANES: tl.constexpr):  # fmt: skip
    """Patterns of `count` pairs: guesses with targets at the same places, or EVERY guess with all targets.

    With EVERY, `columns` is the number of targets, and `guesses` and `targets` are not read.
    """
    place = tl.program_id(0) * LANES + tl.arange(0, LANES)
    here = place < count
    if EVERY:
        guess_at, target_at = place // columns, place % columns
    else:
        guess_at = tl.load(guesses + place, mask=here, other=0)
        target_at = tl.load(targets + place, mask=here, other=0)
    guess = letters_of(guess_letters, guess_at, here, LENGTH)
    target = letters_of(target_letters, target_at, here, LENGTH)
    code = tl.zeros([LANES], out.dtype.element_ty)
    for i in tl.static_range(LENGTH):
        code = code * 3 + mark_at(i, guess, target, LENGTH)
    tl.store(out + place, code, mask=here)


# One compilation for all numbers.
@triton.jit(do_not_specialize=["words", "count"])
def play_kernel(letters, words, count, targets, guesses, past, shown, turn, turns_left, done, paid, invalid,
                payoff, out, TURNS: tl.constexpr, LENGTH: tl.constexpr, LANES: tl.constexpr):  # fmt: skip
    """Make the next guess of `count` rounds, one per lane; `done` and `invalid` are bytes."""
    b = tl.program_id(0) * LANES + tl.arange(0, LANES)
    here = b < count
    guess = tl.load(guesses + b, mask=here, other=-1)
    target = tl.load(targets + b, mask=here, other=0)
    place = tl.load(turn + b, mask=here, other=0)
    left = tl.load(turns_left + b, mask=here, other=0)
    going = here & (tl.load(done + b, mask=here, other=1) == 0)
    valid = going & (guess >= 0) & (guess < words)
    guess_letters = letters_of(letters, tl.where(valid, guess, 0), here, LENGTH)
    target_letters = letters_of(letters, target, here, LENGTH)
    row = b.to(tl.int64) * TURNS + place
    for i in tl.static_range(LENGTH):
        mark = tl.where(valid, mark_at(i, guess_letters, target_letters, LENGTH), 0).to(tl.uint8)
        tl.store(out + b.to(tl.int64) * LENGTH + i, mark, mask=here)
        tl.store(shown + row * LENGTH + i, mark, mask=going)
    found = valid & (guess == target)
    ended = going & (found | (left == 1))
    tl.store(past + row, tl.where(valid, guess, -1), mask=going)
    tl.store(invalid + b, tl.where(valid, 0, 1).to(tl.uint8), mask=here)
    tl.store(paid + b, tl.load(payoff + tl.where(found, left, 0), mask=ended, other=0), mask=ended)
    tl.store(done + b, tl.where(ended, 1, 0).to(tl.uint8), mask=going)
    tl.store(turn + b, place + 1, mask=going)
    tl.store(turns_left + b, left - 1, mask=going)


@triton.jit
def total(values, axis: tl.constexpr):
    """The sum along an axis; Triton 3.7 compiles `tl.sum` by a call that Python 3.15 refuses."""
    return tl.reduce(values, axis, tl.standard._sum_combine)


@triton.jit
def offer(best, s, total):
    """Raise the best of a set to a sum; the load avoids most atomics, and can only be too low."""
    tl.atomic_max(best + s, total, mask=total > tl.load(best + s), sem="relaxed")


# One compilation for all numbers.
@triton.jit(do_not_specialize=["first", "words", "wide", "sets", "guesses"])
def counters_kernel(
    classes, caps, words, wide, members, offsets, sets, most, best, first, guesses, tables,
    LANES: tl.constexpr,
):  # fmt: skip
    """Write sums of `guesses` guesses from `first` on.

    `tables` has `wide` int32 per program, 0 before and after. The first word of a class counts two, each
    further word one, up to the cap.
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
            offer(best, s, total(gains, 0))


# One compilation for all numbers.
@triton.jit(do_not_specialize=["n", "columns", "count", "sets"])
def parts_kernel(
    labels, n, columns, guesses, count, members, offsets, sets, steps, sizes, worth, before,
    LANES: tl.constexpr,
):  # fmt: skip
    """Sizes and values of classes, [count, columns] by [count, n] label, of members except the guess itself.

    `sizes` and `worth` are 0 before. `before` has `columns` int32 per program, 0 before and after: the sizes
    of classes at the start of the current set. Each word counts as the next of its part; their order does not
    change the sum.
    """
    lane = tl.arange(0, LANES)
    began = before + tl.program_id(0).to(tl.int64) * columns
    for place in range(tl.program_id(0), count, tl.num_programs(0)):
        guess = tl.load(guesses + place)
        row, own_sizes, own_worth = labels + place * n, sizes + place * columns, worth + place * columns
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

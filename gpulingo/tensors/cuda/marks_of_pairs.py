"""Triton kernel for patterns of marks: one pair of guess and target a lane, its letters in registers."""

import triton
import triton.language as tl


@triton.jit
def letters_of(letters, word, here, LENGTH: tl.constexpr):
    """The letters of one word a lane."""
    row = ()
    for i in tl.static_range(LENGTH):
        row = row + (tl.load(letters + word.to(tl.int64) * LENGTH + i, mask=here, other=0),)
    return row


# One compilation for all numbers.
@triton.jit(do_not_specialize=["columns", "count"])
def marks_kernel(guess_letters, target_letters, guesses, targets, columns, count, out, EVERY: tl.constexpr,
                 LENGTH: tl.constexpr, LANES: tl.constexpr):  # fmt: skip
    """Patterns of `count` pairs: of guesses and the targets at the same places, or of EVERY guess and target.

    Then `columns` is the number of targets, and `guesses` and `targets` are not read.
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
        # Copies of the letter in the target that are not placed, less those that earlier letters have used.
        spare = tl.zeros([LANES], tl.int32)
        for j in tl.static_range(LENGTH):
            spare += ((target[j] == guess[i]) & (target[j] != guess[j])).to(tl.int32)
        for j in tl.static_range(i):
            spare -= ((guess[j] == guess[i]) & (target[j] != guess[j])).to(tl.int32)
        placed = guess[i] == target[i]
        code = code * 3 + tl.where(placed, 2, (spare > 0).to(tl.int32))
    tl.store(out + place, code, mask=here)

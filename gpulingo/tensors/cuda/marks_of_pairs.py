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
@triton.jit(do_not_specialize=["count"])
def marks_kernel(letters, guesses, targets, count, out, LENGTH: tl.constexpr, LANES: tl.constexpr):
    """Patterns of `count` guesses against the targets at the same places, as `feedback.patterns`."""
    place = tl.program_id(0) * LANES + tl.arange(0, LANES)
    here = place < count
    guess = letters_of(letters, tl.load(guesses + place, mask=here, other=0), here, LENGTH)
    target = letters_of(letters, tl.load(targets + place, mask=here, other=0), here, LENGTH)
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

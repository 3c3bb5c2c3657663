"""Triton kernel for ceilings: how many classes each guess makes of each set at most."""

import triton
import triton.language as tl


# One compilation for all numbers.
@triton.jit(do_not_specialize=["words", "pool_words", "blocks"])
def limits_kernel(ceilings, words, rows, offsets, sizes, pool, pool_words, out, blocks, LANES: tl.constexpr):
    """[S, P] int32: of every word of the pool the least of the rows of ceilings of each set, or its size."""
    s = tl.program_id(0) // blocks
    place = (tl.program_id(0) % blocks) * LANES + tl.arange(0, LANES)
    here = place < pool_words
    guess = tl.load(pool + place, mask=here, other=0)
    least = tl.zeros([LANES], tl.int32) + tl.load(sizes + s)
    for k in range(tl.load(offsets + s), tl.load(offsets + s + 1)):
        row = ceilings + tl.load(rows + k) * words
        least = tl.minimum(least, tl.load(row + guess, mask=here, other=0))
    tl.store(out + s.to(tl.int64) * pool_words + place, least, mask=here)

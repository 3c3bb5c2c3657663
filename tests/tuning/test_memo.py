"""Remembered sets: how many there are at most, and that it changes nothing but the time."""

from gpulingo.tuning.tuner import ENTRY_BYTES, Memo, Tuner


def test_what_is_remembered_is_forgotten_when_it_is_too_much(words22):
    tuned = Tuner(words22, 4).begun().best
    memo = Memo(22, 2 * ENTRY_BYTES)
    for row in range(3):
        memo.guesses(tuned, 3)[row, row] = row
    assert len(memo.guesses(tuned, 3)) == 0


def test_a_tuning_is_the_same_with_little_memory(words22):
    much, little = (Tuner(words22, 4, memory=memory) for memory in (1 << 30, 0))
    one, other = much.begun(), little.begun()
    for _ in range(8):
        one, other = much.after(one), little.after(other)
    assert one.best == other.best

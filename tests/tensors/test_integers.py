"""The integer types that numbers are kept in."""

import pytest
import torch

from gpulingo.tensors.checks import code_dtype, narrowest


@pytest.mark.parametrize(
    ("most", "kind"),
    [(0, torch.uint8), (255, torch.uint8), (256, torch.int16), (32767, torch.int16), (32768, torch.int32),
     (1 << 40, torch.int32)],
)  # fmt: skip
def test_the_narrowest_type_that_holds_a_number_is_the_first_of_them(most, kind):
    assert narrowest(most, torch.uint8, torch.int16, torch.int32) == kind


def test_patterns_take_32_bits_up_to_19_letters_and_64_up_to_39():
    assert [code_dtype(length) for length in (19, 20, 39)] == [torch.int32, torch.int64, torch.int64]
    with pytest.raises(ValueError, match=r"^words of 40 letters, expected at most 39"):
        code_dtype(40)

"""What these tests share: kernels that are there, so that no player tells that it compiles them."""

import pytest

from gpulingo.positions.precompile import LENGTHS, compile_ahead


@pytest.fixture(scope="session", autouse=True)
def kernels_that_are_there() -> None:
    """Those that a player searches with; compiled by the first run of the tests."""
    compile_ahead(*LENGTHS)

"""The device that a command works on, and one line for what it does on the CPU although that is a GPU."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from gpulingo.cli.errors import tell, wrong_usage

if TYPE_CHECKING:
    import torch

# By what is done: its part on the CPU, and its part on the GPU, as the table in docs/howto/gpu.md has them.
PARTS = {
    "hangman": ("hangman's words and letters are searched", "patterns of letters are made"),
    "openings": ("openings are bounded", "they are rolled out"),
    "prove": ("values of sets are searched", "classes are counted"),
    "review": ("every guess is searched", "guesses are ranked"),
    "solve": ("every guess and values of sets are searched", "openings are rolled out"),
    "weights": ("sets of words with weights are ranked", "sets are split"),
}


def device_for(name: str, work: str | None) -> torch.device:
    """The device of a name; what of the work the CPU does is said where that is a GPU.

    Args:
        name: as `find_device` takes it. work: one of PARTS; None: all of it runs there.
    Raises:
        WrongUsage: there is no such device.
    """
    from gpulingo.tensors.device import find_device, is_gpu

    with wrong_usage("--device"):
        place = find_device(name)
    named = f"{place.type}:{place.index or 0}"
    if is_gpu(place) and find_spec("triton") is None:
        tell(f"Triton is not installed, so {named} works in plain torch: install it, or use --device cpu")
    if work is not None and is_gpu(place):
        here, there = PARTS[work]
        tell(f"{here} on the CPU; {there} on {named}")
    return place

"""CPU seconds of trials of `gpulingo tune`, one by one and together: python benchmarks/tuning.py LENGTH.

Both ways run the same 15 trials after the starting values, on the list of the current folder, on one thread.
"""

import sys
import time
from dataclasses import replace

import torch

from gpulingo.tuning.tuner import TunedList, Tuner
from gpulingo.words.listing import find

COUNT = 15  # from the last trial drawn from the openings to the next fit


def main(length: int) -> None:
    torch.set_num_threads(1)
    words = find(length).of_length(length)
    tuner = Tuner(TunedList(words, words.fingerprint))
    tuner.together = COUNT
    begun = tuner.begun()
    work = replace(begun, trials=begun.trials * 10)
    for name, most in (("one by one", 1), ("together", COUNT)):
        started, ahead = time.process_time(), work
        while len(ahead.trials) < 10 + COUNT:
            ahead = tuner.after(ahead, most=most)
        print(f"{length} letters, {name}: {time.process_time() - started:.2f} CPU s")


if __name__ == "__main__":
    main(int(sys.argv[1]))

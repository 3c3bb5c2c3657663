"""The best guesses of a position, and the values of the guesses of a round.

`rounds` is the Python interface: `suggest` and `review` of a round. Below it are two searches:

- `outlooks`: the best guesses after a history, within a time limit. Against chance (`PositionSearch`) and
  hosts (`HostSearch`).
- `round_values`: the value of every position of finished rounds, by a fixed rule without a clock.

Both use `rollout`: the position after a history, and rollouts of its guesses. `lines` searches first guesses
of whole lists against hosts, `boards` the guesses of several boards, `book` the openings of a book.
"""

"""The best guesses of a position, and the value of what was guessed.

`rounds` is the door for Python: `suggest` and `review` of a round. Below it stand two searches:

- `outlooks`: the best guesses after a history, by the clock. Against chance (`PositionSearch`) and hosts
  (`HostSearch`).
- `round_values`: the value of every position of finished rounds, by a fixed rule, whatever the clock says.

Both begin with `rollout`: the position after a history, and its guesses followed by a strategy. First guesses
of whole lists against hosts are in `lines`; hangman is solved in `most_found` (the word drawn by lot) and in
`adversary` (no word in mind). `precompile` compiles the kernels of all that before they are needed.
"""

"""Most classes: which of equally good guesses to take, and what a candidate may count more.

    python examples/tie_rules.py

On the command line `gpulingo simulate --length 5 --game wordle --strategy tie_rules:list_order` plays the
first, where Python finds this file (PYTHONPATH=examples).
"""

import torch

import gpulingo


def ranked(position: gpulingo.Position, bonus: int = 0, width: int = 1) -> torch.Tensor:
    """The guesses of most classes; of several the first of the list, of one or two words left the first."""
    sizes, sets = torch.arange(position.largest + 1), position.frontier
    objective = gpulingo.Objective(sizes.clamp(max=1), bonus)
    best = gpulingo.rank(position.table, sets, position.pool, objective, width)
    behind = torch.where(best.ranks == best.ranks[:, :1], best.guesses, position.table.words)
    return torch.where(sets.sizes < 3, sets.firsts, behind.amin(dim=1))


def list_order(position: gpulingo.Position) -> torch.Tensor:
    """Of equally many classes the first word of the list, be it a candidate or not."""
    return ranked(position, width=64)


def candidate(position: gpulingo.Position) -> torch.Tensor:
    """Of equally many classes a candidate, as `parts`."""
    return ranked(position)


def one_class_more(position: gpulingo.Position) -> torch.Tensor:
    """A candidate counts one class more, which is what it brings with two turns left."""
    return ranked(position, bonus=1)


def main() -> None:
    """Compare them on every 14th small word of the embedded list."""
    words = gpulingo.embedded().of_length(5)
    small = words.with_targets(gpulingo.words_up_to(35, 5)[::14])
    for rule in (list_order, candidate, one_class_more):
        played = gpulingo.simulate(small, rule, gpulingo.find_game("wordle"))
        print(f"{rule.__name__:14} {played.tree.total_guesses} total guesses, {played.lost} lost")


if __name__ == "__main__":
    main()

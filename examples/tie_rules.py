"""Most classes: three rules for ties.

PYTHONPATH=examples gpulingo simulate --length 5 --game wordle --strategy tie_rules:list_order
"""

import torch

import gpulingo


def ranked(position: gpulingo.Position, bonus: int = 0, width: int = 1) -> torch.Tensor:
    """The guesses with the most classes, ties in list order; with one or two words left, the first word."""
    sizes, sets = torch.arange(position.largest + 1), position.frontier
    most = gpulingo.Objective(sizes.clamp(max=1), bonus)
    best = gpulingo.rank(position.table, sets, position.pool, most, width)
    behind = torch.where(best.ranks == best.ranks[:, :1], best.guesses, position.table.words)
    return torch.where(sets.sizes < 3, sets.firsts, behind.amin(dim=1))


def list_order(position: gpulingo.Position) -> torch.Tensor:
    """On ties the first word of the list, candidate or not."""
    return ranked(position, width=64)


def candidate(position: gpulingo.Position) -> torch.Tensor:
    """On ties a candidate, as in `parts`."""
    return ranked(position)


def one_class_more(position: gpulingo.Position) -> torch.Tensor:
    """A candidate counts as one class more, which is its gain with two turns left."""
    return ranked(position, bonus=1)


if __name__ == "__main__":
    small = gpulingo.embedded().of_length(5).with_targets(gpulingo.words_up_to(35, 5)[::14])
    for rule in (list_order, candidate, one_class_more):
        played = gpulingo.simulate(small, rule, gpulingo.find_game("wordle"))
        print(f"{rule.__name__:14} {played.tree.total_guesses} total guesses, {played.lost} lost")

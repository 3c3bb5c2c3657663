"""Upper bounds on the value of a set, from its size and from the most classes that one guess makes of it.

Values are in credits: a word found with k turns left, the guess included, counts k. That is the value of a
game whose target is drawn at random and whose payoff rises by one per turn. Where finding a word itself pays,
or not every word is legal, they bound openings only, and the values of classes have to be searched.
docs/bounds.md says why the bounds are sound.
"""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.games.game import Game
from gpulingo.strategies.objectives import perfect_split
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.listing import WordList

PARTS = 1 << 20  # a limit of memory: a set has fewer parts, so that their number fits the low bits of a sum

RANKED = 1 << 10  # openings that are ranked in one call: a ranking of many takes the square of their number


def check_game(game: Game) -> None:
    """Raise ValueError unless the formulas hold for a game."""
    if game.given:
        seen = f"no bounds are known of {game.code}, where the first letter is given"
        raise ValueError(f"{seen}: `gpulingo simulate` plays it")
    bonus, pace = game.terms or (0, -1)
    if bonus < 0 or pace not in (0, 1) or game.opponent != "chance" or game.counts_misses:
        cost = "misses" if game.counts_misses else "guesses"
        seen = f"a payoff of {list(game.payoff)}, {game.opponent} and turns that {cost} cost"
        raise ValueError(
            f"no bounds are known of {game.code}: it has {seen}, they need 0, 1, 2, .., chance and guesses"
        )


def counts_classes(game: Game, table: WordTable | WordList) -> bool:
    """Return True if numbers of classes bound the values of classes.

    They do where any word is legal, a turn left is a credit and each target counts the same.
    """
    return game.rises_by_one and game.legal == "any" and table.weights is None


def counts_help(game: Game, table: WordTable | WordList) -> bool:
    """Return True if they help with openings that are searched as well: a rule binds, but on a later turn.

    Every strategy is one of the game in which any word is legal, and its second guess is as free as there.
    """
    return game.rises_by_one and game.since > 2 and table.weights is None


def check_table(table: WordTable, game: Game) -> None:
    """Raise ValueError unless the formulas hold for a table and a game that `check_game` passes."""
    if table.guesses > table.words:
        raise ValueError(f"no bounds are known of {table.guesses - table.words} guesses that are no words")
    weight = table.targets.shape[0] if table.weights is None else int(table.weights.sum())
    if 1 < game.bonus <= game.turns * weight:
        seen = f"{game.code} with a total weight of {weight}"
        raise ValueError(f"{seen}, expected less than {game.bonus // game.turns}: divide all weights")


def growth_bound(sizes: Tensor, first: Tensor, classes: Tensor, left: int) -> Tensor:
    """Bound on the value of sets, by counting the words that can be found within each number of turns.

    A value is the sum over k of the words found within k turns. Two turns find at most the classes of the
    guess, and the guess itself if it is a candidate; each further turn at most `classes` times as many,
    because no guess makes more classes of a subset than of the set; and never more than there are.
    Of [S] int64 sizes; `first` are the classes of the guess, one more when it is a candidate, or the greatest
    such number; at least 2 turns are left.
    """
    value, within = first.clone(), first
    for _ in range(left - 2):
        within = (within * classes).minimum(sizes)
        value += within
    return value


def count_bound(sizes: Tensor, two: Tensor, left: int) -> Tensor:
    """[S] int64: growth bound of sets, given what two turns find at most of them or of larger ones."""
    two = two.minimum(sizes + 1)
    return growth_bound(sizes, two, two.minimum(sizes), left)


def three_bound(sizes: Tensor, three: Tensor, left: int) -> Tensor:
    """Return [S] int64: bound of sets, given their most value with three turns; `left` is at least 3."""
    return three + (left - 3) * sizes


def part_term(sizes: Tensor, two: Tensor, three: Tensor | None, left: int) -> Tensor:
    """Return the upper bound contributed by one part, packed so that a sum shows an uncounted first guess.

    Words found within two turns or more are at most those that can be found of every part. The first guess
    finds one word of one part; where that is not counted yet, the lowest bits say so. `part_sum` reads the
    sum. `two` and `three` are [S] int64 as the sizes, of a set that holds the part: most words that two turns
    find, and most value that three have, where that is known and as many are left.
    """
    classes = two.minimum(sizes)
    worth, uncounted = growth_bound(sizes, classes, classes, left), sizes < two
    if three is not None:
        by_three = three_bound(sizes, three, left)
        worth, uncounted = worth.minimum(by_three), uncounted & (worth < by_three)
    return worth * PARTS + uncounted


def part_sum(total: Tensor) -> Tensor:
    """Return [S] int64: bounds of the value of sets, from the sum of `part_term` over their parts."""
    return total // PARTS + (total % PARTS > 0)


def size_bound(sizes: Tensor, classes: int, left: int) -> Tensor:
    """[S] int64: bound of sets of which only the size is known, and the most classes of all targets."""
    most = sizes.clamp(max=classes)
    return torch.minimum(growth_bound(sizes, most + 1, most, left), perfect_split(sizes, left))


def most_credits(table: WordTable, game: Game) -> int:
    """Return an upper bound: the heaviest target is found at once, all others on the next turn."""
    if table.weights is None:
        return perfect_split(table.targets.shape[0], game.turns, game.payoff)
    weights = table.weights.long()[table.targets.long()]
    first, later = game.payoff[game.turns], game.payoff[game.turns - 1]
    return int(weights.max()) * first + int(weights.sum() - weights.max()) * later


def opening_credits(table: WordTable, game: Game) -> Tensor:
    """[W] int64: what the opening itself counts when it is the target; 0 of words that are no targets."""
    credits = torch.zeros(table.words, dtype=torch.int64, device=table.device)
    credits[table.targets.long()] = game.payoff[game.turns]
    return credits


def opening_size_bounds(
    table: WordTable, game: Game, classes: Tensor, progress: Progress | None = None
) -> Tensor:
    """[W] int64: bounds of all openings by the sizes of their classes; 0 of words that may not be guessed.

    The game has at least 3 turns; `classes` are [W] int64, that each makes of all targets.
    """
    assert game.terms is not None  # which was checked
    bonus, pace = game.terms
    weighs = _by_sizes if table.weights is None else _by_weights
    bounds, weight = weighs(table, game.turns - 1, classes, progress)
    return torch.where(bounds > 0, bonus * weight + pace * bounds, 0)


def _by_sizes(
    table: WordTable, left: int, classes: Tensor, progress: Progress | None
) -> tuple[Tensor, Tensor | int]:
    """Return [W] int64, upper bounds of the turns left after openings, and the number of words."""
    targets = table.targets.shape[0]
    sizes = torch.arange(1, targets + 1, device=table.device)
    worth = torch.cat([sizes.new_zeros(1), size_bound(sizes, int(classes.max()), left)]).cpu()
    bounds = torch.zeros(table.words, dtype=torch.int64, device=table.device)
    for some in table.pool.split(RANKED):
        ranked = rank(table, whole(table), some, Objective(worth), len(some), progress=progress)
        bounds[ranked.guesses[0].long()] = ranked.ranks[0]
    # A target is a class of its own in a ranking, worth a turn less than when it is the opening.
    bounds[table.targets.long()] += 1
    return bounds, targets


def _by_weights(
    table: WordTable, left: int, classes: Tensor, progress: Progress | None
) -> tuple[Tensor, Tensor | int]:
    """As `_by_sizes`, where each class finds its heaviest word first and all others on the next turn."""
    assert table.weights is not None
    weights = table.weights.long()[table.targets.long()]
    heaviest = torch.cat([weights.new_zeros(1), weights.sort(descending=True).values.cumsum(0)])
    of_opening = torch.zeros(table.words, dtype=torch.int64, device=table.device)
    of_opening[table.targets.long()] = weights
    first = heaviest[classes - (of_opening > 0).long()]  # no words weigh more than the heaviest
    bounds = of_opening * (left + 1) + (weights.sum() - of_opening) * (left - 1) + first
    return torch.where(classes > 0, bounds, 0), weights.sum()

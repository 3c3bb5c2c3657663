"""Upper bounds of the value of a set, from its size and the most classes that one guess makes of it.

Values are in credits: a word found with k turns left, including its guess, counts k. That is the value of a
game with a random target and a payoff that rises by one per turn. In a game with a bonus for finding a word,
or with restricted guesses, the formulas bound openings only, and a search finds the values of classes.
docs/bounds.md says why the bounds are sound.
"""

from __future__ import annotations

import numpy as np

from gpulingo.games.game import Game
from gpulingo.storage.faults import SIMULATE, Fault
from gpulingo.tensors.arrays import Tensor, cut, namespace, offsets_of, wide
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import Objective, Progress, perfect_split
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.listing import WordList

PARTS = 1 << 20  # a set has fewer parts, so that the low bits of a sum can count them

RANKED = 1 << 10  # openings ranked in one call: a ranking takes time in the square of their number


def check_game(game: Game, table: WordTable) -> None:
    """Raise ValueError unless the formulas hold for a game over a table."""
    if game.given:
        what = f"no bounds are known of {game.code}, where the first letter is given"
        raise Fault(what, SIMULATE)
    bonus, pace = game.terms or (0, -1)
    if bonus < 0 or pace not in (0, 1) or game.opponent != "chance" or game.counts_misses:
        cost = "misses" if game.counts_misses else "guesses"
        what = f"a payoff of {list(game.payoff)}, {game.opponent} and turns that {cost} cost"
        needed = "they need 0, 1, 2, .., chance and guesses"
        raise ValueError(f"no bounds are known of {game.code}: it has {what}, {needed}")
    weight = table.targets.shape[0] if table.weights is None else int(table.weights.sum())
    if 1 < game.bonus <= game.turns * weight:
        what = f"{game.code} with a total weight of {weight}"
        raise ValueError(f"{what}, expected less than {game.bonus // game.turns}: divide all weights")


def counts_classes(game: Game, table: WordTable | WordList) -> bool:
    """Return True if numbers of classes bound the values of classes.

    They do if any word is legal, a turn left is a credit and each target counts the same.
    """
    return game.rises_by_one and game.legal == "any" and table.weights is None


def counts_help(game: Game, table: WordTable | WordList) -> bool:
    """Return True if class counts also help with openings that are searched: a rule binds, but after turn 2.

    Every strategy is also one of the game in which any word is legal, and its second guess is as free there.
    """
    return game.rises_by_one and game.since > 2 and table.weights is None


def growth_bound(sizes: Tensor, first: Tensor, classes: Tensor, left: int) -> Tensor:
    """Upper bound of the value of sets, from the words that can be found within each number of turns.

    A value is the sum over k of the words found within k turns. For the first two turns that is at most the
    classes of the guess, plus one if it is a candidate. Each further turn finds at most `classes` times as
    many, because no guess makes more classes of a subset than of the set; and never more than the size.
    `sizes` are [S] int64; `first` is the greatest value in two turns, or an upper bound of it; `left` is at
    least 2.
    """
    value, within, xp = first, first, namespace(sizes)
    for _ in range(left - 2):
        within = xp.minimum(within * classes, sizes)
        value = value + within
    return value


def count_bound(sizes: Tensor, two: Tensor, left: int) -> Tensor:
    """[S] int64: growth bound of sets, from upper bounds of their two-turn values."""
    xp = namespace(sizes)
    two = xp.minimum(two, sizes + 1)
    return growth_bound(sizes, two, xp.minimum(two, sizes), left)


def three_bound(sizes: Tensor, three: Tensor, left: int) -> Tensor:
    """Return [S] int64: bound of sets, from upper bounds of their three-turn values; `left` >= 3."""
    return three + (left - 3) * sizes


def part_term(sizes: Tensor, two: Tensor, three: Tensor | None, left: int) -> Tensor:
    """Return the term of one part in the bound of a set, packed so that a sum shows an uncounted first guess.

    The words of a set that are found within two turns or more are at most those found of all its parts. The
    first guess finds one word of one part; if no term counts it yet, the lowest bits say so. `part_sum`
    reads the sum. `two` and `three` are [S] int64 as the sizes: upper bounds of the two- and three-turn
    values of a set that holds the part; `three` only if it is known and three turns are left.
    """
    xp = namespace(sizes)
    classes = xp.minimum(two, sizes)
    worth, uncounted = growth_bound(sizes, classes, classes, left), sizes < two
    if three is not None:
        by_three = three_bound(sizes, three, left)
        worth, uncounted = xp.minimum(worth, by_three), uncounted & (worth < by_three)
    return worth * PARTS + uncounted


def part_steps(sets: Frontier, two: Tensor, three: Tensor | None, left: int) -> Tensor:
    """Return [M] int64: what each further word of a set adds to its term, see `part_term`."""
    owners, xp = sets.owners, namespace(sets.members)
    places = xp.arange(owners.shape[0], dtype=xp.int64, device=owners.device) - sets.offsets[:-1][owners]
    terms = part_term(places + 1, two[owners], None if three is None else three[owners], left)
    return xp.where(places == 0, terms, terms - xp.roll(terms, 1))


def part_sum(total: Tensor) -> Tensor:
    """Return [S] int64: bounds of the value of sets, from the sum of `part_term` over their parts."""
    return total // PARTS + (total % PARTS > 0)


def size_bound(sizes: Tensor, classes: int, left: int) -> Tensor:
    """[S] int64: bound of sets from their sizes alone, and the most classes of all targets."""
    most = sizes.clip(max=classes)
    return namespace(sizes).minimum(growth_bound(sizes, most + 1, most, left), perfect_split(sizes, left))


def most_credits(table: WordTable, game: Game) -> int:
    """Return an upper bound: the heaviest target is found at once, all others on the next turn."""
    if table.weights is None:
        return perfect_split(table.targets.shape[0], game.turns, game.payoff)
    weights = wide(table.weights[table.targets])
    first, later = game.payoff[game.turns], game.payoff[game.turns - 1]
    return int(weights.max()) * first + int(weights.sum() - weights.max()) * later


def opening_credits(table: WordTable, game: Game) -> Tensor:
    """[W] int64: payoff of the opening itself as the target; 0 for words that are not targets."""
    credits = _zeros(table)
    credits[table.targets] = game.payoff[game.turns]
    return credits


def _zeros(table: WordTable) -> Tensor:
    xp = namespace(table.letters)
    return xp.zeros(table.words, dtype=xp.int64, device=table.device)


def opening_size_bounds(
    table: WordTable, game: Game, classes: Tensor, progress: Progress | None = None
) -> Tensor:
    """[W] int64 credits: bounds of all openings by class sizes; 0 for words that may not be guessed.

    The game has at least 3 turns; `classes` are [W] int64, the classes that each makes of all targets.
    """
    if table.weights is not None:
        return _by_weights(table, game, classes)
    assert game.terms is not None  # checked by `check_game`
    (bonus, pace), left, most = game.terms, game.turns - 1, int(classes.max())
    targets = table.targets.shape[0]
    sizes = np.arange(1, targets + 1)
    findable = sizes.clip(max=min(most ** (left - 1), targets))  # of a class, within the turns left
    worth = np.append(0, bonus * findable + pace * size_bound(sizes, most, left))
    bounds = _zeros(table)
    for some in cut(table.pool, RANKED):
        ranked = rank(table, whole(table), some, Objective(worth), len(some), progress=progress)
        bounds[ranked.guesses[0]] = ranked.ranks[0]
    # A ranking counts a target guess as a class of one word, one turn less than as the opening.
    bounds[table.targets] += pace
    return bounds


def _by_weights(table: WordTable, game: Game, classes: Tensor) -> Tensor:
    """With weights each class finds its heaviest word first, all others a turn later."""
    assert table.weights is not None and game.terms is not None
    (bonus, pace), turns = game.terms, game.turns
    weights, xp = wide(table.weights[table.targets]), namespace(table.letters)
    heaviest, of_opening = offsets_of(-xp.sort(-weights)), _zeros(table)
    of_opening[table.targets] = weights
    first = heaviest[classes - wide(of_opening > 0)]  # no C words weigh more than the C heaviest
    bounds = of_opening * turns + (weights.sum() - of_opening) * (turns - 2) + first
    return xp.where(classes > 0, bonus * weights.sum() + pace * bounds, 0)

"""The least worst turn and the fewest lost words: each is answered by searches of several games.

The worst turn asks for each number of turns, from above, whether it suffices; each is a search of the game in
which only found words count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.optimise.solver import FEWEST_TURNS
from gpulingo.storage.faults import SIMULATE, UsageError
from gpulingo.storage.files import CERTIFICATE
from gpulingo.strategies.build import simulate
from gpulingo.tensors.clock import clock
from gpulingo.trees.tree import Tree
from gpulingo.words.wordlist import WordList

MEAN_FIRST = 600.0  # most seconds of a search for the mean alone
PROVEN, INTERRUPTED, TIME_IS_UP = "proven", "interrupted", "time is up"  # how a search ended


@dataclass(frozen=True)
class WorstTurn:
    """The last turn that a strategy needs."""

    tree: Tree  # finds all its words by that turn
    turns: int
    lost: int  # words that the tree does not find, by weight if they have any
    proven: bool  # whether no strategy finds as many words in fewer turns
    fewest: bool = True  # whether no strategy loses fewer words


# The best tree known of a game in which found words count, with a bound; the words to find, by weight if any.
Ask = Callable[[Game, int], Tree]


def last_turn(tree: Tree) -> int:
    """Return the turn, 1-based, by which a tree has found all words that it finds."""
    return max((turn for turn, count in enumerate(tree.turn_counts(), 1) if count), default=tree.turns)


def worst_turn(tree: Tree, ask: Ask) -> WorstTurn:
    """Lower the last turn of a strategy while it loses no more words; `ask` searches games of fewer turns."""
    most, base = tree.total_weight - tree.lost, tree.game.name.rpartition("-")[0]
    while (turns := last_turn(tree)) > 1:
        answer = ask(find_game(f"{base}-found", turns - 1), most)
        if answer.value < most:
            bound = answer.bound_value
            assert bound is not None
            return WorstTurn(tree, turns, tree.total_weight - most, proven=bound < most)
        tree = answer
    return WorstTurn(tree, 1, tree.total_weight - most, proven=True)


@dataclass(frozen=True)
class Outcome:
    """A search that has ended, with its files.

    Attributes:
        path: of the tree; a certificate is beside it. worst: the last turn, if that was minimised.
        optimal: openings known to have the best value, and those that may have it; None if it is not proven.
    """

    tree: Tree
    path: Path
    ended: str
    worst: WorstTurn | None = field(default=None, kw_only=True)
    optimal: tuple[int, int] | None = field(default=None, kw_only=True)

    @property
    def proven(self) -> bool:
        """Return True if no strategy is better."""
        return self.ended == PROVEN

    def moved(self, path: Path) -> Outcome:
        """Return the same, its files renamed."""
        for ending in (path.suffix, CERTIFICATE):
            if path != self.path and (written := self.path.with_suffix(ending)).exists():
                written.replace(path.with_suffix(ending))
        return replace(self, path=path)


def least_worst(
    aim: str, words: WordList, game: Game, search: Callable[..., Outcome], place: Callable[..., Path], *,
    resumed: bool, ends: float,
) -> Outcome | None:  # fmt: skip
    """Search games for the tree of the least worst turn; None if `worst` is asked and words are lost. How the
    answer ended is no surer than what it rests on.

    Args:
        aim: `worst` turn, then mean; `lost` words, then worst turn, then mean; `found`: worst turn alone.
        search: searches a game. Keywords: `last`, whether its files are those of the answer; `least`, credits
            below which a strategy is of no interest; `any_will_do`, whether any that has them is enough;
            `begin`, a tree to begin with; `seconds`, its limit. place: the path of a game's files, by `last`.
        resumed: whether searches continue from stored trees. ends: when the time is up, by `clock`.
    """
    weight, done = words.total_weight, list[Outcome]()

    def ask(question: Game, least: int) -> Tree:
        if question.turns < FEWEST_TURNS:  # for which a ranking is exact
            tree = simulate(words, "parts", question).tree
            return tree.replaced(bound=tree.mean_points)
        done.append(search(question, last=False, least=least, any_will_do=True))
        return done[-1].tree

    # A strategy to begin with: it loses as few words as any, unless the time is up.
    if aim == "lost":
        done.append(search(game.seeking("lost")))
        tree = done[0].tree
    else:
        sought = game.seeking("found")
        tree = simulate(words, "largest_class", sought).tree
        tree = ask(sought, weight) if tree.lost else tree
    if aim == "worst" and tree.lost:
        return None
    worst = worst_turn(tree, ask)
    mean_game = find_game(game.name, worst.turns)
    final = mean_game.seeking("found" if aim == "found" else "lost")
    if worst.turns < FEWEST_TURNS:
        raise UsageError(f"{worst.turns} turns are enough for {weight:,} words", SIMULATE)
    begin, answer = worst.tree, done[0] if aim == "lost" and worst.turns == game.turns else None
    if aim == "worst" and not worst.lost and game.legal == "any" and not resumed:
        # A tree of the best mean that loses no word is best of all that lose none. A search in which no word
        # may be lost takes far longer, so this one gets half of the time, 10 minutes at most. Where guesses
        # have to obey hints its bounds take as long as those of the question itself.
        begun = begin.replaced(game=mean_game, mean_points=None, bound=None)
        by_mean = search(mean_game, last=False, begin=begun, seconds=min(MEAN_FIRST, (ends - clock()) / 2))
        begin = begin if by_mean.tree.lost else by_mean.tree
        if by_mean.proven and not by_mean.tree.lost:
            answer = by_mean.moved(place(by_mean.tree.game))
        else:
            done.insert(0, by_mean)
    if answer is None:
        if aim == "lost":  # the name is for the game of fewer turns
            done[0] = done[0].moved(place(done[0].tree.game, last=False))
        begin = begin.replaced(game=final, mean_points=None, bound=None)
        least = final.bonus * (weight - worst.lost)
        answer = search(final, least=least, any_will_do=aim == "found", begin=begin)
    # Where the time was up, less may be lost than was known.
    lost, known = answer.tree.lost, [past.tree for past in (*done, answer)]
    fewest = not lost or any(
        tree.game.bonus and tree.bound_value is not None
        and tree.bound_value // tree.game.bonus <= weight - lost
        for tree in known if tree.turns == game.turns
    )  # fmt: skip
    worst = replace(worst, fewest=fewest, proven=worst.proven and fewest and lost == worst.lost)
    unproven = [past.ended for past in done[:1] if aim == "lost" and not past.proven]
    unproven += [past.ended for past in done[-1:] if not worst.proven]
    ended = unproven[0] if unproven and answer.proven else answer.ended
    return replace(answer, worst=worst, ended=ended, optimal=answer.optimal if ended == PROVEN else None)

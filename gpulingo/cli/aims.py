"""The objectives of `gpulingo solve`, as one search or several: mean, worst turn, lost words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gpulingo.cli.errors import WrongUsage, tell
from gpulingo.cli.solving import CERTIFICATE, PROVEN, Outcome, Setting, solved
from gpulingo.games.catalogue import find_game
from gpulingo.games.game import CREDIT
from gpulingo.tensors.clock import clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.search.worst_turn import Answer
    from gpulingo.trees.tree import Tree

FEWEST_TURNS = 3  # that are searched
MEAN_FIRST = 600.0  # seconds that a search for the mean alone may take


def solved_for(setting: Setting, game: Game, aim: str) -> Outcome:
    """Search a game for what a strategy is to have least of.

    Args:
        setting: of the command. game: the rules.
        aim: `mean`; `worst` turn, then mean; `lost` words, then worst turn, then mean; or `found`, the worst
            turn alone.
    Raises:
        WrongUsage: an option does not fit. KeyboardInterrupt: interrupted before there was any tree.
    """
    if game.counts_misses:
        from gpulingo.cli.misses import most_found

        return most_found(setting, game)
    if setting.ray is not None:
        from gpulingo.cli.ray_solving import solved_on_ray

        return solved_on_ray(setting, game, aim)
    if aim == "mean":
        return solved(setting, game, setting.path(game))
    from gpulingo.search.worst_turn import worst_turn

    words, asked = setting.source.wordlist, _Asked(setting)
    tree = asked.first(game, aim)
    if aim == "worst" and tree.lost:
        seen = f"no strategy is known that loses none of {words.total_weight:,} words in {game.turns} turns"
        tell(f"{seen}: the mean decides")
        return solved(setting, game, setting.path(game))
    worst = worst_turn(tree, asked)
    final = find_game(game.name, worst.turns).seeking("found" if aim == "found" else "lost")
    bonus = final.bonus * (words.total_weight - worst.lost)
    if worst.turns < FEWEST_TURNS:
        raise WrongUsage(
            f"{worst.turns} turns are enough for {words.total_weight:,} words: `gpulingo simulate` is exact"
        )
    begin, by_mean = worst.tree, None
    if aim == "worst" and not worst.lost and game.legal == "any" and not setting.resume:
        by_mean = _best_mean(setting, find_game(game.name, worst.turns), begin)
        begin = begin if by_mean.tree.lost else by_mean.tree
    if by_mean and by_mean.ended == PROVEN and not by_mean.tree.lost:
        outcome = _moved(by_mean, setting)
    else:
        asked.outcomes[:0] = [by_mean] if by_mean else []
        begin = begin.replaced(game=final, mean_points=None, bound=None)
        outcome = solved(
            setting, final, setting.path(final), least=bonus, any_will_do=aim == "found", begin=begin
        )
    if (lost := outcome.tree.lost) != worst.lost:  # where the time was up, less may be lost than was known
        worst = replace(worst, lost=lost, proven=False)
    unproven = [each.ended for each in asked.outcomes[:1] if aim == "lost" and each.ended != PROVEN]
    unproven += [each.ended for each in asked.outcomes[-1:] if not worst.proven]
    if unproven and outcome.ended == PROVEN:  # the answer is no more sure than what it rests on
        outcome = replace(outcome, ended=unproven[0])
    return replace(outcome, worst=worst)


def _best_mean(setting: Setting, game: Game, begin: Tree) -> Outcome:
    """Search the best mean of a game; a tree that has it and loses no word is best of all that lose none.

    A search in which no word may be lost takes far longer, so this one gets half of the time, 10 minutes
    at most. Where guesses have to obey hints its bounds take as long as those of the question itself.
    """
    now = clock()
    first = replace(setting, ends=now + min(MEAN_FIRST, (setting.ends - now) / 2))
    begin = begin.replaced(game=game, mean_points=None, bound=None)
    return solved(first, game, setting.path(game, last=False), begin=begin)


def _moved(outcome: Outcome, setting: Setting) -> Outcome:
    """An outcome whose files stand where the user asked for them."""
    if setting.out is None:
        return outcome
    path = setting.path(outcome.tree.game)
    for suffix in (path.suffix, CERTIFICATE):
        outcome.path.with_suffix(suffix).replace(path.with_suffix(suffix))
    return replace(outcome, path=path)


class _Asked:
    """Answers of searches, for `worst_turn`."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.outcomes = setting, list[Outcome]()

    def __call__(self, question: Game, least: int) -> Answer:
        """Search whether the question's number of words can be found."""
        from gpulingo.search.worst_turn import Answer
        from gpulingo.strategies.build import simulate

        words = self.setting.source.wordlist
        if question.turns < FEWEST_TURNS:  # for which a ranking is exact
            tree = simulate(words, "parts", question).tree
            return Answer(tree, tree.value, tree.value)
        path = self.setting.path(question, last=False)
        self.outcomes.append(solved(self.setting, question, path, least=least, any_will_do=True))
        tree = self.outcomes[-1].tree
        assert tree.bound is not None
        return Answer(tree, tree.value, round(tree.bound * words.total_weight / CREDIT))

    def first(self, game: Game, aim: str) -> Tree:
        """A strategy to begin with: it loses as few words as any, unless the time is up."""
        from gpulingo.strategies.build import simulate

        words = self.setting.source.wordlist
        if aim == "lost":
            sought = game.seeking("lost")
            self.outcomes.append(solved(self.setting, sought, self.setting.path(sought)))
            return self.outcomes[-1].tree
        tree = simulate(words, "largest_class", game.seeking("found")).tree
        return self(game.seeking("found"), words.total_weight).tree if tree.lost else tree

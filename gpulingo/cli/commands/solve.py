"""`gpulingo solve`: search for the best strategy of a list, with an upper bound for all strategies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options, solving
from gpulingo.cli.errors import WrongUsage, tell
from gpulingo.cli.games import MOST_TURNS
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.plan import device_for
from gpulingo.cli.run import Run, late_interrupt
from gpulingo.cli.solving import PROVEN, Opponent, Outcome, SolveObjective, SolveSetting, solved
from gpulingo.cli.tables import print_rows
from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.report.values import MANY, of_tree
from gpulingo.storage.files import CERTIFICATE
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.trees.text import opening_text
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.optimise.none_lost import WordsFound


def solve(
    length: int = options.LENGTH,
    *,
    words: options.WordOptions,
    rules: options.Rules,
    turns: int | None = options.TURNS,
    search: solving.SearchOptions,
    as_json: bool = options.JSON,
) -> None:
    """Search for the best strategy and a proven bound."""
    began, run, opponent, objective = clock(), Run("solve", search.time), search.opponent, search.objective
    if opponent == Opponent.ADVERSARY and objective != SolveObjective.MEAN:
        seen = f"--objective {objective} with an adversary, who makes every round the worst"
        raise WrongUsage(f"{seen}: leave it out")
    unlimited = opponent == Opponent.ADVERSARY and turns is None and not rules.game[-1:].isdigit()
    few = "`gpulingo simulate` is exact for fewer"
    game = rules.chosen(MOST_TURNS if unlimited else turns, least=3, instead=few)
    if objective == SolveObjective.MISSES:
        if not game.counts_misses:
            raise WrongUsage(f"--objective misses in {game.code}: it is for --game hangman")
        game = find_game("hangman-misses", game.turns)
    aim = "found" if opponent == Opponent.ADVERSARY else str(objective)
    source = words.sources([length], game)[0]
    with late_interrupt() as run.noted:
        work = "hangman" if game.guesses_letters else "solve"
        place = device_for(search.device if search.ray is None else "cpu", work)  # where results are merged
        run.noted()  # torch is imported
        setting = SolveSetting(**vars(search), source=source, place=place, run=run)
        if game.counts_misses:
            solving.check_letters(setting, objective)
            if opponent == Opponent.ADVERSARY:
                solving.print_adversary(setting, None if unlimited else game.turns, began, as_json)
                return
            outcome = solving.most_found(setting, game)
        else:
            outcome = solved_for(setting, game, aim)
        _print(outcome, began, as_json)


def _print(outcome: Outcome, began: float, as_json: bool) -> None:
    words, tree, worst, game = outcome.words, outcome.tree, outcome.worst, outcome.tree.game
    value, bound, opening = tree.value, tree.bound_value, opening_text(tree, words.words)
    values, turns = of_tree(tree, MANY), tree.turn_counts()
    assert tree.bound is not None and bound is not None
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint} | ({"lives": game.turns} if game.counts_misses else {})
        entry |= {"opening": opening, "mean_points": tree.mean_points}
        entry |= {"bound": tree.bound, "gap": tree.bound - tree.mean_points}
        entry |= values.entry(len(words), value, bound) | values.counted_entry(turns)
        entry |= {"ended": outcome.ended, "checkpoint": str(outcome.path)}
        entry |= {"turns": turns, "lost": tree.lost} if values.unit.whole else {}
        entry |= {"worst_guesses": worst.turns, "worst_proven": worst.proven} if worst else {}
        if outcome.optimal:
            entry["optimal_openings"], entry["possible_openings"] = outcome.optimal
        entry |= {"seconds": clock() - began, "device": outcome.device}
        print(line_of("solve", entry))
        return
    where = f"game: {game.code}" if game.counts_misses else f"device: {outcome.device}"
    optimal = ""
    if outcome.optimal:
        known, possible = outcome.optimal
        least = "" if known == possible else f"{known:,} to "
        optimal = f", {least}{counted(possible, 'opening')} optimal"
    print(f"list: {list_text(words)}; {where}; {outcome.ended}{optimal}; {outcome.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}", "opening": opening}
    row |= {"worst guesses": f"{worst.turns}"} if worst else {}
    row |= values.cells(value, tree.lost) | values.counted_cells(turns)
    row |= {"bound": values.bound(bound), "gap": values.gap(value, bound)}
    print_rows([row | {"seconds": f"{clock() - began:.0f}"}], left=["opening"])
    if values.unit.whole:
        print(f"\n{values.turns_name}")
        print_rows([values.turn_cells(turns, tree.lost)])
    if worst:
        lost = f" with {worst.lost:,} lost" if worst.lost else ""
        which = "that loses as few needs" if worst.lost else "needs"
        sure = (
            f"no strategy {which} fewer: proven" if worst.proven else "it is not known whether fewer suffice"
        )
        print(f"\nat most {worst.turns} guesses{lost}; {sure}")


FEWEST_TURNS = 3  # of a search
MEAN_FIRST = 600.0  # most seconds of a search for the mean alone


def solved_for(setting: SolveSetting, game: Game, aim: str) -> Outcome:
    """Search a game for the tree that minimises an objective.

    Args:
        setting: of the command. game: the rules.
        aim: `mean`; `worst` turn, then mean; `lost` words, then worst turn, then mean; or `found`, the worst
            turn alone.
    """
    if setting.ray is not None and aim != "mean":
        raise WrongUsage("--ray is for the best mean against chance: leave out --ray or the other objective")
    if setting.ray is not None and setting.resume:
        raise WrongUsage("--ray with --resume: leave one of them out, results are kept")
    if aim == "mean":
        return solved(setting, game, setting.path(game))
    from gpulingo.optimise.none_lost import worst_turn

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
        outcome = by_mean
        if setting.out is not None:
            outcome = replace(outcome, path=setting.path(outcome.tree.game))
            for suffix in (outcome.path.suffix, CERTIFICATE):
                by_mean.path.with_suffix(suffix).replace(outcome.path.with_suffix(suffix))
    else:
        asked.outcomes[:0] = [by_mean] if by_mean else []
        begin = begin.replaced(game=final, mean_points=None, bound=None)
        outcome = solved(
            setting, final, setting.path(final), least=bonus, any_will_do=aim == "found", begin=begin
        )
    if (lost := outcome.tree.lost) != worst.lost:  # when time is up, fewer may be lost than known before
        worst = replace(worst, lost=lost, proven=False)
    unproven = [each.ended for each in asked.outcomes[:1] if aim == "lost" and each.ended != PROVEN]
    unproven += [each.ended for each in asked.outcomes[-1:] if not worst.proven]
    if unproven and outcome.ended == PROVEN:  # the result is only as certain as the earlier ones
        outcome = replace(outcome, ended=unproven[0])
    return replace(outcome, worst=worst)


def _best_mean(setting: SolveSetting, game: Game, begin: Tree) -> Outcome:
    """Search the best mean of a game; if its tree loses no word, it is also the best that loses none.

    A search in which no word may be lost takes far longer, so this one gets half of the time, at most 10
    minutes. With a rule of legal guesses its bounds take as long as those of the main search.
    """
    run = Run("solve", min(MEAN_FIRST, (setting.run.ends - clock()) / 2))
    run.noted = setting.run.noted
    begin = begin.replaced(game=game, mean_points=None, bound=None)
    return solved(replace(setting, run=run), game, setting.path(game, last=False), begin=begin)


class _Asked:
    def __init__(self, setting: SolveSetting) -> None:
        self.setting, self.outcomes = setting, list[Outcome]()

    def __call__(self, question: Game, least: int) -> WordsFound:
        from gpulingo.optimise.none_lost import WordsFound
        from gpulingo.strategies.build import simulate

        words = self.setting.source.wordlist
        if question.turns < FEWEST_TURNS:  # a ranking is exact
            tree = simulate(words, "parts", question).tree
            return WordsFound(tree, tree.value, tree.value)
        path = self.setting.path(question, last=False)
        self.outcomes.append(solved(self.setting, question, path, least=least, any_will_do=True))
        tree = self.outcomes[-1].tree
        assert tree.bound_value is not None
        return WordsFound(tree, tree.value, tree.bound_value)

    def first(self, game: Game, aim: str) -> Tree:
        """Return a first strategy: it loses as few words as possible, unless the time is up."""
        from gpulingo.strategies.build import simulate

        words = self.setting.source.wordlist
        if aim == "lost":
            sought = game.seeking("lost")
            self.outcomes.append(solved(self.setting, sought, self.setting.path(sought)))
            return self.outcomes[-1].tree
        tree = simulate(words, "largest_class", game.seeking("found")).tree
        return self(game.seeking("found"), words.total_weight).tree if tree.lost else tree

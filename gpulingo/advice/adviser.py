"""Answers to histories: the words left and guesses, from a stored tree or a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from gpulingo.advice.answer import SHOWN, Answer, Fit, stored_text, unlisted_text
from gpulingo.advice.notation import (
    Entered,
    History,
    NotationError,
    contradiction,
    fitting,
    late_text,
    read_history,
    word_length,
)  # fmt: skip
from gpulingo.advice.outlook import OPENING, TREE, Alike, GuessStats, best_of, called, entropy
from gpulingo.games import marks, positions
from gpulingo.games.catalogue import ASKED, breach, feedback_of, guessed, repeats_colours
from gpulingo.games.marks import ContradictionError
from gpulingo.games.units import UNITS
from gpulingo.hosts.host import classes_of
from gpulingo.player.question import USUAL_LENGTH, USUAL_PEGS, DeviceError, Question, at_fault
from gpulingo.storage.faults import LONGER, OTHER_LENGTH, WEIGHTLESS, Complain, Fault, reported
from gpulingo.trees.book import OpeningTree
from gpulingo.trees.stored import stored_starts, stored_trees
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree, turns_below
from gpulingo.words.letters import CAPITALS, enter
from gpulingo.words.targets import NO_LEVEL, levels_of, unfit_words
from gpulingo.words.wordlist import WordList

Watch = Mapping[str, Any]  # `progress` and `stop` of a search, as in `outlooks`
NO_WATCH: Watch = MappingProxyType({})
Found = tuple[list[GuessStats], str]  # guesses, and how they were found


class Adviser:
    """Answers histories of one game; lists and trees that it reads are cached."""

    def __init__(
        self,
        question: Question,
        load_engine: Callable[[], Any],  # loads the search, called only without a tree to follow
        complain: Complain,
    ) -> None:
        self.question, self.load_engine, self.complain = question, load_engine, complain
        self.game, self.letter, self.rule = question.game, question.letter, feedback_of(question.game)
        self._words: dict[tuple[int, bool, str], WordList] = {}
        self._trees: dict[tuple[str, str], list[tuple[str, Tree]]] = {}  # by fingerprint and first guess
        self._named: dict[str, list[tuple[str, Tree]]] = {}  # the tree to follow instead, by fingerprint
        self._outline = ""  # of a word with signs, if letters are guessed

    def advised(self, parts: Sequence[str], watch: Watch | None = NO_WATCH) -> Any:
        """Return the answer to guesses as they are written; of several boards a `BoardsAnswer`."""
        if self.game.boards > 1:
            return self.load_engine().answer_boards(self, parts, watch)
        return self.answer(self.read(parts), watch)

    def check_length(self, length: int) -> None:
        """Check that guesses have the length that was asked for, and one that can be marked."""
        if length > marks.LONGEST:
            raise NotationError(f"words of {length} letters, expected at most {marks.LONGEST}")
        if self.question.length not in (0, length):
            fault = f"guesses of {length} {guessed(self.game)[1]}, words of {self.question.length}"
            raise NotationError(fault, OTHER_LENGTH, length=length)

    def answer(self, history: History, watch: Watch | None = NO_WATCH) -> Answer:
        """Return the answer to a history; without a watch, what is known without a search."""
        usual = USUAL_LENGTH if repeats_colours(self.game) is None else USUAL_PEGS
        length = word_length(*history[0]) if history else self.question.length or usual
        game = self.game
        shown = positions.outline(history[0][1]) if history and game.guesses_letters else ""
        self._outline = shown if shown.strip(positions.ABSENT) else ""
        turn = self._turn(history, self.words(length))
        words, left = self.left(length, history)
        if not left:
            raise ContradictionError(self.contradiction(length, history))
        fit = self._fit(words, left, history)
        if turn > game.turns:
            self.complain(f"{game.code} allows no more {'misses' if game.counts_misses else 'guesses'}")
            return Answer(game, turn, fit, left)
        words = self._counting(words, left)
        all_shown = self.question.limits.unfit or len(left) == 1 or self.rule is not marks
        unfit, hidden = frozenset[str]() if all_shown else unfit_words(words.length), ""
        guesses, how = self._followed(words, history, turn, left, unfit)
        usable = [stats for stats in guesses if stats.guess not in unfit]
        wanted = self.question.limits.top or (max(1, len(usable)) if guesses else SHOWN // 2)
        enough = len(usable) >= wanted
        final = enough or (game.counts_misses and len(left) == 1)
        if enough:
            guesses, hidden = usable[:wanted], self._hidden(guesses, usable[0])
        elif not final:
            guesses, how, hidden = self._with_searched(words, history, (guesses, how), unfit, wanted, watch)
        return Answer(game, turn, fit, left, guesses, how, hidden, final or watch is not None)

    def _with_searched(
        self, words: WordList, history: History, kept: Found, unfit: frozenset[str], wanted: int,
        watch: Watch | None,
    ) -> tuple[list[GuessStats], str, str]:  # fmt: skip
        """Return the best guesses of a search and of `kept`, how they were found, a note on hidden ones."""
        game, limits = self.game, self.question.limits
        alike, more = Alike(words, game, history), list[GuessStats]()
        if watch and (tell := watch.get("progress")):

            def progress(best: list[GuessStats], how: str) -> None:
                tell([stats for stats in best if stats.guess not in unfit], how)

            watch = {**watch, "progress": progress}
        count = wanted + alike.several * len(kept[0])
        while True:
            searched, how = list[GuessStats](), ""
            if watch is not None:
                with at_fault("device", DeviceError):
                    searched, how = self.load_engine().outlooks(
                        words, game, history, letter=self.letter, count=count,
                        seconds=limits.seconds, device=limits.device, **watch,
                    )  # fmt: skip
            more = searched or more  # a search that is stopped may find no guess
            every, of_tree = best_of(kept[0], more, game, len(kept[0]) + len(more))
            every = alike.one_of_each(every, lambda stats: stats.guess)
            shown = [stats for stats in every if stats.guess not in unfit][:wanted]
            if len(shown) == wanted or len(searched) < count:
                break
            count = wanted + len(every) - len(shown)
        shown = shown or every[:wanted]  # all are unfit
        if chosen := [stats.guess for stats in shown if stats.guess in of_tree]:
            apart = any(stats.cost(shown[0], game) is None for stats in shown)
            others = "the others, not comparable with it," if apart else "the others"
            beside = f"; {others} {how}" if len(chosen) < len(shown) else ""
            how = f"{', '.join(chosen)} {kept[1]}{beside}"
        return shown, how, self._hidden(every, shown[0]) if shown else ""

    def _hidden(self, every: list[GuessStats], best: GuessStats) -> str:
        """Return the note about guesses before the best one shown, which are hidden."""
        count = every.index(best)
        if not count:
            return ""
        cost = best.cost(every[0], self.game)
        better = "" if cost is None else f" ({cost:.3f} {UNITS[self.game.shown].noun} better)"
        return f"; {count} guess{' is' if count == 1 else 'es are'} not shown{better}"

    def read(self, parts: Sequence[str]) -> list[tuple[str, str]]:
        """Return guesses and marks of the length that was asked for; see `read_history`."""
        history = read_history(parts, self.rule, self.entering())
        for pair in history[:1]:
            self.check_length(word_length(*pair))
        return history

    def entering(self) -> Entered:
        """Return the function that enters the words of one text, a letter with its places (`e:_O__`), by the
        rules of the list of the first.
        """
        codes, noted, length = repeats_colours(self.game) is not None, cache(self.complain), 0

        def entered(text: str) -> str:
            nonlocal length
            plain = enter(text, same=self.question.words.same)
            length = length or len(plain.rpartition(":")[2])
            known = 0 < length <= marks.LONGEST and self.question.length in (0, length)
            if known and (codes or any(map(text.count, CAPITALS))):
                return self.words(length).entering(text, noted)(text)
            return plain

        return entered

    def words(self, length: int, wider: bool = False) -> WordList:
        """Return the words of a length, with the requested targets and weights; `wider`: all as targets,
        including past answers, if none were named.
        """
        lists = self.question.words
        if wider and (lists.targets is not None or not self.words(length).targets_source):
            return self.words(length)
        key = length, wider, self._outline
        if key not in self._words:
            listing = lists.listing(length, self.game)
            words = listing.of_outline(self._outline) if self._outline else listing.of_length(length)
            if not wider:
                if listing.remark:
                    self.complain(listing.remark)
                words = lists.limited(words, listing, self.game, ASKED)
            self._words[key] = lists.weighed(words)
        return self._words[key]

    def use(self, words: WordList) -> None:
        """Use only these words and targets in rounds of their length."""
        self._words |= dict.fromkeys([(words.length, False, ""), (words.length, True, "")], words)

    def left(self, length: int, history: History) -> tuple[WordList, list[str]]:
        """Return the list of possible targets, and those of them that fit a history.

        If none of the usual targets fits, they are from all words, the most common first.
        """
        usual, every = self.words(length), self.words(length, wider=True)
        left = self._fitting(usual, history)
        if left or every is usual:
            return usual, left
        level = dict(zip(every.words, levels_of(every, NO_LEVEL), strict=True))
        return every, sorted(self._fitting(every, history), key=lambda word: level[word])

    def contradiction(self, length: int, history: History) -> str:
        """Return the one-line message about a history that no word fits."""
        targets = self._fitting(self.words(length, wider=True), [])
        return contradiction(targets, history, self.game, self.letter)

    def _fitting(self, words: WordList, history: History) -> list[str]:
        targets = [word for word in words.targets if word.startswith(self.letter)]
        return fitting(targets, history, self.rule)

    def _fit(self, words: WordList, left: list[str], history: History) -> Fit:
        """Return the list and targets of the words left."""
        usual, every = self.words(words.length), self.words(words.length, wider=True)
        if every is usual:
            more = f", targets {words.targets_source}" if words.targets_source else ""
            return Fit(f"{words.source}{more}", len(left), noun=guessed(self.game)[0])
        if words is usual:
            fits, targets = self._fitting(every, history), len(usual.targets)
            return Fit(words.source, len(fits), usual.targets_source, targets=targets)
        return Fit(words.source, len(left), usual.targets_source, len(every))

    def follow(self, length: int, path: str, tree: Tree | None) -> None:
        """Follow a tree of words of a length, or none, instead of the best stored one."""
        key = self.words(length).fingerprint
        self._named[key] = [] if tree is None else [(path, tree)]

    def _counting(self, words: WordList, left: list[str]) -> WordList:
        """Return the words; without their weights if all words left have weight 0."""
        if words.weights is None:
            return words
        kept = set(left)
        if any(weight for word, weight in zip(words.words, words.weights, strict=True) if word in kept):
            return words
        fault = f"the words left weigh 0 in {words.weights_source}: each counts 1; weigh one of them"
        self.complain(Fault(fault, WEIGHTLESS))
        return words.weighed(None, "")

    def _turn(self, history: History, words: WordList) -> int:
        """Return the turn of the next guess, at most one after the last, if the history is possible."""
        game, left, late = self.game, self.game.turns, None
        for turn, (guess, row) in enumerate(history, 1):
            if broken := breach(game, history[: turn - 1], guess):
                raise ContradictionError(f"guess {turn}, {guess}, is not allowed in {called(game)}: {broken}")
            if self.rule.pattern(row) == self.rule.solved(words.length):
                found = f"guess {turn}, {guess}, is the word"
                raise ContradictionError(f"{found}: there is nothing left to guess")
            if not game.guesses_letters and guess not in words:
                self.complain(unlisted_text(guess, words, game))
            if left < 1 and late is None:
                late = ContradictionError(late_text(game, turn, guess), LONGER, game=game, turns=turn + 1)
            left = game.left_after(left, self.rule.pattern(row))
        if late is not None:
            raise late
        return game.turns - left + 1

    def _followed(
        self, words: WordList, history: History, turn: int, left: list[str], unfit: frozenset[str]
    ) -> Found:
        """Return enough guesses of stored trees that the history follows, and how they were found."""
        trees = self._stored(words, history[0][0] if history else "") if self.question.limits.trees else []
        proven = bool(history) or any(tree.optimal and not isinstance(tree, OpeningTree) for _, tree in trees)
        most, names = self.question.limits.top or SHOWN // 2, guess_names(self.game, words.words)
        weight = dict(zip(words.words, words.weights or (), strict=False))
        guesses, alike, within = list[GuessStats](), Alike(words, self.game, history), {*left}
        for _, tree in trees:
            node = self._reached(tree, history, names)
            if sum(stats.guess not in unfit for stats in guesses) >= most:
                break
            if node is None or any(stats.guess == names[tree.guess[node]] for stats in guesses):
                continue
            best = tree.second_guesses(node) if isinstance(tree, OpeningTree) else []
            for index, turns in best or [(tree.guess[node], turns_below(tree, node, turn))]:
                guess = names[index]
                classes = classes_of(self.rule, guess, left).values()
                weights = [sum(weight.get(word, 1) for word in members) for members in classes]
                guesses.append(GuessStats(
                    guess, turns, sum(weights), classes=len(classes), largest=max(map(len, classes)),
                    target=guess in within, by=TREE if proven else OPENING, exact=tree.optimal,
                    alike=alike.first(guess)[1], bits=entropy(weights),
                ))  # fmt: skip
        return guesses, stored_text(trees, begun=bool(history)) if guesses else ""

    def _reached(self, tree: Tree, history: History, names: Sequence[str]) -> int | None:
        """Return the node of a tree that a history leads to, if it follows the tree."""
        node = tree.root(self.letter)
        for guess, row in history:
            if node is None or tree.guess[node] >= len(names) or names[tree.guess[node]] != guess:
                return None
            node = tree.child(node, self.rule.pattern(row))
        return None if node is None or tree.guess[node] >= len(names) else node

    def _stored(self, words: WordList, first: str) -> list[tuple[str, Tree]]:
        """Return the tree to follow after a first guess; without one, the trees of all first guesses."""
        if words.fingerprint in self._named:
            return self._named[words.fingerprint]
        key = words.fingerprint, first
        if key not in self._trees:
            if first:
                opening = words.index(first) if first in words else -1
                trees = stored_trees(words, self.game, thorough=False, opening=opening)
                self._trees[key] = [*reported(trees, self.complain).items()][:1]
            else:
                starts = stored_starts(words, self.game, thorough=False)
                self._trees[key] = reported(starts, self.complain)
        return self._trees[key]

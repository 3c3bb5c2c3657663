"""A host of one round: after each guess it keeps a class of the candidates, its word's or another.

Words and letters are guessed alike; the game says what is shown and when a round is over.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType

from gpulingo.games.catalogue import BOARDED, breach, feedback_of, forbidding, guessed
from gpulingo.games.game import Game
from gpulingo.games.positions import THERE, outline
from gpulingo.storage.faults import Complain, refuse
from gpulingo.words.shown import UNKNOWN, counted, named_letter, shown_line
from gpulingo.words.wordlist import WordList

Classes = dict[str, list[str]]
History = list[tuple[str, str]]
# From the classes, and the guesses with marks (the last without), to the marks of one class.
Keep = Callable[[Classes, History], str]
MakeKeep = Callable[[WordList], Keep]

DIGITS = str.maketrans("X_?O", "0012")  # digits of marks and of positions, in the order of patterns


def classes_of(rule: ModuleType, guess: str, candidates: list[str]) -> Classes:
    """Return marks -> the candidates for which a guess would show them.

    >>> from gpulingo.games import marks, positions
    >>> classes_of(marks, "dozes", ["dents", "reads", "zones"])
    {'OXX?O': ['dents'], '?XX?O': ['reads'], 'XO?OO': ['zones']}
    >>> classes_of(positions, "i", ["fish", "iris", "moth", "toad"])
    {'_O__': ['fish'], 'O_O_': ['iris'], '____': ['moth', 'toad']}
    """
    classes: Classes = {}
    for candidate in candidates:
        classes.setdefault(rule.feedback(guess, candidate), []).append(candidate)
    return classes


def tie_key(marks: str) -> tuple[int, int, int]:
    """Return the key that breaks ties of classes, smallest first: places shown, misplaced, pattern."""
    return marks.count(THERE), marks.count("?"), int(marks.translate(DIGITS), 3)


def largest(classes: Classes, history: History | None = None) -> str:
    """Return the marks of the largest class; on ties the fewest places shown, then `tie_key`.

    >>> largest({"OXX": ["abc"], "XX?": ["xya"], "X?X": ["bxx"]})
    'XX?'
    >>> largest({"_O_": ["his"], "OO_": ["iii"], "__O": ["sti"]})
    '__O'
    """
    return min(classes, key=lambda marks: (-len(classes[marks]), tie_key(marks)))


def diversity(classes: Classes, history: History) -> str:
    """Return the marks of the class whose words have most different letters not guessed yet.

    On ties those of the larger class, then by `tie_key`.

    >>> diversity({"___": ["all", "ell", "lll"], "__O": ["abi", "cdi"]}, [("i", "")])
    '__O'
    """
    guessed = {letter for letter, _ in history}

    def rank(marks: str) -> tuple[int, int, tuple[int, int, int]]:
        letters = {*"".join(classes[marks])} - guessed
        return -len(letters), -len(classes[marks]), tie_key(marks)

    return min(classes, key=rank)


KEEPS: dict[str, Keep | None] = {"honest": None, "largest": largest, "diversity": diversity}


class Host:
    def __init__(
        self, words: WordList, game: Game, keep: Keep | None, draw: random.Random | None = None
    ) -> None:
        self.words, self.game, self.rule = words, game, feedback_of(game)
        self.honest, self._keep, self._draw = keep is None, keep, draw
        self.left, self.history = words.targets, list[tuple[str, str]]()
        self._word, self.given_up = draw.choice(self.left) if draw else "", False
        if game.guesses_letters and draw and self._word:
            self.left = [word for word in self.left if outline(word) == outline(self._word)]
        if game.given:
            self.left = [word for word in self.left if word[0] == self._word[0]]

    @property
    def shown(self) -> str:
        """The word with its revealed letters, for example `_i__`, if letters are guessed."""
        signs = list(outline(self.left[0]))
        for letter, marks in self.history:
            signs = [letter if mark == THERE else sign for sign, mark in zip(signs, marks, strict=True)]
        return "".join(signs)

    @property
    def used(self) -> int:
        """Turns used up: misses, or guesses."""
        if not self.game.counts_misses:
            return len(self.history)
        return sum(not self.rule.pattern(marks) for _, marks in self.history)

    @property
    def found(self) -> bool:
        if self.game.guesses_letters:
            return UNKNOWN not in self.shown
        solved = self.rule.solved(self.words.length)
        return bool(self.history) and self.rule.pattern(self.history[-1][1]) == solved

    @property
    def endless(self) -> bool:
        """Return True if a round continues until the word is found."""
        return self.game.opponent != "chance"

    @property
    def lost(self) -> bool:
        return not (self.endless or self.found) and self.used >= self.game.turns

    @property
    def over(self) -> str:
        """End of the round: found, lost, given up; empty while the round continues."""
        return "found" if self.found else "lost" if self.lost else "given up" if self.given_up else ""

    def fault(self, guess: str) -> str:
        """Return why a guess is not legal, in one line; empty if it is."""
        if self.game.guesses_letters:
            if len(guess) != 1 or not guess.isalpha():
                return "that is no letter"
            return f"{guess!r} was guessed before" if any(guess == past for past, _ in self.history) else ""
        length, (noun, signs) = self.words.length, guessed(self.game)
        if len(guess) != length:
            return f"{guess[:40]!r} has {counted(len(guess), signs.removesuffix('s'))}, expected {length}"
        if guess not in self.words:
            return f"{guess!r} is not among the {len(self.words):,} {noun}s that may be guessed"
        return breach(self.game, self.history, guess)

    def answer(self, guess: str) -> str:
        """Return the marks of a legal guess; its class becomes the candidates."""
        classes = classes_of(self.rule, guess, self.left)
        if self._keep is None:
            marks = str(self.rule.feedback(guess, self._word))
        else:
            one = len(classes) == 1
            marks = next(iter(classes)) if one else self._keep(classes, [*self.history, (guess, "")])
        self.left = classes[marks]
        self.history.append((guess, marks))
        return marks

    def word(self) -> str:
        """The word in mind: the one drawn, or one of those left: the first, if none is drawn."""
        if self._word not in self.left:
            self._word = self._draw.choice(self.left) if self._draw else self.left[0]
        return self._word


def check_boards(game: Game, words: WordList) -> None:
    """Check that a game has several boards, and a list a word for each."""
    few = f"{words.target_count} words for {game.boards} boards: name a longer list, or fewer boards"
    refuse({
        f"{game.name} has one board, expected a game of several: {', '.join(BOARDED)}": game.boards < 2,
        "weights of the answers of several boards: leave them out": words.weights is not None,
        few: words.target_count < game.boards,
    })  # fmt: skip


class BoardsHost(Host):
    """A round of several boards, each with a host and a word of its own."""

    def __init__(self, words: WordList, game: Game, draw: random.Random) -> None:
        super().__init__(words, game, None)
        self.boards = [Host(words, game, None) for _ in range(game.boards)]
        for board, word in zip(self.boards, draw.sample(words.targets, game.boards), strict=True):
            board._word = word

    @property
    def found(self) -> bool:
        return all(board.found for board in self.boards)

    def answer(self, guess: str) -> str:
        """Return the marks of a legal guess on every board; `-` where the word was found before."""
        marks = ",".join("-" if board.found else board.answer(guess) for board in self.boards)
        left = [word for board in self.boards if not board.found for word in board.left]
        self.left = list(dict.fromkeys(left))
        self.history.append((guess, marks))
        return marks

    def word(self) -> str:
        return " ".join(board.word() for board in self.boards)


EXACT = 12  # words of the largest class up to which the guesses that each class takes are searched
WORK = 300_000  # marks that the search may compute per answer: about half a second
ESTIMATED, TRIED = 12, 20  # largest classes compared, and guesses tried in each


class _TooMuch(Exception):
    """The search takes too long."""


class WorstCase:
    """Chooses the class that takes most guesses."""

    def __init__(self, words: WordList, game: Game, seed: int = 0, *, tried: int = TRIED) -> None:
        self._words, self._game, self._rule = words, game, feedback_of(game)
        self._draw, self._work, self._tried = random.Random(seed), 0, tried

    def hardest(self, classes: Classes, history: History) -> str:
        """Return the marks of the class to keep."""
        solved = self._rule.marks(self._rule.solved(self._words.length), self._words.length)
        open_ = [marks for marks in classes if marks != solved]
        self._draw.shuffle(open_)
        open_.sort(key=lambda marks: -len(classes[marks]))
        if len(classes[open_[0]]) <= EXACT:
            self._work, best, most = WORK, open_[0], 0
            with suppress(_TooMuch):
                for marks in open_:
                    before = [*history[:-1], (history[-1][0], marks)]
                    # As many guesses as words are always enough.
                    while len(classes[marks]) > most and not self._enough(classes[marks], before, most):
                        best, most = marks, most + 1
                return best
        return self._estimated(open_[:ESTIMATED], classes)

    def _estimated(self, open_: list[str], classes: Classes) -> str:
        """Return the class that its own best words split worst; on ties the largest."""

        def hardness(marks: str) -> tuple[int, int, tuple[int, ...]]:
            words = classes[marks]
            tried = words if len(words) <= self._tried else self._draw.sample(words, self._tried)
            parted = (classes_of(self._rule, guess, words).values() for guess in tried)
            least = min(max(map(len, parts)) for parts in parted)
            return least, len(words), tuple(-number for number in tie_key(marks))

        return max(open_, key=hardness)

    def _enough(self, candidates: list[str], history: History, guesses: int) -> bool:
        """Return True if `guesses` guesses suffice whatever the host keeps."""
        if guesses >= len(candidates):
            return True
        if guesses < 2:
            return False
        for guess in self._legal(candidates, history):
            classes = self._parted(guess, candidates, single=guesses == 2)
            if classes is None or len(classes) == 1:
                continue
            for marks, left in classes.items():
                if left != [guess] and not self._enough(left, [*history, (guess, marks)], guesses - 1):
                    break
            else:
                return True
        return False

    def _parted(self, guess: str, candidates: list[str], *, single: bool) -> Classes | None:
        """Return the classes of a guess; None if `single` is set and a class has more than one word."""
        classes: Classes = {}
        for candidate in candidates:
            self._work -= 1
            marks = self._rule.feedback(guess, candidate)
            if single and marks in classes:
                return None
            classes.setdefault(marks, []).append(candidate)
        if self._work < 0:
            raise _TooMuch
        return classes

    def _legal(self, candidates: list[str], history: History) -> Iterator[str]:
        yield from candidates
        fits, shown = set(candidates), [] if self._game.legal == "any" else history
        for word in self._words.words:
            self._work -= len(shown)
            if word not in fits and not forbidding(self._game, shown, word):
                yield word


REFUSED = "-"  # mark of each letter for a guess that is not legal


@dataclass
class HostOnPipes:
    """A round of a host as a program sees it: a guess per line, each answered by a line."""

    host: Host
    complain: Complain
    tell: bool  # whether answers have the number of words left

    @property
    def ended(self) -> bool:
        return bool(self.host.over)

    @property
    def hint(self) -> str:
        """The instruction for a user at a terminal."""
        host, (noun, signs) = self.host, guessed(self.host.game)
        words = f"{counted(len(host.left), noun)} of {host.words.length} {signs}"
        lives = f", {counted(host.game.turns, 'life')}: type a letter"
        kind = lives if host.game.guesses_letters else ": type a guess"
        return f"{name_of(host)}: {words}{kind} a line; Ctrl-D ends"

    def greeting(self) -> list[str]:
        return [self._answer("")] if self.host.game.guesses_letters else []

    def take(self, line: str) -> list[str]:
        host, letters = self.host, self.host.game.guesses_letters
        guess = named_letter(line, host.words.enter) if letters else host.words.enter(line.strip())
        if fault := host.fault(guess):
            self.complain(f"{line[:40]!r}: {fault}: guess another" if letters else f"{fault}: guess again")
        return [self._answer("" if fault else host.answer(guess))]

    def _answer(self, marks: str) -> str:
        """The reply to a word: its marks, or dashes if refused; to a letter: the revealed word."""
        host, left = self.host, f" {len(self.host.left)}" if self.tell else ""
        if not host.game.guesses_letters:
            return f"{marks}{left}" if marks else REFUSED * host.words.length
        return f"{shown_line(host.word() if self.ended else host.shown)} {host.used}/{host.game.turns}{left}"

    def end(self) -> str:
        """The end of the round, in a line."""
        host, noun, letters = self.host, guessed(self.host.game)[0], self.host.game.guesses_letters
        if self.ended:
            how = f"with {used_text(host)}: the word is {host.word()}" if letters else f"in {used_text(host)}"
            return f"{name_of(host)}: {'found' if host.found else 'lost'} {how}"
        what = f"the input ended after {used_text(host)} with {counted(len(host.left), noun)} left"
        word = f", it is {host.word()}" if letters else ""
        return f"{name_of(host)}: {what}: the {noun} was not found{word}"


def name_of(host: Host) -> str:
    """Return the title of a round: hangman, or the game with its rule."""
    return "hangman" if host.game.guesses_letters else host.game.name


def used_text(host: Host) -> str:
    return counted(host.used, "miss" if host.game.counts_misses else "guess")

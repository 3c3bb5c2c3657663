"""The words of one length, which of them may be targets, and the fingerprint that links a checkpoint to them.

Standard library only, for the light path. `listing` reads files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from gpulingo.storage.faults import Complain
from gpulingo.words.letters import as_compared, enter, entered_words, is_turkish, leave
from gpulingo.words.shown import FIRST_ROWS, brief, html_table

# Of all targets: up to this, sums of every objective fit 62 bits, and sums of points a float.
MOST_WEIGHT = 1 << 24
COLOURED = str.maketrans("rgbyop", "123456")  # letters of colours -> digits in codes
NUMBERED = "colours are digits here: the letters r g b y o p are read as 1 2 3 4 5 6"


class WordListError(ValueError):
    """A word list that is missing, unreadable, not text, or without the requested words.

    >>> WordList("two words", ["dents", "doze"])
    Traceback (most recent call last):
    gpulingo.words.wordlist.WordListError: ...
    """

    def __init__(self, message: str) -> None:
        super().__init__(leave(message))


class MissingListError(WordListError):
    """No word list at the path.

    >>> import gpulingo
    >>> gpulingo.find_words(5, "missing.txt")
    Traceback (most recent call last):
    gpulingo.words.wordlist.MissingListError: ...
    """


class UnknownWordError(LookupError):
    """A word that is missing from the list.

    >>> WordList("two words", ["dents", "dozes"]).index("reads")
    Traceback (most recent call last):
    gpulingo.words.wordlist.UnknownWordError: ...
    """


class WordList:
    """The words of one length that may be guessed, lower case, distinct, in list order; some may be targets.

    Attributes:
        source: shown to the user.
        length: word length.
        target_ids: ascending indices of the words that may be the target; None: all may.
        targets_source: origin of the targets, shown to the user; empty: all words are targets.
        weights: weight of each word as a target, 0 for other words; None: each target counts 1.
        weights_source: origin of the weights, shown to the user; empty: no weights.
        turkish: whether I is the capital of ı in guesses, see `letters.enter`.
        same: letters that are equal, see `letters.equal_signs`; empty: none.

    >>> WordList("two words", ["dents", "dozes"]).index("dozes")
    1
    """

    # One text instead of a list of strings: a player hashes it and looks up five words of up to 50,655.
    _words: list[str] | None = None
    _targets: list[str] | None = None
    _fingerprint = ""
    target_ids: list[int] | None = None
    weights: list[int] | None = None
    targets_source = weights_source = same = ""

    def __init__(self, source: str, words: list[str]) -> None:
        """Take distinct words of one length; `source` is shown to the user.

        Raises:
            WordListError: no words, or words of different lengths.
        """
        text = "\n".join(words)
        turkish = is_turkish(text)
        text = enter(text, turkish)
        lengths = sorted(set(map(len, text.split("\n")))) if words else []
        if len(lengths) != 1 or not lengths[0]:
            raise WordListError(f"words of {lengths} letters in {source}: give words of one length")
        self.source, self.length, self._text, self.turkish = source, lengths[0], f"{text}\n", turkish

    @classmethod
    def _of_text(cls, source: str, length: int, text: str, turkish: bool = False, same: str = "") -> WordList:
        """Return a word list from a text, a newline after each word, without making a string of each."""
        wordlist = cls.__new__(cls)
        wordlist.source, wordlist.length, wordlist._text = source, length, text
        wordlist.turkish, wordlist.same = turkish, same
        return wordlist

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the written words, because another process has other stand-ins for their letters."""
        return {**vars(self), "_text": leave(self._text), "_words": None, "_fingerprint": self.fingerprint}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._text = enter(self._text, self.turkish)
        if self.same:
            self._text = "\n".join([*entered_words(self._text.split("\n")[:-1], self.same), ""])

    @property
    def words(self) -> list[str]:
        """The words in list order; made on first use, not to be changed."""
        if self._words is None:
            self._words = self._text.split("\n")[:-1]
        return self._words

    @property
    def targets(self) -> list[str]:
        """The words that may be the target, in list order; made on first use, not to be changed."""
        if self.target_ids is None:
            return self.words
        if self._targets is None:
            self._targets = [self[index] for index in self.target_ids]
        return self._targets

    @property
    def target_count(self) -> int:
        """Number of words that may be the target."""
        return len(self) if self.target_ids is None else len(self.target_ids)

    @property
    def total_weight(self) -> int:
        """Number of targets, or the sum of their weights."""
        return self.target_count if self.weights is None else sum(self.weights)

    @property
    def fingerprint(self) -> str:
        """64 hex digits: sha256 of the UTF-8 written words in list order, each with a newline.

        Equal letters are written as the one that represents all.
        If not every word may be the target, an empty line and the targets in the same form follow; if
        targets have weights, an empty line and the weights of all words.
        """
        if not self._fingerprint:
            rows: list[list[str]] = [] if self.target_ids is None else [self.targets]
            if self.weights is not None:
                rows.append([str(weight) for weight in self.weights])
            more = "".join(["\n" + "\n".join(row) + "\n" for row in rows])
            self._fingerprint = _sha256(as_compared(self._text + more).encode())
        return self._fingerprint

    def enter(self, text: str) -> str:
        """Return `letters.enter` of a text by the rules of this list; see `numbered`."""
        return self.numbered(enter(text, self.turkish, self.same))

    def entering(self, text: str, complain: Complain) -> Callable[[str], str]:
        """Return `enter`; report if it reads letters of colours in a text as digits."""
        low = enter(text)
        if self.numbered(low) != low:
            complain(NUMBERED)
        return self.enter

    def numbered(self, text: str) -> str:
        """Return a text with its codes in letters of colours, such as rrbb, as the codes of this list.

        >>> WordList("two codes", ["1133", "1144"]).numbered("rrbb, rryo")
        '1133, rryo'
        """
        if not self._text[0].isdigit() or not any(map(str.isalpha, text)):
            return text
        from re import sub  # here: lists of words do not need it

        def numbered(letters: Any) -> str:
            code = letters[0].translate(COLOURED)
            return code if code in self and letters[0] not in self else letters[0]

        return sub(r"\b[a-z]+\b", numbered, text)

    def with_targets(self, targets: Iterable[str], source: str = "the targets") -> WordList:
        """Return the same words with only some as targets, each counting 1.

        Args:
            source: shown to the user.
        Raises:
            WordListError: no target is given, or one is not in this list.

        >>> WordList("three words", ["dents", "dozes", "reads"]).with_targets(["reads"]).target_ids
        [2]
        """
        wanted = set(self.enter("\n".join(targets)).split("\n")) - {""}
        ids = [index for index, word in enumerate(self.words) if word in wanted]
        if len(ids) < len(wanted):
            missing = sorted(wanted.difference(self.words))
            what = f"{len(missing):,} of {len(wanted):,} words of {source} are not among the {len(self):,}"
            remedy = "each target must be a word that may be guessed"
            raise WordListError(f"{what} of {self.source}, {missing[0]!r} first: {remedy}")
        if not ids:
            raise WordListError(f"no words in {source}: give at least one word of {self.source}")
        copy = self.weighed(None, "")
        copy.target_ids, copy.targets_source = (ids, source) if len(ids) < len(self) else (None, "")
        return copy

    def with_weights(self, weights: Mapping[str, int], source: str = "the weights") -> WordList:
        """Return the same words and targets with weights; weights that all equal 1 are dropped.

        Args:
            weights: word -> whole number from 0 on, for every target; other words are ignored.
            source: shown to the user.
        Raises:
            WordListError: a target without a weight, a word that is not in the list, a weight that is
                negative or not whole, all of them 0, or a total above MOST_WEIGHT.

        >>> WordList("three words", ["dents", "dozes", "reads"]).with_weights(
        ...     {"dents": 3, "dozes": 1, "reads": 1}).total_weight
        5
        """
        entered: dict[str, int] = {}
        for word, weight in weights.items():
            entered.setdefault(self.enter(word), weight)
        _check_weights(entered, self, source)
        targets = set(self.targets)
        return self.weighed([entered[word] if word in targets else 0 for word in self.words], source)

    def weighed(self, weights: Sequence[int] | None, source: str) -> WordList:
        """As `with_weights`, with a weight for each word, 0 for others than targets; None: no weights."""
        copy = WordList._of_text(self.source, self.length, self._text, self.turkish, self.same)
        copy.target_ids, copy.targets_source = self.target_ids, self.targets_source
        ids = range(len(self)) if self.target_ids is None else self.target_ids
        if weights is not None and any(weights[index] != 1 for index in ids):
            copy.weights, copy.weights_source = list(weights), source
        return copy

    def __repr__(self) -> str:
        path = self.source.removesuffix(" list")
        path = path if len(path) <= 30 else f"..{path[-28:]}"
        parts = [path, f"{self.length} letters", f"{len(self):,} words"]
        parts += [f"{self.target_count:,} targets"] if self.target_ids is not None else []
        parts += [f"weight {self.total_weight:,}"] if self.weights is not None else []
        return brief("WordList", ", ".join([*parts, self.fingerprint[:12]]))

    def _repr_html_(self) -> str:
        rows = [(number, escape(leave(self[number]))) for number in range(len(self))[:FIRST_ROWS]]
        return html_table(self, ["number", "word"], rows)

    def __len__(self) -> int:
        return len(self._text) // (self.length + 1)

    def __getitem__(self, index: int) -> str:
        """Return the word at an index 0..len-1, without making all strings."""
        if not 0 <= index < len(self):
            raise IndexError(f"word {index} of {len(self)}: indices are 0..{len(self) - 1}")
        start = index * (self.length + 1)
        return self._text[start : start + self.length]

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._find(word) >= 0

    def index(self, word: str) -> int:
        """Return the index of a word in one pass over the text, so for single words only.

        Raises:
            UnknownWordError: the word is not in the list.
        """
        index = self._find(self.enter(word))
        if index < 0:
            what = f"{word!r} is not among the {len(self)} words of {self.length} letters in {self.source}"
            raise UnknownWordError(f"{what}: choose a word of the list")
        return index

    def _find(self, word: str) -> int:
        """Return the index of a word, or -1."""
        if len(word) != self.length or "\n" in word:
            return -1
        if self._text.startswith(word + "\n"):
            return 0
        newline = self._text.find("\n" + word + "\n")
        return -1 if newline < 0 else (newline + 1) // (self.length + 1)


def _check_weights(weights: Mapping[str, int], words: WordList, source: str) -> None:
    every, targets = set(words.words), words.targets
    for word, weight in weights.items():
        if type(weight) is not int or weight < 0:
            what = f"weight {weight!r:.40} of {word} in {source}"
            raise WordListError(f"{what}, expected a whole number from 0 on")
        if word not in every:
            what = f"{source} has {word!r}, which is not among the {len(words):,} words of {words.source}"
            raise WordListError(f"{what}: leave it out")
    missing = [word for word in targets if word not in weights]
    if missing:
        what = f"{len(missing):,} of {len(targets):,} targets have no weight in {source}"
        raise WordListError(f"{what}, {missing[0]!r} first: give each one")
    total = sum(weights[word] for word in targets)
    if not total:
        raise WordListError(f"all targets have weight 0 in {source}: give at least one more")
    if total > MOST_WEIGHT:
        what = f"weights of {source} sum to {total:,} over the targets, expected at most {MOST_WEIGHT:,}"
        raise WordListError(f"{what} so that sums stay exact: divide all by one factor and round")


def _sha256(data: bytes) -> str:
    """Return 64 hex digits; by the C module if there is one, because importing hashlib costs 4 ms of CPU."""
    for name in ("_sha2", "_sha256"):  # Python 3.12 and later, 3.11
        try:
            return str(__import__(name).sha256(data).hexdigest())
        except (ImportError, AttributeError):
            pass
    from hashlib import sha256

    return sha256(data).hexdigest()

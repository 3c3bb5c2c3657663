"""All games by name: a new one is an entry here and, if its feedback is new, a file like `marks`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from gpulingo.games import marks, positions
from gpulingo.games.counts import Common, Counts
from gpulingo.games.game import HINTS, LETTER_GIVEN, MOST_TURNS, OBJECTIVES, Game
from gpulingo.storage.faults import AGAINST_HOST, SEVERAL_BOARDS, Fault, unknown

Family = Callable[..., Game]  # of turns, with a default


class UnknownGameError(Fault, LookupError):
    """A name that is not one of a game.

    >>> find_game("worlde")
    Traceback (most recent call last):
    gpulingo.games.catalogue.UnknownGameError: ...
    """


def lingo(turns: int = 5) -> Game:
    """Lingo as in the Lingo pit: any word of the list may be guessed and may be the target.

    >>> [lingo().points(turn) for turn in (1, 2, 3, 4, 5, 0)]
    [500, 400, 300, 200, 100, 0]
    """
    return Game("lingo", turns, range(turns + 1))


def wordle(turns: int = 6) -> Game:
    """Wordle: fewest guesses; a lost word counts one more than a round allows.

    >>> wordle().mean_guesses(mean_points=400)
    3.0
    """
    return Game("wordle", turns, range(turns + 1), shown="guesses")


def absurdle() -> Game:
    """Absurdle: the host keeps the largest class; a guess finds the word if it is the only one left."""
    return Game("absurdle", MOST_TURNS, range(MOST_TURNS + 1), opponent="largest", shown="guesses")


def hangman(turns: int = 6) -> Game:
    """Hangman: letters are guessed, a letter that is not in the word costs a life; most words found.

    >>> hangman().left_after(6, pattern=0), hangman().payoff
    (5, (0, 1, 1, 1, 1, 1, 1))
    """
    return Game("hangman", turns, (0, *[1] * turns), feedback="positions", costs="miss", shown="words")


def hangman_misses(turns: int = 6) -> Game:
    """Hangman for the fewest misses; a lost word has as many as there are lives."""
    return Game("hangman-misses", turns, range(turns + 1), feedback="positions", costs="miss", shown="misses")


def numbered(name: str, feedback: str) -> Family:
    """Return the games of a name in which a guess shows only numbers: of pegs, or of letters in common."""
    return lambda turns=12: Game(name, turns, range(turns + 1), feedback=feedback, shown="guesses")


def boarded(family: Family, boards: int, name: str = "") -> Family:
    """Return the games of a family with several boards, by default with five turns more than boards.

    >>> boarded(wordle, 3)().code, find_game("quordle").boards
    ('3-wordle8', 4)
    """

    def made(turns: int = boards + SPARE_TURNS) -> Game:
        game = family(turns)
        return replace(game, name=name or f"{boards}-{game.name}", boards=boards)

    return made


def _varied(
    families: dict[str, Family], change: Callable[[Game, str], Game], variants: Iterable[str]
) -> dict[str, Family]:
    """Return the games of families, and the same changed to each of some variants, which their names have."""

    def changed(family: Family, variant: str) -> Family:
        return lambda *turns: change(family(*turns), variant)

    return families | {
        f"{name}-{variant}": changed(family, variant)
        for name, family in families.items()
        for variant in variants
    }


FAMILIES: dict[str, Family] = {"lingo": lingo, "wordle": wordle}
BY_NAME = _varied(_varied(FAMILIES, Game.under, HINTS), Game.seeking, OBJECTIVES)
BY_NAME |= _varied(FAMILIES, Game.under, [LETTER_GIVEN])
MOST_BOARDS, SPARE_TURNS = 32, 5
BOARDED = {name: boarded(wordle, n, name) for name, n in (("dordle", 2), ("quordle", 4), ("octordle", 8))}
BY_NAME |= BOARDED
LETTERS: dict[str, Family] = {"hangman": hangman, "hangman-misses": hangman_misses}  # guesses are letters
BY_NAME |= LETTERS
# Games that show numbers. If codes are guessed, and no list is named, all codes of the pegs and colours are
# used: whether a colour may occur twice; None if words are guessed.
COUNTED: dict[str, tuple[Family, bool | None]] = {
    "mastermind": (numbered("mastermind", "counts"), True),
    "bulls-and-cows": (numbered("bulls-and-cows", "counts"), False),
    "black-pegs": (numbered("black-pegs", "placed"), True),
    "jotto": (numbered("jotto", "common"), None),
}
OF_NUMBERS = {name: family for name, (family, _) in COUNTED.items()}
BY_NAME |= _varied(_varied(OF_NUMBERS, Game.under, ["consistent"]), Game.seeking, OBJECTIVES)
# Where another objective than `parts` gives the best one-step strategy: see docs/strategies.md.
ONE_STEP = dict.fromkeys(("bulls-and-cows", "black-pegs", "jotto"), "entropy")
LINGO = "lingo"  # the default game
# The names that a user needs; names with an objective, or with a rule that has an option, are for files.
GAMES = ("lingo", "wordle", *BOARDED, "absurdle", "evil-wordle", "hangman", *COUNTED)
KNOWN = ", ".join(GAMES)
ANSWERS = "answers"  # name of these targets
COMPUTED, ASKED, DRAWN = "computed", "asked", "drawn"
# By family, a name up to its first dash: purposes for which the embedded list's answers are the targets, if
# none are named: computing, help on request, drawing a word for a person.
USUAL_TARGETS: dict[str, tuple[str, ...]] = {"lingo": (DRAWN,), "jotto": (DRAWN,), "hangman": (ASKED, DRAWN)}
USUAL_TARGETS |= dict.fromkeys(("wordle", "absurdle", "evil", *BOARDED), (COMPUTED, ASKED, DRAWN))
# Feedback rules, one pair of words at a time: `feedback`, `pattern` and `marks`, `fault`, `solved`.
FEEDBACKS: dict[str, Any] = {
    "marks": marks, "positions": positions, "counts": Counts(), "placed": Counts(held=False),
    "common": Common(),
}  # fmt: skip
# A host chooses the class, and a round continues until the word is found.
HOSTED: dict[str, Callable[[], Game]] = {
    "absurdle": absurdle,
    "evil-wordle": lambda: replace(absurdle(), name="evil-wordle", opponent="adversary"),
}


def repeats_colours(game: Game) -> bool | None:
    """Return True if a colour may come twice in the codes of a game; None if words are guessed.

    >>> repeats_colours(find_game("mastermind")), repeats_colours(find_game("lingo"))
    (True, None)
    """
    return COUNTED.get(plain_name(game.name), (None, None))[1]


def shows_placed_alone(game: Game) -> bool:
    """Return True if only placed pegs are shown, so that each place's colours may be permuted alone."""
    return game.feedback == "placed"


def shows_common_alone(game: Game) -> bool:
    """Return True if only the number of common letters is shown, so that anagrams may be swapped."""
    return game.feedback == "common"


def is_of_codes(name: str) -> bool:
    """Return True if codes are guessed in a game, named with or without a number of turns."""
    return COUNTED.get(plain_name(name.rstrip("0123456789")), (None, None))[1] is not None


def is_of_wordle(name: str) -> bool:
    """Return True if a game has Wordle's answers, named with or without a number of turns."""
    return COMPUTED in USUAL_TARGETS.get(_first_name(name.rstrip("0123456789")), ())


def _first_name(name: str) -> str:
    """Return a game's name up to its first dash, without a number of boards."""
    return name.lstrip("0123456789-").partition("-")[0]


def guessed(game: Game) -> tuple[str, str]:
    """Return the nouns of a game: the thing to find, and its parts.

    >>> guessed(find_game("mastermind")), guessed(find_game("jotto"))
    (('code', 'signs'), ('word', 'letters'))
    """
    return ("word", "letters") if repeats_colours(game) is None else ("code", "signs")


def plain_name(name: str) -> str:
    """Return a game's name without its objective, for example `-lost`, and without `-consistent`."""
    family, _, objective = name.rpartition("-")
    return (family if objective in OBJECTIVES else name).removesuffix("-consistent")


def family_of(name: str) -> Family | None:
    """Return the maker of the games of a name, in which hard mode may begin on a later turn; None if unknown.

    >>> family_of("wordle-from3-hard-lost")(5).code
    'wordle-from3-hard-lost5'
    """
    boards, _, single = name.partition("-")
    if single in FAMILIES and boards in map(str, range(2, MOST_BOARDS + 1)):
        return boarded(FAMILIES[single], int(boards))
    family, _, rest = name.partition("-from")
    turn, _, rest = rest.partition("-hard")
    if name in BY_NAME or family not in FAMILIES or turn not in map(str, range(3, MOST_TURNS + 1)):
        return BY_NAME.get(name)
    hard = f"from{turn}-hard"
    made = _varied(_varied({family: FAMILIES[family]}, Game.under, [hard]), Game.seeking, OBJECTIVES)
    return made.get(f"{family}-{hard}{rest}")


def fault_of_name(name: object) -> str:
    """A check for `storage.fields`: the expected form instead of a name of games; empty if it is one."""
    return "" if isinstance(name, str) and family_of(name) else KNOWN


def find_game(code: str, turns: int | None = None) -> Game:
    """Return the game of a name, with default or given turns: `lingo`, `lingo6`, `wordle-hard`.

    Args:
        code: a name of `family_of`, or one with the turns right after it.
        turns: 1 to 255; None: those of the code, or the default.
    Raises:
        UnknownGameError: there is no game of that name.
        ValueError: the code and `turns` differ, or the turns are out of range.

    >>> find_game("lingo6").turns
    6
    """
    name = code.rstrip("0123456789")
    if name in HOSTED:
        raise UnknownGameError(f"{name} is played against a host", AGAINST_HOST)
    family = family_of(name)
    if family is None:
        raise _unknown(code, (*BY_NAME, *HOSTED))
    digits = code[len(name) :]
    if len(digits) > len(str(MOST_TURNS)):
        raise ValueError(f"game {name} of {len(digits)} digits, expected 1 to {MOST_TURNS} turns")
    if digits and turns is not None and int(digits) != turns:
        raise ValueError(f"game {code} has {int(digits)} turns, asked for are {turns}: name one number")
    wanted = int(digits) if digits else turns
    if wanted is not None and not 1 <= wanted <= MOST_TURNS:
        raise ValueError(f"game {code} of {wanted} turns, expected 1 to {MOST_TURNS}")
    return family() if wanted is None else family(wanted)


def typed_name(code: str) -> str:
    """Return a game's name typed by a user; UnknownGameError for a rule that has an option: `wordle-hard`."""
    family = family_of(code.rstrip("0123456789"))
    if family is not None and family().rule != "any":
        raise _unknown(code, GAMES)
    return code


def _unknown(code: str, names: Sequence[str]) -> UnknownGameError:
    return UnknownGameError(unknown("game", code, names, KNOWN, meaning=code.rstrip("0123456789")))


def game_of(game: Game | str | None) -> Game:
    """Return the game of a name, see `find_game`, of one board; a Game unchanged; lingo if none is given.

    >>> game_of("wordle").code, game_of(lingo(4)).code, game_of(None).code
    ('wordle6', 'lingo4', 'lingo5')
    """
    return one_board(game or lingo() if game is None or isinstance(game, Game) else find_game(game))


def on_boards(name: str, boards: int | None) -> str:
    """Return the name of a game on a number of boards; None or 1: the game itself.

    >>> on_boards("wordle", 3), on_boards("quordle", None)
    ('3-wordle', 'quordle')
    """
    if boards in (None, 1):
        return name
    if name.rstrip("0123456789") not in FAMILIES:
        raise UnknownGameError(f"{name} on {boards} boards: use {' or '.join(FAMILIES)}")
    return f"{boards}-{name}"


def one_board(game: Game) -> Game:
    """Return a game of one board; UnknownGameError for one of several."""
    if game.boards > 1:
        raise UnknownGameError(f"{game.name} has {game.boards} boards", SEVERAL_BOARDS)
    return game


def usual_targets(game: Game, purpose: str = COMPUTED) -> str | None:
    """Return the targets of a game, whatever its rule, if no list and no targets are named; None: all words.

    >>> usual_targets(find_game("wordle-hard")), usual_targets(lingo()), usual_targets(lingo(), DRAWN)
    ('answers', None, 'answers')
    """
    # If the first letter is given, as on television, the words are common ones.
    usual = game.given or purpose in USUAL_TARGETS.get(_first_name(game.name), ())
    return ANSWERS if usual else None


def is_known(game: Game) -> bool:
    """Return True if a game is equal to the catalogue's of its name and turns."""
    family = family_of(game.name)
    return family is not None and family(game.turns) == game


def legal_after(game: Game, guess: str, marks: str, word: str) -> bool:
    """Return True if a guess and its marks allow a word as a later guess under the game's rule.

    A word is legal if every guess so far allows it; if only candidates are legal it must also be a target.

    >>> legal_after(wordle(), "dozes", "?XX??", "reads")
    True
    >>> legal_after(find_game("wordle-hard"), "dozes", "?XX??", "dents")
    True
    >>> legal_after(find_game("wordle-consistent"), "dozes", "?XX??", "dents")
    False
    """
    if game.legal == "any":
        return True
    rule = feedback_of(game)
    if game.legal == "hard":
        return not rule.missing_hint(word, guess, marks)
    return bool(rule.feedback(guess, word) == marks)


def forbidding(
    game: Game, history: Sequence[tuple[str, str]], word: str, turn: int | None = None
) -> tuple[str, str] | None:
    """Return the first guess, with its marks, that forbids a word on a turn, by default that after the
    history; None: the marks allow it.

    >>> hard, shown = find_game("wordle-hard"), [("dozes", "?XX??")]
    >>> forbidding(hard, shown, "dents"), forbidding(hard, shown, "zones")
    (None, ('dozes', '?XX??'))
    >>> forbidding(find_game("wordle-from3-hard"), shown, "zones")
    """
    if (len(history) + 1 if turn is None else turn) < game.since:
        return None
    return next((before for before in history if not legal_after(game, *before, word)), None)


def breach(game: Game, history: Sequence[tuple[str, str]], word: str) -> str:
    """Return how a word breaks the game's rule after some guesses; empty: it may be guessed.

    >>> breach(find_game("wordle-hard"), [("dozes", "?XX??")], "zones")
    'zones has no d, one was shown'
    """
    before = forbidding(game, history, word)
    if before is None:
        return ""
    hint = feedback_of(game).missing_hint(word, *before) if game.legal == "hard" else ""
    return hint or f"{word} does not fit all marks so far: {' showed '.join(before)}"


def lettered(game: Game, text: str) -> str:
    """Return feedback as people read and type it; only marks differ from the internal form.

    >>> lettered(wordle(), "OXX?O"), lettered(hangman(), "OOOO")
    ('GBBYG', 'OOOO')
    """
    return marks.lettered(text) if game.shows_marks else text


def feedback_of(game: Game) -> Any:
    """Return the rule of a game's feedback, for one pair of words."""
    return FEEDBACKS[game.feedback]

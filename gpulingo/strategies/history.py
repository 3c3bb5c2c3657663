"""The position that guesses and their marks lead to, and the player's search from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from gpulingo.games import catalogue
from gpulingo.games.catalogue import game_of
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.strategies.registry import named
from gpulingo.strategies.strategy import History, Position, Strategy, first_letters, first_position, legal_on
from gpulingo.tensors.device import find_device
from gpulingo.tensors.feedback import code_dtype, feedback_of
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import narrowed
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.text import guess_index, guess_names
from gpulingo.words.choice import words_of
from gpulingo.words.listing import WordList
from gpulingo.words.shown import brief


def position_after(
    history: Sequence[tuple[str, str]],
    words: WordList | Sequence[str] | int,
    game: Game | str | None = None,
    table: WordTable | None = None,
    *,
    letter: str = "",
) -> Position:
    """Return the position after guesses and their marks: the targets that fit all of them, as one set.

    Args:
        history: (guess, marks) of every turn so far; there may be more than the game has turns.
        words: of the guesses: a list; its words, of one length, in lower case, distinct; or a length.
        game: the rules, or their name; lingo when not given.
        table: of the list, with its targets and legal guesses, on the device to search on; None: made.
        letter: that the target begins with, where the game gives it; otherwise empty.
    Raises:
        ValueError: marks of another length or with other characters, or a guess that the game does not allow
            after those before it.
        ContradictionError: no word fits the marks, or begins with the letter.
        UnknownWordError: a guess of the history is not in the list, or no letter of it.

    >>> position_after([("dozes", "OXX?O")], ["dents", "dozes", "reads"]).frontier.members
    tensor([0], dtype=torch.int32)
    """
    game = game_of(game)
    wordlist = words_of(words, game)
    table = table or table_of(wordlist, game)
    rule, feedback, left = catalogue.feedback_of(game), feedback_of(table), game.turns
    first = first_position(table, game)
    if game.given:
        first = first.take(_set_of(letter, table, first.frontier.firsts))
    elif letter:
        raise ValueError(f"letter {letter!r} is given in {game.code}, expected none: leave it out")
    members, allowed = first.frontier.members, first.allowed
    guesses: list[int] = []
    patterns: list[int] = []
    for guess, marks in history:
        if wrong := rule.fault(marks, wordlist.length):
            raise ValueError(wrong)
        guesses.append(guess_index(guess, wordlist, game))
        patterns.append(rule.pattern(marks))
        left = game.left_after(left, patterns[-1])
        answers = feedback.paired(table, torch.full_like(members, guesses[-1]), members)
        members = members[answers == patterns[-1]]
        if members.shape[0] == 0:
            raise ContradictionError(f"no word fits the marks {marks} of {guess} and those before it")
        if allowed is not None:
            if len(guesses) >= game.since and not bool((allowed.members == guesses[-1]).any()):
                seen = f"{guess} is not allowed in {game.code} after the guesses before it"
                raise ValueError(f"{seen}: use another history")
            allowed = _narrowed(allowed, table, game, guesses[-1], patterns[-1])
    past = History(
        torch.tensor([guesses], dtype=torch.int32, device=table.device),
        torch.tensor([patterns], dtype=torch.int64, device=table.device),
    )
    turn, sets = len(history) + 1, frontier([members])
    following = replace(first, frontier=sets, turns_left=max(1, left), turn=turn, history=past)
    return following if allowed is None else replace(following, **legal_on(table, game, turn, allowed))


def _set_of(letter: str, table: WordTable, firsts: Tensor) -> Tensor:
    """[1] int64: which of the sets of a first position, whose first words these are, begins with a letter."""
    letters = [table.alphabet[number] for number in first_letters(table, firsts).tolist()]
    if letter not in letters:
        raise ContradictionError(f"no target begins with the letter {letter!r} that is given: use another")
    return torch.tensor([letters.index(letter)], device=table.device)


def _narrowed(legal: Frontier, table: WordTable, game: Game, index: int, code: int) -> Frontier:
    """Return the legal guesses after one more guess and its pattern."""
    row, dtype = torch.tensor([index], dtype=torch.int32, device=table.device), code_dtype(table.length)
    parents, patterns = torch.zeros_like(row, dtype=torch.int64), torch.full_like(row, code, dtype=dtype)
    if code == feedback_of(table).solved(table.length):
        return frontier([row])  # found: the word itself is what all hints allow
    return narrowed(game.legal, table, legal, row, parents=parents, patterns=patterns)


class Searcher:
    """Chooses the next guess of a round: the player's search when no checkpoint fits.

    Args:
        words: see `position_after`.
        device: auto, cpu, cuda or cuda:1.
        strategy: how guesses are chosen; `parts` when not given.
        game: the rules, or their name; lingo when not given.
        letter: that the target begins with, where the game gives it.
    Raises:
        DeviceError: the device is not there.

    >>> Searcher(["dents", "dozes", "reads"], "cpu").guess([("dozes", "OXX?O")])
    'dents'
    """

    def __init__(
        self,
        words: WordList | Sequence[str] | int,
        device: str = "auto",
        strategy: Strategy | None = None,
        game: Game | str | None = None,
        letter: str = "",
    ) -> None:
        self.game, self.letter = game_of(game), letter
        self.wordlist = words_of(words, self.game)
        self.strategy = strategy or named("parts")
        self.table = table_of(self.wordlist, self.game).to(find_device(device))

    def __repr__(self) -> str:
        size = f"{len(self.wordlist):,} words of {self.wordlist.length} letters"
        return brief("Searcher", f"{self.game.code}, {self.strategy.name}, {size}, {self.table.device}")

    def guess(self, history: Sequence[tuple[str, str]]) -> str:
        """Return the next guess after a history of guesses and marks.

        Raises:
            ValueError, ContradictionError, UnknownWordError: as `position_after`.
        """
        position = position_after(history, self.wordlist, self.game, self.table, letter=self.letter)
        if self.game.counts_misses and position.frontier.members.shape[0] == 1:
            return self.wordlist[int(position.frontier.members[0])]
        return guess_names(self.game, self.wordlist.words)[int(self.strategy.choose(position).guesses[0])]

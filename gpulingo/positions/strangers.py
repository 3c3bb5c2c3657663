"""Guesses that are no words of a list: the table that has them, neither as targets nor as advice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import torch

from gpulingo.games.game import Game
from gpulingo.strategies.build import position_after
from gpulingo.strategies.strategy import Position, legal_on
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList


def table_with(words: WordList, game: Game, guesses: Iterable[str]) -> tuple[WordTable, WordList]:
    """Return the table of a list and of the guesses that it lacks, and the list with them, which come last.

    Args:
        guesses: words, or letters where the game guesses these.
    Returns:
        Both; none of the added guesses is legal or a target. Without any, the list's own table and the list.

    >>> from gpulingo.games.catalogue import lingo
    >>> table, more = table_with(WordList("two", ["ab", "cd"]), lingo(), ["ab", "zz"])
    >>> more.words, table.pool.tolist(), table.targets.tolist()
    (['ab', 'cd', 'zz'], [0, 1], [0, 1])
    """
    strange = sorted(set(guesses).difference(guess_names(game, words.words)))
    table = table_of(words, game)
    if not strange:
        return table, words
    if game.guesses_letters:
        strange = [letter * words.length for letter in strange]
    more = WordList(words.source, [*words.words, *strange])
    weights = table.weights
    if weights is not None:
        weights = torch.cat([weights, torch.zeros(len(strange), dtype=torch.int32)])
    wide = table_of(more, game)
    pool = wide.pool if game.guesses_letters else table.pool
    return wide.with_sets(table.targets, pool, weights), more


def position_of(
    words: WordList, game: Game, history: Sequence[tuple[str, str]], letter: str, device: str
) -> Position:
    """Return the position after a history, whose guesses need not be words of the list, nor letters of it.

    Args:
        letter: see `position_after`.
        device: where to compute.
    Raises:
        ValueError: a guess that the game does not allow after those before it.
        DeviceError: no such device.
    """
    place = find_device(device)
    if game.guesses_letters:
        table = table_of(words, game).to(place)
        known = [(guess, row) for guess, row in history if guess in table.alphabet]
        position = position_after(known, words, game, table, letter=letter)
        left = game.turns - sum("O" not in row for _, row in history)
        return replace(position, turns_left=left)
    table, more = table_with(words, game, (guess for guess, _ in history))
    table = table.to(place)
    if len(more) == len(words) or game.legal == "any":
        return position_after(history, more, game, table, letter=letter)
    # What was guessed was allowed then, list or not; it is not to be guessed again.
    every = torch.arange(len(more), dtype=torch.int32, device=place)
    wide = table.with_sets(table.targets, every, table.weights)
    position = position_after(history, more, game, wide, letter=letter)
    if position.allowed is None:
        return replace(position, table=table, pool=None if position.pool is None else table.pool)
    members = position.allowed.members
    allowed = frontier([members[members < len(words)]])
    return replace(position, table=table, **legal_on(table, game, position.turn, allowed))

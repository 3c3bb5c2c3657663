"""The best guesses of a position side by side: played out, then searched to the end as time allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from gpulingo.advice.outlook import Outlook
from gpulingo.games.game import Game
from gpulingo.search import MEMORY
from gpulingo.search.lookahead import Lookahead
from gpulingo.search.perfect import OutOfTime, Perfect, stopped_at
from gpulingo.search.set_values import set_weights
from gpulingo.strategies.history import position_after
from gpulingo.strategies.registry import named
from gpulingo.strategies.strategy import Position, Strategy
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank, split, value_search
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList

PAIRS = 1 << 28  # of guess and candidate, about, that are played out together
WIDTH = 10  # guesses of each set that a lookahead expands
TOGETHER = 5  # guesses that are followed up by it at once
TRIED = 50  # guesses that are played out
PLAYED = "of the guesses of most classes, each played out by {name}: * is what it has at least"
SEARCHED = "by a search of every guess: nothing is better"


def outlooks(
    words: WordList,
    game: Game,
    history: Sequence[tuple[str, str]],
    *,
    letter: str = "",
    count: int = 10,
    seconds: float = 2.0,
    device: str = "auto",
) -> tuple[list[Outlook], str]:
    """The best guesses after a history, and how they were found.

    Args:
        words: that may be guessed, with targets and weights.
        history: guesses, words of the list or others, and their marks, that some target fits and that leave
            a turn.
        letter: that the target begins with, where the game gives it.
        count: guesses.
        seconds: that the search may go on after the first guess is played out, whatever that takes.
        device: where to compute.
    Returns:
        The best first; those whose `exact` is set expect what they say, the others at least as much.
    Raises:
        ValueError: a guess that the game does not allow after those before it. DeviceError: no such device.
    """
    position = _position(words, game, history, letter, device)
    names = guess_names(game, words.words)
    strategy = named("frequency" if game.costs == "miss" else "parts", game=game)
    first, *blocks = _blocks(position, _ranked(position, max(count, TRIED)))
    played = _played(position, first, strategy)
    ends = clock() + seconds  # loading what searches is not searching
    for block in blocks:
        if clock() > ends:
            break
        played += _played(position, block, strategy)
    played.sort(key=lambda own: own.order(game))
    ahead = _looked_ahead(position, [own.guess for own in played[: 2 * count]], ends)
    best = _best_of([*played[: 2 * count], *ahead], game)[:count]
    exact = _searched(position, [own.guess for own in best], ends)
    best = _best_of([*best, *exact], game)[:count]
    if position.names_words:  # nothing follows
        best = [replace(own, exact=True) for own in best]
    total = int(set_weights(position))
    how = _how(best, {own.guess for own in ahead}, strategy.name)
    return [_outlook(own, names, position, total) for own in best], how


def _how(best: Sequence[_Played], ahead: set[int], name: str) -> str:
    """How guesses were found, of which some were looked ahead of; the others were played out by name."""
    if best[0].exact:
        return SEARCHED if all(own.exact for own in best) else f"{SEARCHED}; * is at least"
    after = [own.guess in ahead for own in best]
    looking = f"a lookahead of {WIDTH} guesses"
    return PLAYED.format(name=looking if all(after) else f"{name} or {looking}" if any(after) else name)


@dataclass(frozen=True)
class _Played:
    """A guess that was played out.

    Attributes:
        guess: its index. turns: found on each turn, or what they weigh.
        classes, largest: that it makes. exact: whether nothing better follows it.
    """

    guess: int
    turns: list[int]
    classes: int
    largest: int
    exact: bool = False

    def order(self, game: Game) -> tuple[int, bool, int]:
        """A key by which the best guess comes first."""
        credits = sum(game.credits(turn) * count for turn, count in enumerate(self.turns, 1))
        return -credits, not self.exact, self.guess


def _best_of(guesses: Sequence[_Played], game: Game) -> list[_Played]:
    """Guesses, the best first, each once: as well as it was followed up, or as it was searched."""
    by_guess: dict[int, _Played] = {}
    for own in sorted(guesses, key=lambda own: (not own.exact, own.order(game))):
        by_guess.setdefault(own.guess, own)
    return sorted(by_guess.values(), key=lambda own: own.order(game))


def _position(
    words: WordList, game: Game, history: Sequence[tuple[str, str]], letter: str, device: str
) -> Position:
    """The position after a history, whose guesses need not be words of the list, nor letters of it."""
    place = find_device(device)
    table = table_of(words, game.feedback).to(place)
    if game.feedback == "positions":
        known = [(guess, row) for guess, row in history if guess in table.alphabet]
        position = position_after(known, words, game, table, letter=letter)
        left = game.turns - sum("O" not in row for _, row in history)
        return replace(position, turns_left=left)
    strange = list(dict.fromkeys(guess for guess, _ in history if guess not in words))
    if strange:
        more = WordList(words.source, [*words.words, *strange])
        table = _with_words(more, table).to(place)
        return position_after(history, more, game, table, letter=letter)
    return position_after(history, words, game, table, letter=letter)


def _with_words(more: WordList, table: WordTable) -> WordTable:
    """A table of more words, none of which may be guessed or be the target beside those of another table."""
    weights = table.weights
    if weights is not None:
        weights = torch.cat([weights.cpu(), torch.zeros(len(more) - table.words, dtype=torch.int32)])
    return table_of(more).with_sets(table.targets.cpu(), table.pool.cpu(), weights)


def _ranked(position: Position, count: int) -> Tensor:
    """[K] int32: the legal guesses of most classes, and some of the candidates, that were not guessed yet."""
    table, front, pool = position.table, position.frontier, position.pool
    most = int(front.sizes[0])
    if position.names_words:
        if table.weights is None:
            return front.members[:count]
        weights = table.weights[front.members.long()]
        return front.members[weights.sort(descending=True, stable=True).indices[:count]]
    objective = classes(max(most, position.largest), 1)
    every = pool.members.shape[0] if isinstance(pool, Frontier) else len(table.pool)
    ranked = rank(table, front, pool, objective, min(count, every if pool is not None else most))
    rows = [ranked.guesses[0]]
    if table.feedback == "marks" and most < every:  # else they were ranked just now
        rows.append(rank(table, front, None, objective, min(count, most)).guesses[0][: count // 5 + 1])
    guesses = list(dict.fromkeys(guess for guess in torch.cat(rows).tolist() if guess >= 0))
    past = set() if position.history is None else set(position.history.guesses[0].tolist())
    left = [guess for guess in guesses if guess not in past] or guesses
    return torch.tensor(left[: count + count // 5], dtype=torch.int32, device=table.device)


def _blocks(position: Position, guesses: Tensor) -> Iterator[Tensor]:
    """The guesses, a few or one alone first, then as many together as are a fair amount of work."""
    work = int(position.frontier.sizes[0]) * len(position.table.pool)
    size = max(1, PAIRS // max(1, work))
    first = max(1, size // 8)
    yield guesses[:first]
    yield from guesses[first:].split(size) if len(guesses) > first else ()


def _played(position: Position, guesses: Tensor, strategy: Strategy, *, exact: bool = False) -> list[_Played]:
    """Guesses of the position's only set, each followed up by a strategy."""
    table, count = position.table, len(guesses)
    turns = torch.zeros(count, position.game.turns, dtype=torch.int64, device=table.device)
    roots = torch.arange(count, device=table.device)
    here = position.take(torch.zeros_like(roots))
    parts = split(table, here.frontier, guesses)
    classes = torch.bincount(parts.parents, minlength=count) + parts.hits
    largest = torch.ones_like(roots).scatter_reduce_(0, parts.parents, parts.frontier.sizes, "amax")
    chosen = guesses
    while True:
        _add_found(turns, roots, here, (chosen, parts.hits))
        here, roots = here.after(chosen, parts), roots[parts.parents]
        if here.lives is not None:
            going = here.goes_on()
            here, roots = here.take(going), roots[going]
        if not (here.frontier.sets and here.turns_left):
            break
        chosen = here.frontier.firsts.clone()
        for sets, asked in here.apart():
            chosen[sets] = strategy.choose(asked).guesses
        parts = split(table, here.frontier, chosen)
    rows = zip(guesses.tolist(), turns.tolist(), classes.tolist(), largest.tolist(), strict=True)
    return [_Played(*row, exact) for row in rows]


def _add_found(turns: Tensor, roots: Tensor, here: Position, guessed: tuple[Tensor, Tensor]) -> None:
    """Add what each set's guess finds to the turns of the guess it goes back to, in place.

    Args:
        turns: [K, turns] int64. roots: [S], rows of it. guessed: [S] guesses, and whether each is a hit.
    """
    chosen, hits = guessed
    turn = torch.full_like(roots, here.turn - 1)
    if here.game.costs == "miss":  # turn t is the time from miss t - 1 on
        turn = here.game.turns - torch.full_like(roots, here.turns_left)
        turn = turn if here.lives is None else here.game.turns - here.lives
    weights = here.table.weights
    weight = 1 if weights is None else weights[chosen.clamp(max=here.table.words - 1).long()]
    turns.index_put_((roots, turn), hits.long() * weight, accumulate=True)


def _looked_ahead(position: Position, guesses: Sequence[int], ends: float) -> list[_Played]:
    """Guesses, each followed up by a lookahead, as far as there is time; none where the game has none."""

    def check(pairs: int) -> None:
        if clock() > ends:
            raise OutOfTime

    widths = dict.fromkeys(range(3, position.turns_left), WIDTH)
    try:
        ahead = Lookahead(position.table, position.game, widths, progress=check)
    except ValueError:
        return []
    played: list[_Played] = []
    row = torch.tensor(guesses, dtype=torch.int32, device=position.table.device)
    try:
        for block in row.split(TOGETHER):
            played += _played(position, block, ahead)
    except OutOfTime:
        pass
    return played


def _searched(position: Position, guesses: list[int], ends: float) -> list[_Played]:
    """The guesses, and the best of all, each followed up as well as can be, as far as there is time."""
    game, table = position.game, position.table
    legal = game.legal if game.legal in ("any", "hard", "consistent") else None
    if game.opponent != "chance" or game.costs != "guess" or legal is None or game.terms is None:
        return []
    if clock() >= ends or position.names_words:
        return []
    bonus, pace = game.terms
    search = value_search(table, MEMORY // 8, legal=legal, bonus=bonus, pace=pace)
    perfect, found = Perfect(search, ends), list[_Played]()
    try:
        with stopped_at(search, ends):
            best = perfect.choose(position).guesses
            for guess in dict.fromkeys([int(best[0]), *guesses]):
                one = torch.tensor([guess], dtype=torch.int32, device=table.device)
                found += _played(position, one, perfect, exact=True)
    except OutOfTime:
        pass
    return found


def _outlook(own: _Played, names: Sequence[str], position: Position, total: int) -> Outlook:
    """A guess for an answer."""
    target = bool((position.frontier.members == own.guess).any())
    return Outlook(
        names[own.guess], own.turns, total,
        classes=own.classes, largest=own.largest, target=target, exact=own.exact,
    )  # fmt: skip

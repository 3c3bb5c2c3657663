"""A batch of rounds as tensors: programs play any game in it, many rounds at a time; it chooses no guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch import Tensor

from gpulingo.advice.round import tiles
from gpulingo.games.catalogue import LINGO, feedback_of, game_of
from gpulingo.games.game import Game
from gpulingo.solvers.words.legality import LANES, Legality, legality_of, narrow_rounds, pool_bits
from gpulingo.strategies.build import chosen_guesses, chosen_strategy
from gpulingo.strategies.strategy import Position, Strategy, first_letters, first_position
from gpulingo.tensors.arrays import Array, free_memory
from gpulingo.tensors.checks import check_row, check_within
from gpulingo.tensors.device import find_device
from gpulingo.tensors.draws import ALL, lots
from gpulingo.tensors.feedback import feedback_of as table_feedback
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.operations import allows, paired_patterns, play, split
from gpulingo.tensors.wordtable import signs_of, table_of
from gpulingo.trees.text import guess_names
from gpulingo.words.shown import FIRST_ROWS, brief, counted, html_table
from gpulingo.words.targets import words_of
from gpulingo.words.wordlist import WordList

BLOCK = 4096  # rounds whose legal words are held at once
STORED = 1 << 27  # bytes of bits that are stored between steps, so that only the last guess narrows them


class Rounds:
    """B rounds of a game at once, each on its own turn, as tensors on one device.

    Guesses are indices into the list, in hangman numbers of letters. A guess that is invalid costs a turn and
    shows nothing: all marks are 0, absent. Neither `step` nor a `reset` by lot waits for the device.

    Attributes:
        wordlist, game, table: the words, the rules, and the words on the device.
        targets: [B] int32, the words to find.
        guesses: [B, T] int32, by turn; -1 for an invalid guess, and where none was made yet.
        marks: [B, T, M] uint8, their feedback: absent 0, misplaced 1 and placed 2 for each letter; in
            hangman 1 where the letter is; in games of codes the counts; in Jotto the letters in common, and
            N + 1 for the word itself, `5!` in `history`.
        turn: [B] int32, guesses made so far.
        turns_left: [B] int32; if misses cost, the lives left.
        done: [B] bool, whether the word was found or no turn is left.
        credits: [B] int32, the payoff of a round that is done, otherwise 0.
        invalid: [B] bool, whether the last guess was not legal, not in the list, or came after the end.
        sets: [B] int64, the set of each round in the last `position`; -1 if it is done.

    >>> rounds = Rounds(["dents", "dozes", "reads"], targets=["reads", "dents"])
    >>> rounds.step(torch.tensor([1, 1], dtype=torch.int32))
    tensor([[1, 0, 0, 1, 2],
            [2, 0, 0, 1, 2]], dtype=torch.uint8)
    >>> rounds.step(rounds.choose("parts")).tolist(), rounds.credits.tolist()
    ([[2, 2, 2, 2, 2], [2, 2, 2, 2, 2]], [4, 4])
    """

    CHECKED = "reset", "legal", "positions", "history"  # methods whose arguments are checked as a function's

    def __init__(
        self,
        words: WordList | Sequence[str] | int = 5,
        game: Game | str = LINGO,
        count: int | None = None,
        *,
        targets: Sequence[str] | Tensor | None = None,
        device: str | torch.device = "cpu",
        seed: int = 0,
    ) -> None:
        """Begin rounds.

        Args:
            words: a list; its words, of one length, in lower case, distinct; or a length.
            game: the rules, or their name.
            count: B; None: one for each of the targets, or 1.
            targets: the word to find in each round, or [B] int32 indices; None: by lot, and by weight if
                targets have weights. A seed draws the same words on every device.
            device: a name as for `find_device`, or a torch.device.
            seed: of the words drawn; its lowest 63 bits count.
        Raises:
            WordListError, UnknownGameError, DeviceError: no such list, game or device.
            UnknownWordError: a target is not in the list.
            ValueError: a host chooses the answers; a target that the list does not allow; a number of
                rounds that is not 1 or more, not that of the targets, or too large for the memory.
        """
        self.game = game = game_of(game)
        if game.opponent != "chance":
            raise ValueError(f"a host chooses the answers of {game.name}: name another game")
        self.wordlist, place = words_of(words, game), torch.device(find_device(device))
        self.table = table = table_of(self.wordlist, game).to(place)
        drawn = None if targets is None else self._indices(targets)
        self.count = many = (1 if drawn is None else drawn.shape[0]) if count is None else count
        if many < 1 or (drawn is not None and drawn.shape[0] != many):
            fault = f"{many} rounds" + (f" for {drawn.shape[0]} targets" if drawn is not None else "")
            raise ValueError(f"{fault}, expected one or more, one for each target")
        self.counts_misses = game.counts_misses
        turns = game.turns + (table.length - 1) * game.counts_misses  # hits, and as many misses as lives
        numbers = len(table_feedback(table).digits(table.length)[0])
        size = 64 + (turns + 1) * (4 + numbers)  # with what a step makes
        if many > (fits := free_memory(place) // size):
            raise ValueError(f"{many:,} rounds, memory of {place} for {fits:,}: ask for no more")
        zeros = partial(torch.zeros, device=place, dtype=torch.int32)
        self.targets, self.turn, self.turns_left, self.credits = (zeros(many) for _ in range(4))
        self.done, self.invalid = zeros(many, dtype=torch.bool), zeros(many, dtype=torch.bool)
        self.guesses, self.marks = zeros(many, turns), zeros(many, turns, numbers, dtype=torch.uint8)
        self.payoff = torch.tensor(game.payoff, dtype=torch.int32, device=place)
        self.sets, self._counters = (zeros(many, dtype=torch.int64) for _ in range(2))
        self._first = table.words if game.guesses_letters else 0  # of the table's guesses
        self._ruled = game.legal != "any" or game.guesses_letters
        self._weights = None if table.weights is None else table.weights[table.targets].cumsum(0)
        # By number of valid guesses: these and the targets of all rounds, the position, and the set of each.
        self._known: dict[int, tuple[Tensor, Tensor, Position, Tensor]] = {}
        self._rules: dict[str, tuple[Legality, Array, tuple[Array, Array] | None]] = {}
        self.reset(torch.ones_like(self.done), drawn, seed=seed)

    def __repr__(self) -> str:
        return brief("Rounds", f"{self.game.code}, {counted(self.count, 'round')}, {self.table.device}")

    def _repr_html_(self) -> str:
        ends = zip(range(FIRST_ROWS), self.turns_left.tolist(), self.credits.tolist(), strict=False)
        rows = [
            (number, " ".join(tiles(*pair, self.game) for pair in self.history(number)), *end)
            for number, *end in ends
        ]
        return html_table(self, ["round", "guesses", "turns left", "credits"], rows)

    def step(self, guesses: Tensor) -> Tensor:
        """Make the next guess of every round; a round that is done ignores it.

        Args:
            guesses: [B] int32 on the device: indices into the list, or numbers of letters.
        Returns:
            [B, M] uint8, the marks.
        Raises:
            TypeError, ValueError: guesses are not such a tensor.
        """
        guesses = check_row("guesses", guesses, "int32", self.table.device, self.count)
        if self._ruled:
            guesses = torch.where(self._keep_rule(guesses), guesses, -1)
        return play(self.table, self, guesses)

    def reset(
        self, done: Tensor, targets: Sequence[str] | Tensor | None = None, *, seed: int | None = None
    ) -> None:
        """Begin some rounds again, with new words.

        Args:
            done: [B] bool on the device: which.
            targets: B words, or [B] int32 indices; to check them waits for the device. None: by lot.
            seed: of the words drawn from now on.
        Raises:
            TypeError, ValueError: not such tensors, or a target that the list does not allow.
            UnknownWordError: a target is not in the list.
        """
        done = check_row("done", done, "bool", self.table.device, self.count).clone()  # maybe our own
        given = None if targets is None else self._indices(targets, self.count)
        if seed is not None:
            first = torch.tensor([seed & ALL >> 1], device="cpu")  # whatever the default device is
            start = lots(first, ALL >> 1)  # far from those of other seeds
            # In place: a tensor made within torch.inference_mode could not be changed outside it.
            self._counters.copy_(torch.arange(self.count, device=done.device)).add_(int(start))
        if given is None:
            places = lots(self._counters, self.wordlist.total_weight)
            if self._weights is not None:
                places = torch.searchsorted(self._weights, places, right=True)
            given = self.table.targets[places]
            self._counters.add_(done, alpha=self.count)
        self.targets.copy_(torch.where(done, given, self.targets))
        self.guesses.masked_fill_(done[:, None], -1)
        self.marks.masked_fill_(done[:, None, None], 0)
        for row, value in ((self.turn, 0), (self.credits, 0), (self.done, False), (self.invalid, False)):
            row.masked_fill_(done, value)
        self.turns_left.masked_fill_(done, self.game.turns)

    def legal(self, first: int = 0, last: int | None = None, *, packed: bool = False) -> Tensor | None:
        """Return which words each round may guess now, for the rounds `first` to before `last`.

        Args:
            packed: return [last - first, W / 8] uint8, a bit per word, the first in the lowest bit:
                `numpy.unpackbits(rows, axis=1, count=W, bitorder="little")` reads them.
        Returns:
            [last - first, W] bool, in hangman a column per letter; nothing is legal in a round that is done.
            None if the game allows any word. Call it for blocks of rounds if all would not fit the memory.
        """
        if not self._ruled:
            return None
        count = self.table.guesses - self._first
        if (bits := self._shown(self.game.legal, first, last)) is None:
            legal = self._legal(first, last)
            if not packed:
                return legal
            eights = torch.nn.functional.pad(legal.to(torch.uint8), (0, -count % 8)).unflatten(1, (-1, 8))
            places = torch.arange(8, dtype=torch.uint8, device=legal.device)
            return (eights << places).sum(2, dtype=torch.uint8)
        rows = bits.view(np.uint8)
        if packed:
            rows = rows[:, : (count + 7) // 8].copy()
        else:
            rows = np.unpackbits(rows, axis=1, count=count, bitorder="little").view(bool)
        rows[self.done[first:last].numpy()] = 0
        return torch.from_numpy(rows)

    def _legal(self, first: int, last: int | None) -> Tensor:
        """[R, W] bool: see `legal`, from the positions, on any device."""
        done, past = self.done[first:last], self.guesses[first:last]
        shape = len(done), self.table.guesses - self._first
        legal = torch.zeros(shape, dtype=torch.bool, device=done.device)
        if self._first:
            legal[:, signs_of(self.table) :] = True
            guessed = torch.zeros_like(legal, dtype=torch.uint8)
            guessed.scatter_reduce_(1, past.clamp(min=0).long(), (past >= 0).to(torch.uint8), "amax")
            return legal & (guessed == 0) & ~done[:, None]
        which = torch.zeros_like(self.done)
        which[first:last] = ~done
        for position, sets in self.positions(which):
            sets = sets[first:last]
            inside = torch.zeros(position.frontier.sets, legal.shape[1], dtype=torch.bool, device=done.device)
            pool = position.frontier if position.pool is None else position.pool
            if isinstance(pool, Frontier):
                inside[pool.owners, pool.members.long()] = True
            else:
                inside[:, pool.long()] = True
            legal = torch.where((sets >= 0)[:, None], inside[sets], legal)
        return legal

    def position(self) -> Position:
        """Return the position of all rounds that are not done; `sets` has the set of each round.

        Rounds with equal histories share a set: `step(choice.guesses[rounds.sets])` plays a choice.

        Raises:
            ValueError: no round is open, or rounds are on several turns; see `positions`.
        """
        made = list(self.positions())
        if len(made) != 1:
            fault = "every round is done" if not made else f"rounds are at {len(made)} different turns"
            raise ValueError(f"{fault}: reset rounds, or use positions()")
        position, self.sets = made[0]
        return position

    def positions(self, which: Tensor | None = None) -> Iterator[tuple[Position, Tensor]]:
        """Yield a position for each turn that rounds are on, and [B] int64, the set of each round.

        The set is -1 for other rounds. Rounds with another number of invalid guesses are apart as well.

        Args:
            which: [B] bool on the device, of which those whose word is not found; None: all not done.
        Raises:
            TypeError, ValueError: not such a tensor.
        """
        if which is None:
            return self._positions(~self.done)
        which = check_row("which", which, "bool", self.table.device, self.count)
        return self._positions(which & (self.credits <= self.payoff[0]))

    def _positions(self, which: Tensor) -> Iterator[tuple[Position, Tensor]]:
        """Yield positions as `positions` does; the word of none of these rounds is found."""
        most, sets = self.guesses.shape[1] + 1, torch.full_like(self.targets, -1, dtype=torch.int64)
        kinds = torch.where(which, self.turn * most + (self.guesses >= 0).sum(1), -1)
        for kind in kinds.unique().tolist():
            if kind < 0:
                continue
            numbers, (made, valid) = (kinds == kind).nonzero()[:, 0], divmod(kind, most)
            past = self.guesses[numbers]
            order = (past < 0).to(torch.uint8).sort(stable=True).indices[:, :valid]
            position, set_ids = self._position(numbers, past.gather(1, order))
            left, lives = self.game.turns - made, None
            if self.game.counts_misses:
                lefts = self.turns_left[numbers].long()
                left = int(lefts.max())
                lives = torch.zeros_like(position.frontier.sizes).scatter_(0, set_ids, lefts)
            position = replace(position, turn=made + 1, turns_left=left, lives=lives)
            if (allowed := position.allowed) is not None:
                position = position.allowing(allowed)
            yield position, sets.scatter(0, numbers, set_ids)

    def _position(self, numbers: Tensor, guesses: Tensor) -> tuple[Position, Tensor]:
        """Return the position after [R, H] guesses, and [R] int64, the sets; equal histories share one."""
        valid, targets = guesses.shape[1], self.targets[numbers]
        rows = torch.full_like(self.guesses[:, :valid], -1).index_copy_(0, numbers, guesses)
        position, sets, begun = first_position(self.table, self.game), torch.zeros_like(numbers), 0
        if (known := self._known.get(valid - 1)) is not None:
            same = (known[0] == rows[:, :-1]).all(1) & (known[1] == self.targets) & (known[3] >= 0)
            if bool(same[numbers].all()):
                position, sets, begun = known[2], known[3][numbers], valid - 1
        if self.game.given and not begun:
            letters = first_letters(self.table, position.frontier.firsts)
            sets = torch.searchsorted(letters, first_letters(self.table, targets))
        for guessed in (guesses[:, begun:] + self._first).unbind(1):
            pairs, sets = (sets * self.table.guesses + guessed).unique(return_inverse=True)
            row, position = (pairs % self.table.guesses).int(), position.take(pairs // self.table.guesses)
            classes = split(self.table, position.frontier, row)
            places = classes.places_of(sets, paired_patterns(self.table, guessed.contiguous(), targets))
            assert places is not None  # the target is in one of them
            position, sets = position.after(row, classes), places
        kept, sets = sets.unique(return_inverse=True)
        position = position.take(kept)
        every = torch.full_like(self.targets, -1, dtype=torch.int64).scatter_(0, numbers, sets)
        self._known[valid] = rows, self.targets.clone(), position, every
        return position, sets

    def candidates(self) -> Tensor:
        """Return [B] int64, the number of words that fit each round so far; 1 if the word is found."""
        if (bits := self._shown("")) is not None:
            return torch.from_numpy(np.bitwise_count(bits).sum(1, dtype=np.int64))
        left = torch.ones_like(self.sets)
        for position, sets in self.positions(torch.ones_like(self.done)):
            left = torch.where(sets >= 0, position.frontier.sizes[sets], left)
        return left

    def choose(self, strategy: Strategy | Callable[[list[str], list[tuple[str, str]]], str] | str) -> Tensor:
        """Return [B] int32, the guess of a strategy in every round, 0 in those that are done.

        Args:
            strategy: see `simulate`; a name is looked up at every call.
        Raises:
            ValueError: no such strategy, or it failed.
        """
        names = guess_names(self.game, self.wordlist.words)
        chosen, guesses = chosen_strategy(strategy, self.wordlist, self.game), torch.zeros_like(self.turn)
        for position, sets in self.positions():
            made = chosen_guesses(chosen, position, names).guesses - self._first
            if self._first:  # of a word, the only candidate, its first letter that was not guessed
                letters = self.table.letters[position.frontier.firsts.long()].to(torch.int32)  # [S, N]
                past = position.history.guesses - self._first  # type: ignore[union-attr]  # it is recorded
                new = (letters[:, :, None] != past[:, None]).all(2) & (letters >= signs_of(self.table))
                first = letters.gather(1, new.to(torch.uint8).argmax(1, keepdim=True))[:, 0]
                made = torch.where(made < 0, first, made)
            guesses = torch.where(sets >= 0, made[sets], guesses)
        return guesses

    def history(self, number: int) -> list[tuple[str, str]]:
        """Return the valid guesses of one round with their marks as text, for `suggest` and `review`.

        Raises:
            TypeError, ValueError: not the number of a round.
        """
        if not -self.count <= number < self.count:
            raise ValueError(f"number is {number}, expected 0 to {self.count - 1}")
        guesses = self.guesses[number][self.guesses[number] >= 0]
        targets = self.targets[number].expand_as(guesses).contiguous()
        patterns = paired_patterns(self.table, guesses + self._first, targets).tolist()
        names: Sequence[str] = self.table.alphabet if self._first else self.wordlist.words
        texts = [feedback_of(self.game).marks(pattern, self.table.length) for pattern in patterns]
        return list(zip([names[guess] for guess in guesses.tolist()], texts, strict=True))

    def _shown(self, rule: str, first: int = 0, last: int | None = None) -> Array | None:
        """[R, B] uint64, read only: words that a rule allows, or all that fit; None without a kernel."""
        fits, table = rule == "", self.table
        whole = table.device.type == "cpu" and len(table.pool) == table.guesses == table.words
        if not whole or not (fits or rule in ("hard", "consistent")):
            return None
        if rule not in self._rules:
            legality = legality_of(table, rule or "consistent", self.game.turns)
            allowed = np.zeros(table.words, np.bool_)
            allowed[table.targets.numpy() if fits else legality.pool] = True
            begin = pool_bits(allowed)
            stored = _empty(self.guesses, begin) if self.count * begin.nbytes <= STORED else None
            self._rules[rule] = legality, begin, stored
        legality, begin, stored = self._rules[rule]
        targets, past = self.targets[first:last].numpy(), self.guesses[first:last]
        if not fits and self.game.since > 1:
            past = torch.where(self.turn[first:last, None] + 1 < self.game.since, -1, past)
        bits, applied = _empty(past, begin) if stored is None else (rows[first:last] for rows in stored)
        narrow_rounds(legality, begin, fits and bool(self.game.given), past.numpy(), targets, bits, applied)
        return bits

    def _keep_rule(self, guesses: Tensor) -> Tensor:
        """Return [B] bool: whether the game allows each guess, as far as it is one."""
        if self._first:
            return (self.guesses != guesses[:, None]).all(1) & (guesses >= signs_of(self.table))
        words, legal = guesses.clamp(0, self.table.words - 1), torch.zeros_like(self.done)
        for first in range(0, self.count, BLOCK):
            if (bits := self._shown(self.game.legal, first, first + BLOCK)) is None:
                break
            places = words[first : first + BLOCK].numpy()
            lane_bits = bits[np.arange(len(places)), places // LANES] >> (places % LANES).astype(np.uint64)
            legal[first : first + BLOCK] = torch.from_numpy((lane_bits & np.uint64(1)).astype(bool))
        else:
            return legal
        legal.fill_(True)
        if self.game.legal == "candidates":
            targets = torch.zeros_like(self.table.letters[:, 0], dtype=torch.bool)
            legal = targets.index_fill_(0, self.table.targets.long(), True)[words]
        for past in self.guesses.unbind(1):
            before = past.clamp(min=0)
            patterns = paired_patterns(self.table, before, self.targets)
            legal &= (past < 0) | allows(self.game.legal, self.table, words, before, patterns)
        return legal | (self.turn + 1 < self.game.since)

    def _indices(self, targets: Sequence[str] | Tensor, count: int | str = "B") -> Tensor:
        """[B] int32 on the device, the targets that a caller gives."""
        table, words = self.table, self.wordlist
        if not isinstance(targets, Tensor):
            numbers = {word: number for number, word in enumerate(words.words)}
            entered = [words.enter(word) for word in targets]
            rows = [numbers[word] if word in numbers else words.index(word) for word in entered]
            targets = torch.tensor(rows, dtype=torch.int32, device=table.device)
        ids = check_row("targets", targets, "int32", table.device, count)
        check_within("targets", ids, table.words)
        if not bool(torch.isin(ids, table.targets).all()):
            raise ValueError("some targets are words of the list that may not be the answer: leave them out")
        return ids


def _empty(guesses: Tensor, begin: Array) -> tuple[Array, Array]:
    """Bits of rounds and what is in them, nothing yet, for `narrow_rounds`."""
    rounds, turns = guesses.shape
    return np.empty((rounds, len(begin)), np.uint64), np.full((rounds, 1 + turns), -1, np.int32)

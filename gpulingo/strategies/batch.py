"""A batch of rounds as tensors: programs play any game in it, many rounds at a time; it chooses no guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor

from gpulingo.games.catalogue import LINGO, feedback_of, game_of
from gpulingo.games.game import Game
from gpulingo.strategies.build import chosen_guesses, chosen_strategy
from gpulingo.strategies.strategy import Position, Strategy, first_letters, first_position, legal_on
from gpulingo.tensors.checks import check_row, check_tensor, check_within
from gpulingo.tensors.device import find_device
from gpulingo.tensors.feedback import feedback_of as table_feedback
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.memory import free_memory
from gpulingo.tensors.operations import START, allows, paired_patterns, play, split
from gpulingo.tensors.round_arrays import RoundArrays
from gpulingo.tensors.wordtable import signs_of, table_of
from gpulingo.trees.text import guess_names
from gpulingo.words.choice import words_of
from gpulingo.words.shown import brief, counted
from gpulingo.words.wordlist import WordList

MIX = (30, -0x40A7B892E31B1A47), (27, -0x6B2FB644ECCEEE15), (31, 1)  # shifts and factors of splitmix64
STEP = -0x61C8864680B583EB  # between two of its states
ALL = (1 << 63) - 1


class Rounds:
    """B rounds of a game at once, each on its own turn, as tensors on one device.

    Guesses are indices into the list, in hangman numbers of letters. A guess that is invalid costs a turn and
    shows nothing: all marks are 0, absent. No method waits for the device but `position`, `positions`,
    `choose`, `legal` under a rule, and `history`.

    Attributes:
        wordlist, game, table: the words, the rules, and the words on the device.
        targets: [B] int32, the words to find.
        guesses: [B, T] int32, by turn; -1 for an invalid guess, and where none was made yet.
        marks: [B, T, M] uint8, their feedback: absent 0, misplaced 1 and placed 2 for each letter; in
            hangman 1 where the letter is; in games of codes the counts.
        turn: [B] int32, guesses made so far.
        turns_left: [B] int32; if misses cost, the lives left.
        done: [B] bool, whether the word was found or no turn is left.
        credits: [B] int32, the payoff of a round that is done, otherwise 0.
        invalid: [B] bool, whether the last guess was not legal, not in the list, or came after the end.
        sets: [B] int64, the set of each round in the last `position`; -1 if it is done.

    >>> rounds = Rounds(["dents", "dozes", "reads"], "lingo", targets=["reads", "dents"])
    >>> rounds.step(torch.tensor([1, 1], dtype=torch.int32))
    tensor([[1, 0, 0, 1, 2],
            [2, 0, 0, 1, 2]], dtype=torch.uint8)
    >>> rounds.step(rounds.choose("parts")).tolist(), rounds.credits.tolist()
    ([[2, 2, 2, 2, 2], [2, 2, 2, 2, 2]], [4, 4])
    """

    targets: Tensor
    guesses: Tensor
    marks: Tensor
    turn: Tensor
    turns_left: Tensor
    done: Tensor
    credits: Tensor
    invalid: Tensor

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
            seed: of the words drawn.
        Raises:
            WordListError: no such list. UnknownWordError: a target is not in it.
            UnknownGameError: no such game.
            DeviceError: no such device.
            ValueError: a host chooses the answers; a target that the list does not allow; a number of
                rounds that is not 1 or more, not that of the targets, or too large for the memory.
        """
        self.game = game_of(game)
        if self.game.opponent != "chance":
            raise ValueError(f"a host chooses the answers of {self.game.name}: name another game")
        self.wordlist = words_of(words, self.game)
        self.table = table_of(self.wordlist, self.game).to(find_device(device))
        drawn = None if targets is None else self._indices(targets)
        self.count = (1 if drawn is None else drawn.shape[0]) if count is None else count
        if self.count < 1 or (drawn is not None and drawn.shape[0] != self.count):
            seen = f"{self.count} rounds" + (f" for {drawn.shape[0]} targets" if drawn is not None else "")
            raise ValueError(f"{seen}, expected one or more, one for each target")
        self._first = self.table.words if self.game.guesses_letters else 0  # of the table's guesses
        self._ruled = self.game.legal != "any" or self.game.guesses_letters
        self._begin(seed, drawn)
        self.reset(torch.ones_like(self.done), drawn)

    def _begin(self, seed: int, drawn: Tensor | None) -> None:
        """Allocate the arrays."""
        table, game, many = self.table, self.game, self.count
        turns = game.turns + (table.length - 1) * game.counts_misses  # hits, and as many misses as lives
        shown = len(table_feedback(table).digits(table.length)[0])
        each = 64 + (turns + 1) * (4 + shown)  # with what a step makes
        if many > (fits := free_memory(table.device) // each):
            seen = f"{many:,} rounds of {each} bytes, memory of {table.device} for {fits:,}"
            raise ValueError(f"{seen}: ask for no more")
        weights = None if table.weights is None else table.weights[table.targets].cumsum(0)
        self._weights, self._total = weights, table.targets.shape[0] if weights is None else int(weights[-1])
        self._draws = torch.arange(many, dtype=torch.int64, device=table.device) + (seed & ALL >> 1)
        sizes: dict[str, tuple[int, ...]] = {"guesses": (many, turns), "marks": (many, turns, shown)}
        kinds = {"marks": torch.uint8, "done": torch.bool, "invalid": torch.bool}
        payoff = torch.tensor(game.payoff, dtype=torch.int32, device=table.device)
        self._arrays = RoundArrays(
            **{
                field.name: torch.zeros(
                    sizes.get(field.name, (many,)),
                    dtype=kinds.get(field.name, torch.int32),
                    device=table.device,
                )
                for field in fields(RoundArrays)[:8]
            },
            payoff=payoff,
            counts_misses=game.counts_misses,
        )
        for field in fields(RoundArrays)[:8]:
            setattr(self, field.name, getattr(self._arrays, field.name))
        self.sets = torch.zeros_like(self._draws)

    def __repr__(self) -> str:
        return brief("Rounds", f"{self.game.code}, {counted(self.count, 'round')}, {self.table.device}")

    def __len__(self) -> int:
        return self.count

    def step(self, guesses: Tensor) -> Tensor:
        """Make the next guess of every round; a round that is done ignores it.

        Args:
            guesses: [B] int32 on the device: indices into the list, or numbers of letters.
        Returns:
            [B, M] uint8, the marks.
        Raises:
            TypeError, ValueError: guesses are not such a tensor.
        """
        guesses = check_row("guesses", guesses, torch.int32, self.table.device, self.count)
        if self._ruled:
            guesses = torch.where(self._keep_rule(guesses), guesses, -1)
        return play(self.table, self._arrays, guesses)

    def reset(self, done: Tensor, targets: Tensor | None = None) -> None:
        """Begin some rounds again, with new words.

        Args:
            done: [B] bool on the device: which.
            targets: [B] int32, their words; None: by lot.
        Raises:
            TypeError, ValueError: not such tensors.
        """
        done = check_row("done", done, torch.bool, self.table.device, self.count)
        if targets is None:
            targets = self._drawn()
            self._draws.add_(done, alpha=self.count)
        self.targets.copy_(torch.where(done, targets, self.targets))
        self.guesses.masked_fill_(done[:, None], -1)
        self.marks.masked_fill_(done[:, None, None], 0)
        for row, value in ((self.turn, 0), (self.credits, 0), (self.done, False), (self.invalid, False)):
            row.masked_fill_(done, value)
        self.turns_left.masked_fill_(done, self.game.turns)

    def legal(self, first: int = 0, last: int | None = None) -> Tensor | None:
        """Return which words each round may guess now, for the rounds `first` to before `last`.

        Returns:
            [last - first, W] bool, in hangman a column per letter; nothing is legal in a round that is done.
            None if the game allows any word. Call it for blocks of rounds if all would not fit the memory.
        """
        if not self._ruled:
            return None
        done, past = self.done[first:last], self.guesses[first:last]
        legal = torch.zeros(len(done), self.table.guesses - self._first, dtype=torch.bool, device=done.device)
        if self._first:
            legal[:, signs_of(self.table) :] = True
            seen = torch.zeros_like(legal).scatter_reduce_(1, past.clamp(min=0).long(), past >= 0, "amax")
            return legal & ~seen & ~done[:, None]
        for position, sets in self.positions(first, last):
            pool = position.frontier if position.pool is None else position.pool
            inside = torch.zeros(position.frontier.sets, legal.shape[1], dtype=torch.bool, device=done.device)
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
            seen = "every round is done" if not made else f"rounds are at {len(made)} different turns"
            raise ValueError(f"{seen}: reset rounds, or use positions()")
        position, self.sets = made[0]
        return position

    def positions(self, first: int = 0, last: int | None = None) -> Iterator[tuple[Position, Tensor]]:
        """Yield a position for each turn that open rounds are on, and [B] int64, the set of each round.

        The set is -1 for other rounds. Rounds with another number of invalid guesses are apart as well.

        Args:
            first, last: the rounds, `last` not among them; None: up to the end.
        """
        past = self.guesses[first:last]
        valid, turns = (past >= 0).sum(1), past.shape[1] + 1
        kinds = torch.where(self.done[first:last], -1, self.turn[first:last] * turns + valid)
        for kind in kinds.unique().tolist():
            if kind >= 0:
                rounds = (kinds == kind).nonzero()[:, 0]
                position, groups = self._position(rounds + first, *divmod(kind, turns))
                yield position, torch.full_like(valid, -1).scatter_(0, rounds, groups)

    def _position(self, rounds: Tensor, made: int, valid: int) -> tuple[Position, Tensor]:
        """Return the position of rounds with equal numbers of guesses and valid guesses, and their sets."""
        table, game, targets = self.table, self.game, self.targets[rounds]
        position, groups = first_position(table, game), torch.zeros_like(rounds)
        if game.given:
            letters = first_letters(table, position.frontier.firsts)
            groups = torch.searchsorted(letters, first_letters(table, targets))
            kept, groups = groups.unique(return_inverse=True)
            position = position.take(kept)
        past = self.guesses[rounds]
        order = (past < 0).to(torch.uint8).sort(stable=True).indices[:, :valid]
        for guesses in (past.gather(1, order) + self._first).unbind(1):
            pairs, groups = (groups * table.guesses + guesses).unique(return_inverse=True)
            position = position.take(pairs // table.guesses)
            guessed = (pairs % table.guesses).to(torch.int32)
            classes = split(table, position.frontier, guessed)
            places = classes.places_of(groups, paired_patterns(table, guesses, targets))
            assert places is not None  # the target is in one of them
            kept, groups = places.unique(return_inverse=True)
            position = position.after(guessed, classes).take(kept)
        ruled: dict[str, Any] = {}
        if (allowed := position.allowed) is not None:
            ruled = legal_on(table, game, made + 1, allowed)
        left = game.turns - made
        if game.counts_misses:
            lives = self.turns_left[rounds].long()
            left = int(lives.max())
            ruled["lives"] = torch.zeros_like(position.frontier.sizes).scatter_(0, groups, lives)
        return replace(position, turn=made + 1, turns_left=left, **ruled), groups

    def choose(self, strategy: Strategy | Callable[[list[str], list[tuple[str, str]]], str] | str) -> Tensor:
        """Return [B] int32, the guess of a strategy in every round, 0 in those that are done.

        Args:
            strategy: see `simulate`; a name is looked up at every call.
        Raises:
            ValueError: no such strategy, or it failed.
        """
        chosen, guesses = chosen_strategy(strategy, self.wordlist, self.game), torch.zeros_like(self.turn)
        names = guess_names(self.game, self.wordlist.words)
        for position, sets in self.positions():
            made = chosen_guesses(chosen, position, names).guesses - self._first
            if self._first:
                made = self._spelt(position, made)
            guesses = torch.where(sets >= 0, made[sets], guesses)
        return guesses

    def _spelt(self, position: Position, guesses: Tensor) -> Tensor:
        """Return the letters of guesses: of a word, the only candidate, the first that was not guessed."""
        assert position.history is not None
        letters = self.table.letters[position.frontier.firsts.long()]  # [S, N]
        past = position.history.guesses - self._first
        new = (letters[:, :, None] != past[:, None]).all(2) & (letters >= signs_of(self.table))
        first = letters.gather(1, new.to(torch.uint8).argmax(1, keepdim=True))[:, 0]
        return torch.where(guesses < 0, first.to(torch.int32), guesses)

    def history(self, number: int) -> list[tuple[str, str]]:
        """Return the valid guesses of one round with their marks as text, for `suggest` and `review`."""
        guesses = self.guesses[number]
        guesses = guesses[guesses >= 0]
        targets = self.targets[number].expand_as(guesses).contiguous()
        patterns = paired_patterns(self.table, guesses + self._first, targets).tolist()
        names: Sequence[str] = self.table.alphabet if self._first else self.wordlist.words
        marks = feedback_of(self.game).marks
        return [
            (names[guess], marks(pattern, self.table.length))
            for guess, pattern in zip(guesses.tolist(), patterns, strict=True)
        ]

    def _keep_rule(self, guesses: Tensor) -> Tensor:
        """Return [B] bool: whether the game allows each guess, as far as it is one."""
        table, game = self.table, self.game
        if self._first:
            return (self.guesses != guesses[:, None]).all(1) & (guesses >= signs_of(table))
        words = guesses.clamp(0, table.words - 1)
        if game.legal == START:
            return first_letters(table, words) == first_letters(table, self.targets)
        legal = torch.ones_like(self.done)
        if game.legal == "candidates":
            legal = torch.isin(words, table.targets)
        for past in self.guesses.unbind(1):
            before = past.clamp(min=0)
            patterns = paired_patterns(table, before, self.targets)
            legal &= (past < 0) | allows(game.legal, table, words, before, patterns)
        return legal | (self.turn + 1 < game.since)

    def _drawn(self) -> Tensor:
        """[B] int32, a word by lot for every round: splitmix64 of a counter, the same on every device."""
        bits = self._draws * STEP
        for shift, factor in MIX:
            bits = (bits ^ (bits >> shift & ALL >> shift - 1)) * factor
        places = (bits & ALL) % self._total
        if self._weights is not None:
            places = torch.searchsorted(self._weights, places, right=True)
        return self.table.targets[places]

    def _indices(self, targets: Sequence[str] | Tensor) -> Tensor:
        """[B] int32 on the device, the targets that a caller gives."""
        if isinstance(targets, Tensor):
            check_tensor("targets", targets, (torch.int32,), ("B",))
            ids = targets.to(self.table.device)
            check_within("targets", ids, self.table.words)
        else:
            numbers = {word: number for number, word in enumerate(self.wordlist.words)}
            entered = [self.wordlist.enter(word) for word in targets]
            rows = [numbers[word] if word in numbers else self.wordlist.index(word) for word in entered]
            ids = torch.tensor(rows, dtype=torch.int32, device=self.table.device)
        if not bool(torch.isin(ids, self.table.targets).all()):
            raise ValueError("some targets are words of the list that may not be the answer: leave them out")
        return ids

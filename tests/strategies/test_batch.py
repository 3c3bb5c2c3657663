"""Batches of rounds: every game takes the turns that `simulate` takes, on every device."""

from copy import copy

import numpy as np
import pytest
import torch
from sampled import quick

from gpulingo import Rounds, WordList, embedded, find_game, review, simulate
from gpulingo.games.catalogue import feedback_of
from gpulingo.strategies import batch
from gpulingo.tensors import reference

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ARRAYS = "targets guesses marks turn turns_left done credits invalid".split()
WORDS = WordList("a list", embedded().of_length(5).words[::150])
CODES = ["wordle", "lingo-letter", "wordle-from3-hard", "hangman", "mastermind"]
GAMES = {
    "wordle": "parts", "wordle-hard": "parts", "lingo-consistent": "entropy", "lingo-letter": "parts",
    "wordle-from3-hard": "parts", "hangman": "frequency", "mastermind": "parts", "jotto": "parts",
    "lingo2": lambda candidates, history: candidates[len(history) % len(candidates)],
}  # fmt: skip


def words_for(game):
    return 3 if game == "mastermind" else WORDS


def drawn(rounds, number):
    """Guesses by lot, some of which are not in the list and some right."""
    draw, many = torch.Generator().manual_seed(number), rounds.count
    most = rounds.table.guesses - rounds._first
    guesses = torch.randint(-1, most + 1, (many,), generator=draw, dtype=torch.int32)
    right = torch.rand(many, generator=draw) < 0.1
    return guesses if rounds.game.guesses_letters else torch.where(right, rounds.targets.cpu(), guesses)


@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_takes_the_turns_that_simulate_takes(game):
    done = simulate(words_for(game), GAMES[game], game)
    rounds = Rounds(done.wordlist, game, targets=done.wordlist.targets)
    while not rounds.done.all():
        rounds.step(rounds.choose(GAMES[game]))
        assert not rounds.invalid[~rounds.done].any()
    turns = [turn for _, turn in done.found_turns()]
    assert rounds.credits.tolist() == list(map(rounds.game.credits, turns))
    left = 1 + rounds.turns_left if rounds.game.counts_misses else rounds.turns_left + 2
    found = torch.where(rounds.credits > 0, rounds.game.turns + 2 - left, 0)
    assert found.tolist() == turns


@pytest.mark.parametrize("game", ["wordle", "hangman", "mastermind", "jotto"])
def test_marks_are_the_feedback_of_the_rule(game):
    rounds = Rounds(words_for(game), game, 50, seed=1)
    for turn in range(3):
        rounds.step(drawn(rounds, turn))
    rule = feedback_of(find_game(game))
    names = rounds.table.alphabet if rounds._first else rounds.wordlist.words
    for number in range(50):
        history = rounds.history(number)
        target = rounds.wordlist.words[rounds.targets[number]]
        assert history == [(guess, rule.feedback(guess, target)) for guess, _ in history]
        assert [names.index(guess) for guess, _ in history] == [
            guess for guess in rounds.guesses[number].tolist() if guess >= 0
        ]
        shown = [
            tuple(row)
            for row, guess in zip(rounds.marks[number].tolist(), rounds.guesses[number], strict=True)
            if guess >= 0
        ]
        digits = {"X": 0, "?": 1, "O": 2} if game == "wordle" else {"_": 0, "O": 1}
        texts = [marks.split(",") if game == "mastermind" else marks for _, marks in history]
        if game == "jotto":
            texts = [[rule.pattern(marks)] for marks in texts]  # 6 for the word itself
        assert shown == [
            tuple(digits.get(mark) if mark in digits else int(mark) for mark in text) for text in texts
        ]


@pytest.mark.parametrize("game", ["wordle-hard", "lingo-consistent", "wordle-from3-hard", "hangman"])
def test_what_is_legal_is_what_a_step_accepts(game, monkeypatch):
    rounds = Rounds(WORDS, game, 60, seed=2)
    for turn in range(6):
        if turn == 4:  # stored bits of begun and of changed rounds are not those of before
            rounds.reset(rounds.done | (rounds.targets % 2 == 0))
            rounds.targets[7] = rounds.targets[8]
        legal, open_ = rounds.legal(), ~rounds.done
        assert torch.equal(rounds.legal(10, 33), legal[10:33])
        bits = rounds.legal(10, 33, packed=True).numpy()
        rows = np.unpackbits(bits, axis=1, count=legal.shape[1], bitorder="little")
        assert bits.shape[1] == (legal.shape[1] + 7) // 8 and (rows == legal[10:33].numpy()).all()
        assert not legal[rounds.done].any()
        guesses = drawn(rounds, turn).clamp(0, legal.shape[1] - 1)
        some = torch.rand(60, generator=torch.Generator().manual_seed(turn)) < 0.7
        guesses = torch.where(some & open_, legal.to(torch.uint8).argmax(1).to(torch.int32), guesses)
        rounds.step(guesses)
        allowed = legal.gather(1, guesses.long()[:, None])[:, 0]
        assert torch.equal(rounds.invalid, ~allowed)
    stored = rounds.legal()
    monkeypatch.setattr(batch, "STORED", 0)
    rounds._rules.clear()
    assert torch.equal(rounds.legal(), stored) and torch.equal(rounds.legal(10, 33), stored[10:33])
    assert Rounds(WORDS, "wordle").legal() is None


@pytest.mark.parametrize(
    "game", ["wordle", "lingo-letter", "lingo-consistent", "mastermind", "jotto", "hangman"]
)
def test_candidates_are_the_words_that_show_the_same_for_every_guess(game):
    rounds = Rounds(words_for(game), game, 40, seed=3)
    table = rounds.table
    for turn in range(3):
        rounds.step(drawn(rounds, turn))
        for number, count in enumerate(rounds.candidates().tolist()):
            fits = torch.ones_like(table.targets, dtype=torch.bool)
            target = rounds.targets[number : number + 1]
            if rounds.game.given:
                fits &= table.letters[table.targets.long(), 0] == table.letters[target.long(), 0]
            for guess in rounds.guesses[number][rounds.guesses[number] >= 0] + rounds._first:
                rows = guess.expand_as(table.targets).contiguous()
                seen = reference.paired_patterns(table, rows, table.targets)
                fits &= seen == reference.paired_patterns(table, rows[:1], target)
            assert count == int(fits.sum())


def test_an_invalid_guess_costs_a_turn_and_shows_nothing():
    rounds = Rounds(["dents", "dozes", "reads"], "lingo2", targets=["reads"] * 3)
    rounds.step(torch.tensor([-1, 3, 2], dtype=torch.int32))
    assert rounds.marks[:2].eq(0).all() and rounds.invalid.tolist() == [True, True, False]
    assert (rounds.turn.tolist(), rounds.turns_left.tolist()) == ([1, 1, 1], [1, 1, 1])
    assert rounds.done.tolist() == [False, False, True] and rounds.history(0) == []
    sizes = {position.frontier.sizes.item(): sets.tolist() for position, sets in rounds.positions()}
    assert sizes == {3: [0, 0, -1]}
    before = [getattr(rounds, name).clone() for name in ARRAYS[:-1]]
    rounds.step(torch.tensor([0, 2, 1], dtype=torch.int32))
    assert rounds.invalid.tolist() == [False, False, True]
    assert rounds.credits.tolist() == [0, 1, 2] and rounds.turn.tolist() == [2, 2, 1]
    assert [int(row[2].sum()) for row in before] == [
        int(getattr(rounds, name)[2].sum()) for name in ARRAYS[:-1]
    ]


def test_rounds_with_equal_histories_share_a_set():
    rounds = Rounds(WORDS, "wordle", targets=[WORDS.words[number] for number in (3, 3, 9, 40)])
    assert rounds.position().frontier.sets == 1 and rounds.sets.tolist() == [0, 0, 0, 0]
    rounds.step(torch.tensor([7, 7, 7, 40], dtype=torch.int32))
    position = rounds.position()
    assert rounds.sets[0] == rounds.sets[1] != rounds.sets[2] and rounds.sets[3] == -1
    assert (position.turn, position.turns_left) == (2, 5)
    for number in range(3):
        assert rounds.targets[number] in position.frontier.candidates(int(rounds.sets[number]))
    rounds.reset(torch.tensor([True, False, False, True]))
    assert rounds.turn.tolist() == [0, 1, 1, 0] and (rounds.guesses[0] == -1).all()
    assert sorted(position.turn for position, _ in rounds.positions()) == [1, 2]
    with pytest.raises(ValueError, match=r"rounds are at 2 different turns: reset rounds, or use positions"):
        rounds.position()


@pytest.mark.parametrize("game", ["lingo2", "mastermind", "hangman"])
def test_rounds_that_begin_again_are_like_new_ones(game):
    rounds = Rounds(words_for(game), game, 200, seed=1)
    for turn in range(4 * rounds.guesses.shape[1]):
        rounds.step(drawn(rounds, turn))
        ended = rounds.done.clone()
        rounds.reset(rounds.done)
        assert not rounds.done.any() and not rounds.invalid[ended].any() and not rounds.turn[ended].any()
        assert (rounds.turns_left[ended] == rounds.game.turns).all() and (rounds.turns_left > 0).all()
        made = torch.arange(rounds.guesses.shape[1]) < rounds.turn[:, None]
        assert (rounds.guesses[~made] == -1).all() and not rounds.marks[~made].any()
        assert not rounds.credits.any()
        if not rounds.counts_misses:
            assert (rounds.turn + rounds.turns_left == rounds.game.turns).all()


@pytest.mark.parametrize("game", quick(CODES, ["lingo-letter", "mastermind"]))
def test_a_position_does_not_depend_on_the_positions_before(game):
    rounds = Rounds(words_for(game), game, 24, seed=6)
    for turn in range(8):
        fresh = copy(rounds)
        fresh._known = {}
        for (position, sets), (alone, others) in zip(rounds.positions(), fresh.positions(), strict=True):
            assert torch.equal(sets, others) and position.turns_left == alone.turns_left
            assert torch.equal(position.frontier.members, alone.frontier.members)
            assert torch.equal(position.history.guesses, alone.history.guesses)
            for number in (sets >= 0).nonzero()[:, 0].tolist():
                assert rounds.targets[number] in position.frontier.candidates(int(sets[number]))
        rounds.step(drawn(rounds, turn))
        rounds.reset(rounds.done | (torch.arange(24) % 7 == turn))


def test_a_round_is_reviewed_from_its_history():
    rounds = Rounds(WORDS, "wordle", targets=[WORDS.words[5]])
    while not rounds.done:
        rounds.step(rounds.choose("parts"))
    assert review(rounds.history(0), WORDS, "wordle", device="cpu").result == rounds.turn.item()


def test_words_are_drawn_by_weight_and_seed():
    words = WordList("three", ["dents", "dozes", "reads"])
    counts = Rounds(words, count=9000, seed=7).targets.bincount(minlength=3)
    assert (counts - 3000).abs().max() < 200
    weighted = words.with_weights({"dents": 3, "dozes": 0, "reads": 1})
    counts = Rounds(weighted, count=8000, seed=7).targets.bincount(minlength=3)
    assert counts[1] == 0 and abs(int(counts[0]) - 6000) < 200
    seeds = [Rounds(words, count=50, seed=seed) for seed in (1, 1, 2)]
    assert torch.equal(seeds[0].targets, seeds[1].targets) and not torch.equal(
        seeds[0].targets, seeds[2].targets
    )
    seeds[1].reset(torch.ones_like(seeds[1].done), seed=2)
    assert torch.equal(seeds[1].targets, seeds[2].targets)
    assert (seeds[0].targets[1:] == seeds[2].targets[:-1]).sum() < 30  # no shifted copy
    before = seeds[0].targets.clone()
    seeds[0].reset(torch.arange(50) < 25)
    assert torch.equal(seeds[0].targets[25:], before[25:]) and not torch.equal(seeds[0].targets, before)


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
@pytest.mark.parametrize("game", ["wordle", "mastermind", "hangman", "wordle-hard"])
def test_a_step_and_a_reset_wait_for_no_device(monkeypatch, game):
    here = Rounds(words_for(game), game, 20, seed=4)
    from devices.fake import fake_device  # not before Triton's interpreter is chosen

    with fake_device(monkeypatch) as device:
        there = Rounds(words_for(game), game, 20, seed=4, device="cuda")
        for turn in range(3):
            guesses = drawn(here, turn)
            moved = guesses.to("cuda", non_blocking=True)
            device.waits.clear()
            made = there.step(moved)
            there.reset(there.done)
            assert not device.waits
            assert made.tolist() == here.step(guesses).tolist()
            here.reset(here.done)
            for name in ARRAYS:
                assert getattr(there, name).tolist() == getattr(here, name).tolist(), name
        assert there.choose(GAMES[game]).tolist() == here.choose(GAMES[game]).tolist()


@pytest.mark.gpu
@pytest.mark.skipif(DEVICE == "cpu", reason="no CUDA device")
@pytest.mark.parametrize("length", [5, 13])
def test_on_a_device_a_million_rounds_are_played_as_on_the_cpu(length):
    words = embedded().of_length(length)
    here, there = (Rounds(words, "wordle", 1 << 20, seed=3, device=where) for where in ("cpu", DEVICE))
    for turn in range(8):
        guesses = drawn(here, turn)
        assert torch.equal(there.step(guesses.to(DEVICE)).cpu(), here.step(guesses))
        if turn == 5:
            here.reset(here.done)
            there.reset(there.done)
    for name in ARRAYS:
        assert torch.equal(getattr(there, name).cpu(), getattr(here, name)), name


SHAPES = [(), (0,), (2,), (3,), (4,), (3, 1), (1, 3)]
TYPES = [torch.bool, torch.uint8, torch.int32, torch.int64, torch.float32]
STRANGE = [
    object(), True, 1.5, 3, -4, 1 << 70, "dents", b"x", [], [1], (1, 2), ["mouse"] * 3, {}, {1: 2},
    np.ones(3), torch.ones(3, device="meta", dtype=torch.bool), torch.ones(3).to_sparse(),
    torch.full((3,), 1 << 30).int(),
    *(torch.ones(shape).to(kind) for kind in TYPES for shape in SHAPES),
]  # fmt: skip
METHODS = {
    "step": lambda rounds, own: rounds.step(own), "reset": lambda rounds, own: rounds.reset(own),
    "targets": lambda rounds, own: rounds.reset(rounds.done, own),
    "seed": lambda rounds, own: rounds.reset(rounds.done, seed=own),
    "history": lambda rounds, own: rounds.history(own), "legal": lambda rounds, own: rounds.legal(own, own),
    "positions": lambda rounds, own: list(rounds.positions(own)),
}  # fmt: skip
# How many of the strange arguments are right: int32 or bool rows of three, whole numbers.
RIGHT = {"step": 2, "reset": 1, "targets": 1, "seed": 3, "history": 0, "legal": 3, "positions": 1}


@pytest.mark.parametrize("method", METHODS)
def test_what_a_method_cannot_take_is_one_line_of_ours(method):
    rounds, right = Rounds(["dents", "dozes", "reads"], "wordle-hard", 3), 0
    rounds.step(rounds.targets.clone())  # all are found
    for own in STRANGE:
        before = [getattr(rounds, name).clone() for name in ARRAYS]
        try:
            METHODS[method](rounds, own)
            right += 1
        except (TypeError, ValueError, LookupError) as error:
            assert "\n" not in str(error) and ("expected" in str(error) or "is not among" in str(error))
            assert all(map(torch.equal, before, (getattr(rounds, name) for name in ARRAYS)))
    assert right == RIGHT[method]

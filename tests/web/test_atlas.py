"""The atlas: walks along stored trees, forced misses, racks as the command says, requests that are none."""

from __future__ import annotations

import json
import random
import re
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app_for
from gpulingo.games import marks, positions
from gpulingo.games.catalogue import find_game
from gpulingo.positions.service import RequestError
from gpulingo.trees.values import of_tree
from gpulingo.trees.verify import found_turn
from gpulingo.words.listing import embedded

from .conftest import ended, kept

APP = app_for()


def test_misses_of_the_embedded_list_stand_in_the_file_and_are_those_of_the_docs(atlas):
    rows = atlas.misses()["lengths"]
    assert [row["length"] for row in rows] == list(range(2, 25))
    assert [row["forced"] for row in rows[:13]] == [23, 17, 17, 16, 12, 11, 8, 7, 5, 6, 4, 4, 3]
    assert all(row["forced"] == row["enough"] for row in rows)
    page = Path(__file__).parents[2].joinpath("docs", "hangman.md").read_text(encoding="utf-8")
    for row in rows[:12]:
        assert f"\n| {row['length']} | {row['forced']} | " in page


@pytest.mark.slow
@pytest.mark.parametrize("length", [2, 5, 9, 12, 20])
def test_misses_of_the_file_are_found_again(atlas, length):
    from gpulingo.optimise.adversary import misses_bracket

    lengths = ended(atlas.force({"length": length}))["lengths"]
    stored = next(row for row in lengths if row["length"] == length)
    assert misses_bracket(embedded().of_length(length), 600) == (stored["forced"], stored["enough"])


@pytest.mark.slow
def test_misses_of_another_list_are_searched_for_once(small, monkeypatch):
    from gpulingo.optimise import adversary

    assert small.misses()["lengths"] == [{"length": 5, "words": 11, "forced": None, "enough": None}]
    (told,) = ended(small.force({"length": 5}))["lengths"]
    assert told["forced"] == told["enough"] == 4  # bones, cones, lones, tones, zones, and more
    monkeypatch.setattr(adversary, "misses_bracket", None)
    assert ended(small.force({"length": 5})) == small.misses()
    assert small.misses()["lengths"] == [told]


@pytest.mark.slow
def test_a_search_whose_time_is_up_tells_what_can_be_forced_at_least():
    from gpulingo.optimise.adversary import misses_bracket

    forced, enough = misses_bracket(embedded().of_length(7), 0.0)
    assert 0 <= forced <= 11 and enough is None


def test_a_search_that_is_stopped_is_told_and_not_remembered(small):
    stop = threading.Event()
    stop.set()
    with pytest.raises(RequestError, match="was stopped"):
        ended(small.force({"length": 5}), stop=stop)
    assert small.misses()["lengths"][0]["forced"] is None
    assert ended(small.force({"length": 5}))["lengths"][0]["forced"] is not None


@pytest.mark.slow
def test_best_words_are_those_of_the_command(atlas):
    for rack, bag in (("AGZEQUI", "challenge"), ("quizz?e", "scrabble"), ("vvcw", "scrabble")):
        command = ["tiles", "--rack", rack, "--bag", bag, "--top", "20", "--json", "--device", "cpu"]
        entry = json.loads(CliRunner().invoke(APP, command).stdout)
        told = atlas.rack({"rack": rack.replace("?", "_"), "bag": bag, "top": 20})
        assert told["words"] == entry["top"] and told["rack"] == entry["rack"]
    assert "more tiles Z" in atlas.rack({"rack": "zz", "bag": "scrabble"})["notes"][0]


@pytest.mark.slow
def test_all_draws_come_to_what_the_command_says(atlas):
    command = ["tiles", "--all", "--draw", "3", "--bag", "scrabble", "--json", "--device", "cpu"]
    entry = json.loads(CliRunner().invoke(APP, command).stdout)
    told = ended(atlas.draws({"bag": "scrabble", "tiles": 3}))
    none = f"{100 * entry['without_word']:.6f} %"
    figures = [f"{entry['expected']:.6f}", f"{entry['deviation']:.6f}", none]
    assert [own for _, own in told["figures"]] == [*figures, f"{entry['racks']:,}", f"{entry['draws']:,}"]
    assert [row[0] for row in told["tables"]["best-draws"][1]] == [own["rack"] for own in entry["best"]]
    assert ended(atlas.draws({"bag": "scrabble", "tiles": 3})) is told


@pytest.mark.slow
def test_the_trees_of_the_embedded_list_are_told_with_the_figures_of_their_headers(atlas):
    told = atlas.trees()
    assert (told["notes"], told["none"]) == ([], "")
    lengths = {"wordle6": (5,), "wordle-hard6": (5,), "lingo5": range(4, 14), "hangman6": range(4, 14)}
    assert [(own["game"], own["length"]) for own in told["trees"]] == [
        (code, length) for code, own in lengths.items() for length in own
    ]
    for own in told["trees"]:
        tree, _ = kept(own["length"], own["game"])
        values = of_tree(tree)
        assert own["cells"].items() >= values.cells(tree.value, tree.lost).items()
        assert (own["bound"], own["lost"]) == (values.bound(tree.bound_value), tree.lost)
        assert own["optimal"] == (tree.bound == tree.mean_points) == (own["gap"] == "✓ proven best")
        assert own["share"] == pytest.approx(values.figure(tree.value) / values.figure(tree.bound_value))
        assert own["turns"] == tree.turn_counts()


@pytest.mark.slow
def test_the_figures_are_those_of_the_table_of_checkpoints(atlas):
    page = Path(__file__).parents[2].joinpath("checkpoints", "README.md").read_text(encoding="utf-8")
    for own in atlas.trees()["trees"]:
        (line,) = (line for line in page.splitlines() if f" {own['file']} |" in line)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        turns = " ".join(f"{count:,}" for count in own["turns"])
        if own["game"] == "hangman6":
            assert [own["cells"]["won"], own["cells"]["won, %"], own["bound"]] == cells[2:]
        elif own["game"] == "lingo5":
            assert [own["cells"]["mean points"], own["bound"]] == [f"{float(cells[n]):.3f}" for n in (3, 6)]
            assert turns == cells[4]
        else:
            figures = [own["cells"][name] for name in ("total guesses", "mean guesses")]
            assert [own["opening"], *figures, turns, str(own["lost"])] == cells[2:] and own["optimal"]


def test_a_damaged_tree_is_told_and_passed_over(small):
    from gpulingo.storage.files import file_name

    words = small.lists.of_length(5)
    Path(file_name("lingo5", 5, words.fingerprint)).write_bytes(b"PK damaged")
    told = small.trees()
    assert told["trees"] == [] and "lingo5-5-" in told["notes"][0]


def test_of_a_list_without_trees_it_is_told_that_none_is_kept(small):
    assert small.trees()["none"].endswith("gpulingo simulate --game wordle --length 5 --save checkpoints/")
    with pytest.raises(RequestError, match="no tree is stored for the words of 5 letters"):
        small.branch({"game": "lingo5", "length": 5})


@pytest.mark.slow
@pytest.mark.parametrize(("code", "length", "walks"), [("lingo5", 5, 40), ("hangman6", 5, 9)])
def test_words_left_are_those_of_the_plain_rule_and_what_is_expected_is_played(atlas, code, length, walks):
    tree, words = kept(length, code)
    rule, game = (marks if code == "lingo5" else positions), find_game(code)
    names = [*words.words, *sorted(set("".join(words.words)))]
    chance, ends, known = random.Random(3), [], {(): words.words}  # path -> words by the plain rule
    lost = next(word for word in words.words if not found_turn(tree, names, word, set()))
    for target in [lost, *chance.choices(words.words, k=walks)]:
        path = []
        while True:
            left = known[tuple(path)]
            told = atlas.branch({"game": code, "length": length, "path": path, "count": 100, "words": 2000})
            assert (told["left"], told["words"]) == (len(left), left[:2000])
            assert [step["left"] for step in told["trail"]][:1] == [len(words)][: len(path)]
            if len(left) < 300:
                turns = [found_turn(tree, names, word, set()) for word in left]
                played = [game.points(turn) for turn in turns]
                assert told["expected"] == pytest.approx(sum(played) / len(left))
                assert told["lost"] == turns.count(0)
                assert told["turns"] == [turns.count(turn) for turn in range(1, game.turns + 1)]
            if told["end"]:
                ends.append(told["end"])
                break
            sizes = [row["left"] for row in told["classes"]]
            assert sizes == sorted(sizes, reverse=True) and len(sizes) == min(100, told["class_count"])
            word = atlas.branch({"game": code, "length": length, "path": path, "word": target})["classes"]
            assert [(row["guess"], row["marks"]) for row in word][:1] == [
                (told["guess"], rule.feedback(told["guess"], target))
            ]
            assert word[-1]["end"] in ("word", "lost", "found")
            assert all(row["marks"] == rule.feedback(row["guess"], target) for row in word)
            assert all(after["guess"] == row["next"] for row, after in pairwise(word))
            if len(sizes) == told["class_count"]:
                assert sum(sizes) == len(left)
                for turn, count in enumerate(told["turns"]):
                    assert sum(row["turns"][turn] for row in told["classes"]) == count
                assert sum(row["lost"] for row in told["classes"]) == told["lost"]
                mean = sum(row["expected"] * row["left"] for row in told["classes"]) / len(left)
                assert mean == pytest.approx(told["expected"])
            path.append(rule.feedback(told["guess"], target))
            if tuple(path) not in known:
                known[tuple(path)] = [w for w in left if rule.feedback(told["guess"], w) == path[-1]]
    assert {"word", "lost"} <= set(ends)


def test_replies_are_those_of_the_colours_that_are_asked_for(atlas):
    branch = {"game": "lingo5", "length": 5, "count": 100}
    every = [row for start in (0, 100, 200) for row in atlas.branch(branch | {"start": start})["classes"]]
    for shown in ("X.?..", ".....", "OOOO?"):
        fits = re.compile(shown.replace("?", "[?]"))
        fit = [row for row in every if fits.fullmatch(row["marks"])]
        told = atlas.branch(branch | {"shown": shown})
        assert (told["class_count"], told["classes"]) == (len(fit), fit[:100])


@pytest.mark.slow
def test_the_letters_that_a_tree_asks_of_a_word_are_those_of_its_branches(atlas):
    for word in ("indie", "fuzzy", "tares"):
        path, letters = [], ""
        while not (told := atlas.branch({"game": "hangman6", "length": 5, "path": path}))["end"]:
            letters += told["guess"].upper()
            path.append(positions.feedback(told["guess"], word))
        missed = path.count("_____")
        said = f"The best strategy known would have asked {' '.join(letters)}: {missed} missed."
        assert atlas.walk(find_game("hangman6"), 5).asks(word) == said


@pytest.mark.slow
def test_a_letter_that_is_given_is_part_of_the_branch(small, setting):
    from gpulingo import simulate, write_checkpoint
    from gpulingo.storage.files import file_name

    game, words = find_game("lingo-letter"), small.lists.of_length(5)
    tree = simulate(words, "parts", game).tree
    write_checkpoint(tree, Path(file_name(game.code, 5, words.fingerprint)))
    assert [(own["game"], own["letters"]) for own in small.trees()["trees"]] == [
        ("lingo-letter5", sorted({word[0] for word in words.words}))
    ]
    branch = {"game": "lingo-letter5", "length": 5}
    assert small.branch(branch | {"letter": "d"})["words"] == ["dents", "dozes", "dunes"]
    for letter, told in (("", "needs the letter"), ("q", "no target begins")):
        with pytest.raises(RequestError, match=told):
            small.branch(branch | {"letter": letter})

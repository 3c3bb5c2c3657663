"""Branches of kept trees: words left as the plain rule says, values as they are played."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from gpulingo.games import marks, positions
from gpulingo.games.catalogue import find_game
from gpulingo.trees.verify import found_turn
from gpulingo.web.requests import RequestError

from .conftest import kept


@pytest.mark.slow
@pytest.mark.parametrize(("code", "length", "walks"), [("lingo5", 5, 120), ("hangman6", 5, 25)])
def test_words_left_are_those_of_the_plain_rule_and_what_is_expected_is_played(atlas, code, length, walks):
    tree, words = kept(length, code)
    rule, game = (marks if code == "lingo5" else positions), find_game(code)
    names = [*words.words, *sorted(set("".join(words.words)))]
    chance, ends, known = random.Random(3), [], {(): words.words}  # path -> words by the plain rule
    for _ in range(walks):
        target, path = chance.choice(words.words), []
        while True:
            left = known[tuple(path)]
            told = atlas.branch({"game": code, "length": length, "path": path, "count": 100, "words": 2000})
            assert (told["left"], told["words"]) == (len(left), left[:2000])
            assert [step["left"] for step in told["trail"]][:1] == [len(words)][: len(path)]
            if len(left) < 300:
                turns = [found_turn(tree, names, word) for word in left]
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


def test_a_path_ends_where_the_word_is_found_and_where_no_word_fits(atlas):
    branch = {"game": "lingo5", "length": 5}
    told = atlas.branch(branch | {"path": ["OOOOO"]})
    assert (told["end"], told["words"], told["expected"], told["guess"]) == ("found", ["tares"], 500, None)
    told = atlas.branch(branch | {"path": ["OOOO?"]})
    assert (told["end"], told["left"], told["expected"]) == ("none", 0, None)
    with pytest.raises(RequestError, match="after the end"):
        atlas.branch(branch | {"path": ["OOOOO", "OOOOO"]})


def test_replies_are_those_of_the_colours_that_are_asked_for(atlas):
    branch = {"game": "lingo5", "length": 5, "count": 100}
    every = [row for start in (0, 100, 200) for row in atlas.branch(branch | {"start": start})["classes"]]
    for shown in ("X.?..", ".....", "OOOO?"):
        fit = [
            row
            for row in every
            if all(mark in (".", own) for mark, own in zip(shown, row["marks"], strict=True))
        ]
        told = atlas.branch(branch | {"shown": shown})
        assert (told["class_count"], told["classes"]) == (len(fit), fit[:100])


@pytest.mark.parametrize(
    ("code", "path", "say"),
    [
        ("lingo5", [], "199.62 points on average, at most 235.77 for anyone."),
        ("lingo5", ["XX?XX"], "209.05 points on average."),
        ("wordle6", [], "3.48 guesses on average; no strategy does better."),
        ("hangman6", [], "64.8 % of the words won, at most 9,507 words for anyone."),
        ("lingo5", ["OOOOO"], "TARES is the word: found on guess 1."),
        ("lingo5", ["OOOO?"], "No word gives GGGGY after TARES."),
        ("hangman6", ["____O", "_____", "O__O_"], "Only INDIE is left: found with 1 miss."),
        ("hangman6", ["____O", "____?"], "hold '?' at place 5"),
    ],
)
def test_a_sentence_says_what_a_branch_comes_to_or_why_it_ends(atlas, code, path, say):
    try:
        told = atlas.branch({"game": code, "length": 5, "path": path})["say"]
    except RequestError as error:
        told = str(error)
    assert say in told


def test_the_letters_that_a_tree_asks_of_a_word_are_those_of_its_branches(atlas):
    for word in ("indie", "fuzzy", "tares"):
        path, letters = [], ""
        while not (told := atlas.branch({"game": "hangman6", "length": 5, "path": path}))["end"]:
            letters += told["guess"].upper()
            path.append(positions.feedback(told["guess"], word))
        missed = path.count("_____")
        said = f"The best strategy known would have asked {' '.join(letters)}: {missed} missed."
        assert atlas.kept.walk(find_game("hangman6"), 5).asks(word) == said


def test_classes_come_in_parts_that_make_up_the_whole(atlas):
    branch = {"game": "lingo5", "length": 5, "path": ["XX?XX"]}
    whole = atlas.branch(branch | {"count": 100})
    parts = [atlas.branch(branch | {"start": start, "count": 30})["classes"] for start in (0, 30, 60, 90)]
    assert len(whole["classes"]) > 30 and [row for part in parts for row in part][:100] == whole["classes"]


@pytest.mark.slow
def test_a_letter_that_is_given_is_part_of_the_branch(small, setting):
    from gpulingo import simulate, write_checkpoint
    from gpulingo.storage.files import file_name

    game, words = find_game("lingo-letter"), small.kept.lists.every(5)
    tree = simulate(words, "parts", game).tree
    write_checkpoint(tree, Path(file_name(game.code, 5, words.fingerprint)))
    assert [(own["game"], own["letters"]) for own in small.kept.told()["trees"]] == [
        ("lingo-letter5", sorted({word[0] for word in words.words}))
    ]
    branch = {"game": "lingo-letter5", "length": 5}
    assert small.branch(branch | {"letter": "d"})["words"] == ["dents", "dozes", "dunes"]
    for letter, told in (("", "needs the letter"), ("q", "no target begins")):
        with pytest.raises(RequestError, match=told):
            small.branch(branch | {"letter": letter})

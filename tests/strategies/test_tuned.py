"""Tuned values as files: written files are read back, and any other file is reported in one line."""

import json
import re
from dataclasses import replace

import pytest

from gpulingo.cli.wording import worded
from gpulingo.strategies.objectives import SCALE, Pool, fitted_table
from gpulingo.strategies.tuned import (
    Tuned,
    find_tuned,
    get_tuned,
    parsed_tuned,
    tuned_name,
    tuned_text,
    write_tuned,
)
from gpulingo.words.listing import parse


@pytest.fixture
def tuned(words22):
    """Values of the 22 words, for rounds of four turns."""
    knots = {2: ((3, 4 * SCALE), (22, 9 * SCALE)), 3: ((3, 7 * SCALE), (9, 20 * SCALE), (22, 41 * SCALE))}
    return Tuned(
        length=5, words=22, fingerprint=words22.fingerprint, turns=4, knots=knots, bonus=SCALE // 2,
        opening=3, pool=Pool("letters", 10, 7), seed=7, mean_points=312.5,
    )  # fmt: skip


@pytest.fixture
def folder(tuned, tmp_path):
    """A folder with these values."""
    write_tuned(tuned, tmp_path / tuned_name(5, tuned.fingerprint, 4))
    return str(tmp_path)


def test_what_is_written_comes_back_and_gives_the_same_bytes(tuned):
    text = tuned_text(tuned)
    assert parsed_tuned(text) == tuned
    assert tuned_text(parsed_tuned(text)) == text
    assert json.loads(text)["version"] == 1
    assert parsed_tuned(tuned_text(replace(tuned, knots={2: (), 3: ()}))).objective(22, 4).table[22] > 0


@pytest.mark.parametrize("better", ["one", "other"])
def test_of_several_files_the_one_of_most_points_is_taken(tuned, words22, tmp_path, better):
    folders = [str(tmp_path / name) for name in ("one", "other")]
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / tuned_name(5, words22.fingerprint, 4)
        write_tuned(replace(tuned, mean_points=320.0 if name == better else 312.5), path)
    assert find_tuned(words22, folders, 4).mean_points == 320.0
    write_tuned(replace(tuned, mean_points=330.0, turns=5, knots=tuned.knots | {4: ()}), path)
    assert find_tuned(words22, folders, 4).turns == 4


def test_a_damaged_file_is_passed_over_and_told_where_there_is_another(tuned, words22, folder, tmp_path):
    damaged = tmp_path / "damaged" / tuned_name(5, tuned.fingerprint, 4)
    damaged.parent.mkdir()
    damaged.write_text("{")
    told = []
    assert find_tuned(words22, [str(damaged.parent), folder], 4, report=told.append) == tuned
    instead = f"{folder}/{damaged.name} is used instead"
    said = "are no JSON: run `gpulingo tune --length N`, or remove it"
    assert [*map(worded, told)] == [f"tuned values {damaged} {said}; {instead}"]
    with pytest.warns(UserWarning, match=f"{re.escape(instead)}$"):
        assert get_tuned(words22, [str(damaged.parent), folder], 4) == tuned
    with pytest.raises(ValueError, match="are no JSON"):
        find_tuned(words22, [str(damaged.parent)], 4)


def test_a_list_without_a_file_is_told_what_to_run(words22, tmp_path):
    name = f"lingo5-5-{words22.fingerprint[:12]}.values.json"
    said = f"no tuned values for text ({name}): run `gpulingo tune --length 5`"
    with pytest.raises(ValueError) as raised:
        find_tuned(words22, [str(tmp_path)])
    assert worded(raised.value) == said


def test_the_objective_is_worth_what_a_class_has_with_one_turn_less(tuned, words22, folder):
    assert get_tuned(words22, [folder], 5) is None
    objective = find_tuned(words22, [folder], 4).objective
    made = objective(22, 4)
    assert made.table.tolist() == fitted_table(tuned.knots, 22, 3)[3].tolist()
    assert made.bonus == SCALE // 2
    assert objective(9, 2).table.tolist() == [0] + [SCALE] * 9


def test_values_of_another_list_under_the_name_of_this_are_refused(tuned, words22, tmp_path):
    other = parse("heron\nrobin\neagle").of_length(5)
    write_tuned(tuned, tmp_path / tuned_name(5, other.fingerprint))
    with pytest.raises(ValueError, match=f"is for list {words22.fingerprint[:12]}, this list is"):
        find_tuned(other, [str(tmp_path)])

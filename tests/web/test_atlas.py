"""The atlas: trees walked as the plain rule says, figures of the commands, and requests that are none."""

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.games import marks, positions
from gpulingo.games.catalogue import find_game
from gpulingo.report.values import of_tree
from gpulingo.trees.kept import kept_trees
from gpulingo.trees.verify import found_turn
from gpulingo.web import trees
from gpulingo.web.atlas import BRANCH, DRAWS, RACK, Atlas
from gpulingo.web.requests import RequestError, Searches, Setting
from gpulingo.words.listing import embedded

ATLAS = ("trees", "branch", "misses", "force", "rack", "draws")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def atlas(folder):
    """The atlas of the embedded list."""
    return Atlas(Setting(lambda: None, device="cpu"), Searches())


@pytest.fixture
def small(setting):
    """The atlas of a small list, of which nothing is kept."""
    return Atlas(setting, Searches())


def kept(length, code="lingo5"):
    """The tree of the embedded list and its words."""
    words = embedded().of_length(length)
    return next(iter(kept_trees(words, find_game(code))[0].values())), words


@pytest.mark.slow
def test_the_trees_of_the_embedded_list_are_told_with_the_figures_of_their_headers(atlas):
    told = atlas.trees({})
    assert (told["notes"], told["none"]) == ([], "")
    assert [(own["game"], own["length"]) for own in told["trees"]] == [
        (code, length) for code in ("lingo5", "hangman6") for length in range(4, 14)
    ]
    for own in told["trees"]:
        tree, _ = kept(own["length"], own["game"])
        values = of_tree(tree)
        assert own["cells"].items() >= values.cells(tree.mean_points).items()
        assert (own["bound"], own["lost"]) == (values.bound(tree.bound), tree.lost)
        assert own["optimal"] == (tree.bound == tree.mean_points) == (own["gap"].strip("0.") == "")
        assert [turn["count"] for turn in own["turns"]] == tree.turn_counts()


@pytest.mark.slow
def test_the_figures_are_those_of_the_table_of_checkpoints(atlas):
    page = Path(__file__).parents[2].joinpath("checkpoints", "README.md").read_text(encoding="utf-8")
    for own in atlas.trees({})["trees"]:
        (line,) = (line for line in page.splitlines() if f" {own['file']} |" in line)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if own["game"] == "hangman6":
            assert [own["cells"]["won"], own["cells"]["won, %"], own["bound"]] == cells[2:]
        else:
            assert [own["cells"]["mean points"], own["bound"]] == [f"{float(cells[n]):.3f}" for n in (3, 6)]
            assert [turn["count"] for turn in own["turns"]] == [
                int(count.replace(",", "")) for count in cells[4].split()
            ]


@pytest.mark.slow
def test_the_figures_are_those_of_verify(atlas):
    for own in atlas.trees({})["trees"]:
        if own["length"] in (5, 13):
            done = CliRunner().invoke(app, ["verify", str(own["length"]), "--game", own["game"]])
            assert all(cell in done.output for cell in own["cells"].values() if own["game"] == "lingo5")
            assert all(f"{turn['count']:,}" in done.output for turn in own["turns"])


@pytest.mark.slow
@pytest.mark.parametrize(("code", "length", "walks"), [("lingo5", 5, 300), ("hangman6", 5, 25)])
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
            if told["end"]:
                ends.append(told["end"])
                break
            sizes = [row["left"] for row in told["classes"]]
            assert sizes == sorted(sizes, reverse=True) and len(sizes) == min(100, told["class_count"])
            if len(sizes) == told["class_count"]:
                assert sum(sizes) == len(left)
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


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"path": ["XXXXX"] * 256}, "at most 255 marks"),
        ({"letter": "ab"}, "one letter"),
        ({"game": "lingo" * 99}, "too long"),
        ({"game": "absurdle"}, "is played against a host"),
        ({"game": "lingo5", "length": 40}, "length 40"),
        ({"game": "lingo5", "length": 30}, "no words of 30 letters"),
        (
            {"game": "lingo7"},
            "no tree is kept for the words of 5 letters in embedded list and lingo of 7",
        ),
        ({"path": ["XXX"]}, "3 characters, the word has 5 letters"),
        ({"path": ["XXXX_"]}, "hold '_' at place 5"),
        ({"count": 101}, "count 101"),
        ({"words": 2001}, "words 2001"),
        ({"start": -1}, "start -1"),
        ({"file": "/etc/passwd"}, "'file'"),
    ],
)
def test_what_is_no_branch_is_told_in_a_line(atlas, fields, told):
    with pytest.raises(RequestError) as raised:
        atlas.branch({"game": "lingo5", "length": 5} | fields)
    assert told in str(raised.value) and "\n" not in str(raised.value)


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
    assert [(own["game"], own["letters"]) for own in small.trees({})["trees"]] == [
        ("lingo-letter5", sorted({word[0] for word in words.words}))
    ]
    branch = {"game": "lingo-letter5", "length": 5}
    assert small.branch(branch | {"letter": "d"})["words"] == ["dents", "dozes", "dunes"]
    for letter, told in (("", "needs the letter"), ("q", "no target begins")):
        with pytest.raises(RequestError, match=told):
            small.branch(branch | {"letter": letter})


def test_a_damaged_tree_is_told_and_passed_over(small):
    from gpulingo.storage.files import file_name

    words = small.kept.lists.every(5)
    Path(file_name("lingo5", 5, words.fingerprint)).write_bytes(b"PK damaged")
    told = small.trees({})
    assert told["trees"] == [] and "lingo5-5-" in told["notes"][0]


def test_of_a_list_without_trees_it_is_told_that_none_is_kept(small):
    assert small.trees({})["none"].startswith("no tree is kept for the words of ")
    with pytest.raises(RequestError, match="no tree is kept for the words of 5 letters"):
        small.branch({"game": "lingo5", "length": 5})


@pytest.mark.slow
def test_only_so_many_trees_and_classes_are_remembered(atlas, monkeypatch):
    monkeypatch.setattr(trees, "MOST_READ", 6)
    for length in range(4, 12):
        atlas.branch({"game": "lingo5", "length": length, "count": 0})
    assert len(atlas.kept._walks) == 6
    walk = atlas.kept.walk(find_game("lingo5"), 5)
    for row in atlas.branch({"game": "lingo5", "length": 5, "count": 100})["classes"]:
        if not row["end"]:
            atlas.branch({"game": "lingo5", "length": 5, "path": [row["marks"]]})
    assert len(walk._parted) == 48


@pytest.mark.slow
def test_best_words_are_those_of_the_command(atlas):
    for rack, bag in (("AGZEQUI", "challenge"), ("quizz?e", "scrabble"), ("vvcw", "scrabble")):
        command = ["tiles", "--rack", rack, "--bag", bag, "--top", "20", "--json", "--device", "cpu"]
        entry = json.loads(CliRunner().invoke(app, command).stdout)
        told = atlas.rack({"rack": rack.replace("?", "_"), "bag": bag, "top": 20})
        assert told["words"] == entry["top"] and told["rack"] == entry["rack"]
    assert "more tiles Z" in atlas.rack({"rack": "zz", "bag": "scrabble"})["notes"][0]


@pytest.mark.parametrize(
    ("rack", "told"), [("", "no tiles"), ("ab?", "has a blank"), ("a-b", "lacks"), ("a" * 30, "at most 20")]
)
def test_what_is_no_rack_is_told(atlas, rack, told):
    with pytest.raises(RequestError, match=told):
        atlas.rack({"rack": rack})


@pytest.mark.slow
def test_all_draws_come_to_what_the_command_says(atlas):
    command = ["tiles", "--all", "--draw", "3", "--bag", "scrabble", "--json", "--device", "cpu"]
    entry = json.loads(CliRunner().invoke(app, command).stdout)
    told = atlas.draws({"bag": "scrabble", "tiles": 3})
    for name in ("racks", "draws", "expected", "deviation", "without_word"):
        assert told[name] == entry[name]
    assert [own["rack"] for own in told["best"]] == [own["rack"] for own in entry["best"]]
    assert atlas.draws({"bag": "scrabble", "tiles": 3}) is told


def test_misses_of_the_embedded_list_stand_in_the_file_and_are_those_of_the_docs(atlas):
    rows = atlas.misses({})["lengths"]
    assert [row["length"] for row in rows] == list(range(2, 25))
    assert [row["forced"] for row in rows[:13]] == [24, 18, 17, 16, 12, 11, 8, 7, 5, 6, 4, 4, 3]
    assert all(row["forced"] == row["enough"] for row in rows)
    page = Path(__file__).parents[2].joinpath("docs", "hangman.md").read_text(encoding="utf-8")
    for row in rows[:12]:
        assert f"\n| {row['length']} | {row['forced']} | " in page


@pytest.mark.slow
@pytest.mark.parametrize("length", [2, 5, 9, 12, 20])
def test_misses_of_the_file_are_found_again(atlas, length):
    from gpulingo.web.forced import forced_misses

    stored = atlas.force({"length": length})
    assert forced_misses(embedded().of_length(length), 600) == (stored["forced"], stored["enough"])


@pytest.mark.slow
def test_misses_of_another_list_are_searched_for_once(small, monkeypatch):
    from gpulingo.web import forced

    assert small.misses({})["lengths"] == [{"length": 5, "words": 11, "forced": None, "enough": None}]
    told = small.force({"length": 5})
    assert told["forced"] == told["enough"] == 4  # bones, cones, lones, tones, zones, and more
    monkeypatch.setattr(forced, "forced_misses", None)
    assert small.force({"length": 5}) == small.misses({})["lengths"][0] == told


@pytest.mark.parametrize("which", [pytest.param("atlas", marks=pytest.mark.slow), "small"])
def test_no_request_leads_to_another_error(request, which, monkeypatch):
    from gpulingo.web import forced, racks

    asked = request.getfixturevalue(which)  # in one folder they would read one list
    monkeypatch.setattr(forced, "forced_misses", lambda words, seconds: (1, None))
    monkeypatch.setattr(racks, "summed_up", lambda spelling, tiles: {"tiles": tiles})
    chance = random.Random(7)
    texts = ["", "lingo5", "lingo", "hangman6", "wordle-start6", "lingo9999999", "ab", "\0", "\u202e"]
    lists = [[], ["XXXXX"], ["?X?X?"], ["_____"], ["!!!!!"], ["<b>"], [1], [[]], [""], ["X" * 999] * 300]
    values = [None, 0, 1, 5, 7, -1, 10**30, 1.5, float("inf"), {}, True, *texts, *lists, *lists]
    good = {"branch": {"game": "lingo5", "length": 5}, "rack": {"rack": "ab"}, "force": {"length": 5}}
    fields = {"branch": [*BRANCH], "rack": [*RACK], "draws": [*DRAWS], "force": ["length"]}
    answers = 0
    for _ in range(3000):
        name = chance.choice([*ATLAS, "branch", "branch"])
        names = [*fields.get(name, ()), "else"]
        chosen = chance.sample(names, chance.randrange(min(3, len(names))))
        record = {key: chance.choice(values) for key in chosen}
        if chance.random() < 0.8:
            record = good.get(name, {}) | record
        if chance.random() < 0.05:
            record = chance.choice(values)
        try:
            answer = getattr(asked, name)(record)
        except RequestError as error:
            assert "\n" not in str(error) and error.status in (400, 422) and len(str(error)) < 400
        else:
            answers += 1
            assert isinstance(answer, dict) and json.dumps(answer)
    assert answers > 300

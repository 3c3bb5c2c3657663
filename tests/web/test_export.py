"""The exported page: its answers are those of the commands along the trees, whatever runs its JavaScript."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gpulingo.advice.review import Review
from gpulingo.advice.review_text import entry, sentences, turn_rows, verdict
from gpulingo.advice.round import marked_round, read_round
from gpulingo.cli.commands.web import TREES, parsed_trees
from gpulingo.games import marks
from gpulingo.games.catalogue import find_game
from gpulingo.games.units import unit_of
from gpulingo.positions.rounds import reviewed
from gpulingo.web.assistant import Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.export import exported
from gpulingo.web.requests import RequestError, Setting, source_text
from gpulingo.words.levels import unfit_words
from gpulingo.words.wordlist import WordList

from .browsing import BROWSER, DRIVER, started
from .conftest import kept

SEED, ROUNDS = 20261126, 48  # 10,000 agree too
STRAY = 0.2  # of the rounds leave the tree
SETTING = Setting(lambda: None, device="cpu")
GAMES = {"wordle6": "wordle", "lingo5": "lingo"}
# Calls methods of a strategy: [[data, tables], [[method, argument], ..]] -> what each returns, or its error.
CALLS = """async (Strategy, data, tables, calls) => {
  const own = new Strategy(Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)).buffer, tables);
  return calls.map(([name, asked]) => {
    try { return own[name](asked); } catch (error) { return { error: error.message }; }
  });
}"""
NODE = f"""
import {{ readFileSync }} from "node:fs";
import {{ Strategy }} from "./strategy.mjs";
console.log(JSON.stringify(await ({CALLS})(Strategy, ...JSON.parse(readFileSync(0, "utf8")))));
"""
# Asks for what the views ask a server: names and requests -> each answer, or the class of its error.
STORED_RUN = """
import { readFileSync } from "node:fs";
globalThis.fetch = async (name) => new Response(readFileSync(name));
const { posted } = await import("./ask.js");
const calls = JSON.parse(readFileSync(0, "utf8"));
const answers = calls.map(([name, asked]) => posted(name, asked).catch((error) => error.name));
console.log(JSON.stringify(await Promise.all(answers)));
"""
BROWSER_RUN = f"""
const [asked, module, done] = arguments;
import(`data:text/javascript;base64,${{module}}`)
  .then(({{ Strategy }}) => ({CALLS})(Strategy, ...asked)).then(done);
"""


@cache
def files() -> dict[str, bytes]:
    """The files of a page with the usual trees."""
    return exported(SETTING, parsed_trees(TREES))


def run(node: str, folder: Path, program: str, given: Any) -> list[Any]:
    """What a program in JavaScript prints, in a folder."""
    (folder / "run.mjs").write_text(program)
    command = [node, "run.mjs"]
    done = subprocess.run(
        command, input=json.dumps(given), cwd=folder, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.fixture
def posted(tmp_path: Path) -> Callable[..., list[Any]]:
    """A function that says what an exported page in a folder answers to requests."""
    node = shutil.which("node")
    if not node:
        pytest.skip("no node")
    for name, data in {**files(), "package.json": b'{"type": "module"}'}.items():
        (tmp_path / name).write_bytes(data)
    return lambda asked: run(node, tmp_path, STORED_RUN, asked)


def called(folder: Path, code: str, calls: list[tuple[str, Any]]) -> list[Any]:
    """What methods of the strategy of a game return in JavaScript."""
    (data,) = (data for name, data in files().items() if name.startswith(f"{code}-"))
    asked = [b64encode(data).decode(), json.loads(files()["sentences.json"]), calls]
    if node := shutil.which("node"):
        (folder / "strategy.mjs").write_bytes(files()["ask.js"])
        return run(node, folder, NODE, asked)
    if not (BROWSER and DRIVER):
        pytest.skip("neither node nor chromium runs the JavaScript of the page")
    browser, module = started(), b64encode(files()["ask.js"]).decode()
    try:
        browser.set_script_timeout(600)
        return browser.execute_async_script(BROWSER_RUN, asked, module)
    finally:
        browser.quit()


def drawn_rounds(code: str, count: int) -> list[list[str]]:
    """Random rounds along a tree, some of which leave it with their last guess; each as crane:X?XXO."""
    (tree, words), draw, rounds = kept(5, code), random.Random(SEED), list[list[str]]()
    for _ in range(count):
        target, node, history = draw.choice(words.targets), tree.root(""), list[str]()
        turns = draw.choice([tree.turns, tree.turns, draw.randint(1, tree.turns)])
        stray = draw.randint(1, turns) if draw.random() < STRAY else 0
        while node is not None and len(history) < turns:
            guess = words.words[tree.guess[node]]
            if len(history) + 1 == stray:
                guess = draw.choice(words.words)
            row = marks.feedback(guess, target)
            history.append(f"{guess}:{row}")
            node = None if len(history) == stray else tree.child(node, marks.pattern(row))
        rounds.append(history)
    return rounds


def told(review: Review, words: WordList) -> dict[str, Any]:
    """What the server says of a review."""
    (sums, *hows), judged, values = sentences(review), verdict(review, words.targets), entry(review)
    told = {name: values[name] for name in ("unit", "state", "start", "result", "turns")}
    told |= {"list": source_text(words), "rises": unit_of(review.game).rises, "rows": turn_rows(review)}
    return told | {"sums": sums, "hows": hows, "verdict": judged.entry(), "scores": judged.scores}


def followed(code: str, history: list[str]) -> int:
    """How many guesses of a history are those of the tree."""
    (tree, words), node, count = kept(5, code), 0, 0
    for own in history:
        guess, row = own.split(":")
        if node is None or words.words[tree.guess[node]] != guess:
            break
        node, count = tree.child(node, marks.pattern(row)), count + 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_suggestions_along_the_tree_are_those_of_the_command(code, tmp_path):
    assistant, unfit, off = Assistant(SETTING), unfit_words(5), 0
    places = {tuple(own[:turn]) for own in drawn_rounds(code, ROUNDS) for turn in range(len(own) + 1)}
    places = sorted(own for own in places if not own or not own[-1].endswith(":OOOOO"))
    for place, ours in zip(places, called(tmp_path, code, [("suggest", own) for own in places]), strict=True):
        theirs = assistant.suggest({"game": GAMES[code], "history": list(place)})
        names = set(ours)
        if ours["card"].get("state") == "off":
            along = followed(code, list(place)) == len(place)
            assert not along or theirs["suggestions"][0]["guess"] in unfit, place
            assert ours["suggestions"] == [] and "Run gpulingo web on your computer" in ours["card"]["text"]
            names, off = {"left", "candidates", "counted", "rarer", "turn", "open"}, off + 1
        assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}, place
    assert 0 < off < len(places) / 2


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_reviews_are_those_of_the_command_as_far_as_the_round_follows_the_tree(code, tmp_path):
    game, rounds = find_game(code), drawn_rounds(code, ROUNDS // 4)  # sentences of the server take long
    counts = [followed(code, own) for own in rounds]
    played = [marked_round(own[:count], game) for own, count in zip(rounds, counts, strict=True) if count]
    theirs, words = reviewed(played, kept(5, code)[1], game, None, report=pytest.fail, device="cpu")
    answers, cut = iter(theirs), 0
    for own, count, ours in zip(
        rounds, counts, called(tmp_path, code, [("review", own) for own in rounds]), strict=True
    ):
        left = "run gpulingo web on your computer"
        if not count:
            assert left in ours["error"]
            continue
        review = next(answers)
        cut += count < len(own)
        assert [left in note for note in ours["notes"]] == [True] * (count < len(own))
        expected = told(review, words)
        if count < len(own):  # a round is shared whole or not at all
            expected["verdict"]["share"] = ""
        assert {name: ours[name] for name in expected if name not in ("verdict", "turns")} == {
            name: own for name, own in expected.items() if name not in ("verdict", "turns")
        }
        own, their = ours["verdict"], expected["verdict"]
        judged = zip(own.pop("turns"), their.pop("turns"), strict=True)
        turns = zip(ours["turns"], expected["turns"], strict=True)
        for here, there in ((own, their), *judged, *turns):
            assert here == {key: there[key] for key in here}
    assert 0 < cut < len(rounds) / 2


@pytest.mark.slow
@pytest.mark.parametrize("code", GAMES)
def test_branches_are_those_of_the_server(code, tmp_path):
    atlas, draw, asked = Atlas(SETTING), random.Random(SEED), list[dict[str, Any]]()
    for own in drawn_rounds(code, ROUNDS):
        path = [row.split(":")[1] for row in own[: draw.randint(0, followed(code, own))]]
        shown = draw.choice(["", "....X", "?....", "X.O.."])
        asked.append({"path": path, "start": draw.choice([0, 20]), "count": 30, "words": 9, "shown": shown})
    asked += [{**own, "path": [*own["path"], "OOOO?"], "shown": ""} for own in asked if not own["path"]][:1]
    asked += [{"path": ["ZZZZZ"]}, {"path": ["XXXX"]}]
    asked += [{"path": [], "word": word} for word in draw.sample(kept(5, code)[1].targets, 20)]
    for one, ours in zip(asked, called(tmp_path, code, [("branch", own) for own in asked]), strict=True):
        try:
            assert ours == atlas.branch({"game": code, "length": 5, **one}), one
        except RequestError:
            assert list(ours) == ["error"], one


def test_guesses_after_the_end_are_named_with_their_turn(tmp_path):
    tree, words = kept(5, "wordle6")
    first = words.words[tree.guess[0]]
    (own,) = called(tmp_path, "wordle6", [("review", [f"{first}:OOOOO", "crane:XXXXX"])])
    assert own["notes"][0].startswith("CRANE, guess 2, comes after the end")


def test_trees_of_one_name_are_kept_apart_and_a_broken_file_is_told_as_a_missing_one(posted, tmp_path):
    stored = json.loads(files()["stored.json"])
    one, other = stored["trees"]
    broken, missing = {"game": "wordle9", "data": "broken.bin"}, {"game": "wordle10", "data": "missing.bin"}
    stored["trees"] = [one, other | {"name": one["name"], "game": "wordle8"}, one | broken, one | missing]
    (tmp_path / "stored.json").write_text(json.dumps(stored))
    (tmp_path / "broken.bin").write_bytes(files()[one["data"]][:5000])
    asked = [("atlas-branch", {"game": own["game"], "length": 5}) for own in stored["trees"]]
    first, second, *faults = posted(asked)
    assert (first["guess"], second["guess"]) == tuple(own["opening"] for own in (one, other))
    assert faults == ["TypeError", "TypeError"]


def test_a_paste_is_read_as_the_commands_read_it(posted):
    texts = [
        "crane:BYBBG slate=bbbbb",
        "CRANE ⬛🟨⬛⬛🟩 slate ⚫⚫🤍⬜⬛",
        "reads dozes, reads",
        "Wordle 1,234 2/6*\n\n\u2067⬛🟨⬛⬛🟩\u2069\n🟩🟩🟩🟩🟩\nwell!",
        "⬛️🟦⬛️⬛️🟧️ CRANE\n💚💛🖤💚💚 slate",
    ]
    game = find_game("wordle")
    ours = [read_round(text, game, bare=True).guesses for text in texts]
    asked = [("review-read", {"text": text}) for text in [*texts, "⬛🟨 ⬛🟨\n⬛🟨 ⬛🟨", "crane gooby"]]
    *theirs, boards, target = posted(asked)
    assert [own["history"] for own in theirs] == [[":".join(pair) for pair in own] for own in ours]
    assert (boards, target["history"]) == ("Error", ["gooby:XXXXX"])


def test_the_files_name_no_folder_of_this_machine(tmp_path):
    words, paths = kept(5, "wordle6")[1], {name: tmp_path / f"{name}.txt" for name in ("wordlist", "targets")}
    for path, own in zip(paths.values(), (words.words, words.targets), strict=True):
        path.write_text("\n".join(own))
    setting = replace(SETTING, **{name: str(path) for name, path in paths.items()})
    files = exported(setting, parsed_trees("wordle-5"))
    text = b"".join(files.values())
    assert str(tmp_path).encode() not in text and b"wordlist.txt, answers: targets.txt" in text


def test_the_files_name_no_other_host_and_no_address_outside_their_folder():
    texts = {name: data.decode() for name, data in files().items() if not name.endswith(".bin")}
    assert {f"{view}.html" for view in ("index", "review", "play", "atlas")} < set(texts)
    for name, text in texts.items():
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), name
        assert not re.search(r"""(?:href|src|from|fetch|url)[=:( ]*["'`]/""", text), name
    assert "/api/" not in "".join(texts.values())
    assert sum(map(len, files().values())) < 500_000

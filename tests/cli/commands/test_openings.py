"""`gpulingo openings`: their order, the file that stores them, and what it refuses."""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from itertools import combinations, product
from math import log2
from pathlib import Path

import exhaustive
import pytest
from sampled import quick

import gpulingo.positions.book
from gpulingo.cli.suggest import run as suggest
from gpulingo.games.catalogue import find_game
from gpulingo.games.marks import feedback
from gpulingo.optimise.lookahead import Lookahead
from gpulingo.optimise.units import UnitWorkspace
from gpulingo.positions.lines import LineSolver
from gpulingo.solvers.words.fixed import FixedGuesses
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.book import BEST, read_book, write_book
from gpulingo.trees.checkpoint import read_checkpoint

OPENINGS = "openings --length 5 --wordlist list.txt --device cpu --turns 3 --top 6"


def test_openings_are_ranked_by_what_they_score(run, list22, words22):
    line = "openings --length 5 --wordlist list.txt --device cpu --turns 3 --top 22 --width 3:22 --json"
    done = run(line)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    means = [one["mean_points"] for one in found]
    assert len(found) == 22 and means == sorted(means, reverse=True)
    assert all(one["bound"] >= one["mean_points"] for one in found)
    assert run("solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz").exit_code == 0
    assert max(means) <= read_checkpoint("best.npz").mean_points
    assert run(f"{line} --memory 0").stdout == done.stdout
    table = run("openings --length 5 --wordlist list.txt --device cpu --top 3").stdout.splitlines()
    assert len(table) == 5 and table[2].split()[0] in words22.words


@contextlib.contextmanager
def openings_counted(interrupted=0):
    """A list that grows by each opening that is rolled out; Ctrl-C comes at the numbered one."""
    opened, bounded = [], UnitWorkspace.of_opening

    def of_opening(self, opening, goal):
        opened.append(opening)
        if len(opened) == interrupted:
            signal.raise_signal(signal.SIGINT)
        return bounded(self, opening, goal)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(UnitWorkspace, "of_opening", of_opening)
        yield opened


def test_ctrl_c_prints_the_openings_so_far_and_resume_goes_on(run, list22):
    with openings_counted(interrupted=3):  # the third is still finished
        done = run(f"{OPENINGS} --out a.jsonl")
    assert done.exit_code == 130
    assert (
        done.stderr == "gpulingo: interrupted after 3 of 6 openings; a.jsonl has them, --resume continues\n"
    )
    before = Path("a.jsonl").read_text()
    assert len(done.stdout.splitlines()) == 5 and len(before.splitlines()) == 3
    whole = run(OPENINGS)
    with openings_counted() as played:
        done = run(f"{OPENINGS} --out a.jsonl --resume")
    assert (done.exit_code, done.stdout, len(played)) == (0, whole.stdout, 3)
    assert done.stderr == "gpulingo: a.jsonl: 3 openings are there\n"
    after = Path("a.jsonl").read_text()
    assert after.startswith(before) and len(after.splitlines()) == 6
    printed = [json.loads(row) for row in run(f"{OPENINGS} --json").stdout.splitlines()]
    assert all(row.pop("mean_guesses") == 4 - row["mean_points"] / 100 for row in printed)
    assert [[row.pop(name) for name in ("schema", "command")] for row in printed] == [[1, "openings"]] * 6
    assert all(row.pop("version") for row in printed)
    assert sorted(map(json.dumps, printed)) == sorted(after.splitlines())


LINE = "openings --length 5 --wordlist list.txt"


@pytest.mark.slow
def test_the_openings_of_most_lines_come_first_and_all_are_there(run, list22, words22):
    done = run(f"{LINE} --game absurdle --all --json")
    whole, *rows = map(json.loads, done.stdout.splitlines())
    assert (whole["game"], whole["complete"], whole["at_least"]) == ("absurdle", True, len(whole["line"]))
    assert whole["openings"] == len(rows) and whole["lines"] == sum(row["lines"] for row in rows)
    assert [row["lines"] for row in rows] == sorted((row["lines"] for row in rows), reverse=True)
    assert whole["line"][0] == rows[0]["opening"] and {row["opening"] for row in rows} <= set(words22.words)
    few = run(f"{LINE} --opponent largest --top 2 --json")
    assert few.stdout.splitlines() == done.stdout.splitlines()[:3]
    table = run(f"{LINE} --opponent largest --top 2").stdout.splitlines()
    assert table[0] == "list: list.txt; 22 words of 5 letters"
    assert table[1].startswith(f"absurdle: {whole['at_least']} guesses; {len(rows)} of 22 first guesses lead")
    assert [line.split()[0] for line in table[3:]] == [row["opening"] for row in rows[:2]]


def test_ctrl_c_prints_what_is_known_and_ends_with_130(run, list22, monkeypatch):
    searched = LineSolver._search_openings

    def interrupt(self, classes, often):
        if self.at_least == 3:
            signal.raise_signal(signal.SIGINT)
        searched(self, classes, often)

    monkeypatch.setattr(LineSolver, "_search_openings", interrupt)
    done = run(f"{LINE} --game absurdle")
    assert done.exit_code == 130
    assert done.stderr == "gpulingo: interrupted before all first guesses were searched\n"
    assert done.stdout.splitlines()[1].startswith("absurdle: ")


@pytest.mark.parametrize("rule", [pytest.param("", marks=pytest.mark.slow), "--hard", "--consistent"])
def test_first_guesses_against_an_adversary_are_those_of_plain_recursion(run, tmp_path, monkeypatch, rule):
    monkeypatch.chdir(tmp_path)
    words = [first + second + "x" for first in "abc" for second in "mnop"] + ["abc", "mno"]
    (tmp_path / "list.txt").write_text("\n".join(words))
    line = f"openings --length 3 --wordlist list.txt --opponent adversary {rule}"
    whole, *rows = map(json.loads, run(f"{line} --all --json").stdout.splitlines())
    least = whole["at_least"]
    game = find_game("lingo" + rule.replace("--", "-") + "-found", least)
    enough = [word for word in words if exhaustive.best_of(words, game, opening=word) == len(words)]
    assert enough and [row["opening"] for row in rows] == enough
    assert (whole["openings"], whole["at_most"], whole["complete"]) == (len(enough), least, True)
    fewer = json.loads(run(f"{line} --turns {least - 1} --json").stdout.splitlines()[0])
    assert (fewer["openings"], fewer["at_most"], fewer["complete"]) == (0, None, True)
    text = run(f"{line} --top 1").stdout.splitlines()
    assert text[1].endswith(f"within {least} guesses {len(enough)} of 14 first guesses are enough")
    assert text[2:] == enough[:1]


@pytest.mark.parametrize("host", ["--game absurdle", "--opponent adversary"])
def test_a_named_opening_has_the_guesses_that_it_needs_against_a_host(run, tmp_path, monkeypatch, host):
    monkeypatch.chdir(tmp_path)
    words = "ab cb db eb fb gb ah".split()  # the marks of ah tell the least
    (tmp_path / "list.txt").write_text("\n".join(words))
    line = f"openings --length 2 --wordlist list.txt {host} --json"
    whole, *rows = map(json.loads, run(f"{line} --all").stdout.splitlines())
    named = list(map(json.loads, run(f"{line} --opening {','.join(words)} --time 60s").stdout.splitlines()))
    assert [row["opening"] for row in named] == words
    best = [row["opening"] for row in named if row["at_most"] == whole["at_least"]]
    assert best == sorted((row["opening"] for row in rows), key=words.index) and 0 < len(best)
    assert all(row["at_least"] == row["at_most"] >= whole["at_least"] for row in named)


@pytest.mark.parametrize("rule", ["", "--hard"])
def test_a_named_opening_has_its_value_or_bounds_and_the_figures_of_its_classes(run, list22, words22, rule):
    line = f"openings --length 5 --wordlist list.txt --device cpu --json {rule} --opening {words22[4]}"
    rolled, exact = (json.loads(run(own).stdout) for own in (line, f"{line} --time 60s"))
    game = find_game("lingo" + rule.replace("--", "-"))
    value = exhaustive.best_of(words22.words, game, opening=words22[4]) * 100 / 22
    assert rolled["mean_points"] <= exact["mean_points"] == exact["bound"] == pytest.approx(value)
    assert rolled["bound"] >= exact["bound"]
    sizes = Counter(feedback(words22[4], word) for word in words22.words).values()
    assert (exact["classes"], exact["largest_class"]) == (len(sizes), max(sizes))
    assert exact["bits"] == pytest.approx(sum(size * log2(22 / size) for size in sizes) / 22)
    assert exact["expected_size"] == pytest.approx(sum(size * size for size in sizes) / 22)
    assert exact["single_words"] == list(sizes).count(1)


BOOK = "openings --length 5 --wordlist list.txt"


def test_a_book_is_saved_and_then_shown_instead_of_a_search(run, list22, words22):
    saved = run(f"{BOOK} --save checkpoints --top 3")
    assert saved.exit_code == 0
    (path,) = Path("checkpoints").iterdir()
    shown = run(BOOK)
    assert shown.stdout == saved.stdout and "proven best after each; --search" in shown.stdout
    rows = [line.split() for line in shown.stdout.splitlines()[2:5]]
    assert rows[0][3] == "0.00" and all(row[0] in words22.words for row in rows)
    searched = run(f"{BOOK} --search --top 2 --device cpu").stdout
    assert "bound" in searched and "cost" not in searched
    book = read_book(path)
    table, game = table_of(words22, find_game("lingo")), find_game("lingo")
    values = ValueSearch(table, game.payoff, 1 << 20)
    for opening, found in book.openings.items():
        value = sum(game.credits(turn) * count for turn, count in enumerate(found, 1))
        assert value == values.after(opening, game.turns).value


def test_a_book_keeps_the_openings_that_it_has(run, list22, words22, monkeypatch):
    run(f"{BOOK} --save books --opening {words22[4]}")
    (path,) = Path("books").iterdir()
    first = path.read_bytes()
    searched = []
    plain = gpulingo.positions.book.opening_tree
    monkeypatch.setattr(
        gpulingo.positions.book, "opening_tree", lambda *given: searched.append(given[-1]) or plain(*given)
    )
    run(f"{BOOK} --save books --opening {words22[4]},{words22[9]}")
    assert searched == [words22[9]] and set(read_book(path).openings) == {4, 9}
    run(f"{BOOK} --save books --opening {words22[9]}")
    assert len(searched) == 1
    path.unlink()
    run(f"{BOOK} --save books --opening {words22[4]}")
    assert path.read_bytes() == first


def test_a_damaged_book_is_reported_and_the_openings_are_ranked_by_a_search(run, list22):
    run(f"{BOOK} --save checkpoints --top 1")
    (path,) = Path("checkpoints").iterdir()
    path.write_bytes(path.read_bytes()[:-9])
    done = run(f"{BOOK} --top 1 --device cpu")
    assert done.exit_code == 0 and "bound" in done.stdout
    assert done.stderr.startswith("gpulingo: checkpoint checkpoints/") and done.stderr.count("\n") == 1
    for command in (f"prove {path} --wordlist list.txt --tree-only", f"show {path} --wordlist list.txt"):
        named = run(command)
        assert named.exit_code == 1 and str(path) in named.stderr
        assert named.stderr.endswith("again with `gpulingo openings --game NAME --save FOLDER`\n")


def test_a_remedy_names_the_game_of_the_book(run, list22):
    book = f"{BOOK} --game wordle --hard"
    run(f"{book} --save checkpoints --top 1")
    (path,) = Path("checkpoints").iterdir()
    again = "with `gpulingo openings --length 5 --game wordle --hard --save checkpoints`"
    Path("other.txt").write_text(list22.read_text().split("\n", 1)[1])
    for command in ("prove --tree-only", "show"):
        assert again in run(f"{command} {path} --wordlist other.txt").stderr
    path.write_bytes(b"")
    assert again in run(f"{book} --top 1 --device cpu").stderr
    assert again in run(f"{book} --save checkpoints --top 1").stderr and len(read_book(path).openings) == 1


def figures(done):
    """Row -> value and bound that `openings --json` printed."""
    rows = map(json.loads, done.stdout.splitlines())
    return {row["opening"]: (row["mean_points"], row["bound"]) for row in rows}


def test_what_a_stored_tree_knows_better_of_an_opening_is_used(run, list22, words22, monkeypatch):
    line = f"{BOOK} --top 22 --device cpu --json"
    assert run("solve --length 5 --wordlist list.txt --device cpu").exit_code == 0
    (path,) = Path("checkpoints").glob("*6381e627f71f.npz")
    best = read_checkpoint(path)
    word = words22[best.guess[0]]
    # A rollout that is worse than the tree, and a bound that is above what any strategy has.
    with monkeypatch.context() as patched:
        patched.setattr(Lookahead, "values_of", lambda self, words: [10] * len(words))
        patched.setattr(UnitWorkspace, "of_opening", lambda *given: 10**6)
        known = figures(run(line))
    assert known.pop(word) == (best.mean_points, best.mean_points)
    assert {bound for _, bound in known.values()} == {best.mean_points}
    other = next(own for own in words22.words if own != word)
    run(f"{BOOK} --save . --opening {other}")  # with the proven opening beside it
    shown = figures(run(f"{BOOK} --json"))
    assert list(shown) == [word, other] and shown[word] == (best.mean_points,) * 2


def test_first_guesses_are_those_of_the_book_and_the_proven_tree(run, list22, words22, monkeypatch, capfd):
    named = words22.words[3:20:4]
    run(f"{BOOK} --save . --opening {','.join(named)}")
    book = [row["opening"] for row in map(json.loads, run(f"{BOOK} --json").stdout.splitlines())]

    def asked(top):
        suggest(["--wordlist", "list.txt", "--length", "5", "--json", "--top", f"{top}"], load=pytest.fail)
        return json.loads(capfd.readouterr().out)["suggestions"]

    shown = asked(4)  # without a search
    assert [own["guess"] for own in shown] == book[:4]
    assert all((own["exact"], own["by"]) == (True, "opening") for own in shown)
    assert shown[0]["cost"] == 0 and all(own["cost"] is not None for own in shown)
    assert run("solve --length 5 --wordlist list.txt --device cpu").exit_code == 0
    best = read_checkpoint(next(Path("checkpoints").glob("*6381e627f71f.npz")))
    first, *others = asked(4)
    assert first["expected"] == best.mean_points and {own["by"] for own in (first, *others)} == {"tree"}


def test_books_of_two_folders_are_shown_as_one(run, list22, words22):
    for number, folder in ((4, "."), (9, "checkpoints")):
        run(f"{BOOK} --save {folder} --opening {words22[number]}")
    rows = [json.loads(row) for row in run(f"{BOOK} --json").stdout.splitlines()]
    assert {words22.index(row["opening"]): Path(row["book"]).parent.name for row in rows} == {
        4: "", 9: "checkpoints"
    }  # fmt: skip


def test_openings_that_another_search_wrote_meanwhile_stay(run, list22, words22, monkeypatch):
    run(f"{BOOK} --save other --opening {words22[9]}")
    plain = gpulingo.positions.book.opening_tree

    def meanwhile(*given):
        shutil.copytree("other", "books", dirs_exist_ok=True)
        return plain(*given)

    monkeypatch.setattr(gpulingo.positions.book, "opening_tree", meanwhile)
    run(f"{BOOK} --save books --opening {words22[4]}")
    (path,) = Path("books").iterdir()
    assert set(read_book(path).openings) == {4, 9}


@pytest.mark.slow
def test_openings_that_two_processes_save_at_once_are_all_kept(list22, words22):
    def line(names):
        return [sys.executable, "-m", "gpulingo", *BOOK.split(), "--save", ".", "--opening", ",".join(names)]

    saving = [subprocess.Popen(line(words22.words[first:8:2]), stdout=subprocess.PIPE) for first in range(2)]
    assert all("openings of" in own.communicate()[0].decode() for own in saving)
    (path,) = Path().glob("*.book.*")  # and no file of a lock
    assert len(read_book(path).openings) == 8


def test_a_book_that_is_ended_before_its_first_opening_says_so(run, list22, words22, monkeypatch):
    def ended(words, game, search, opening):
        signal.raise_signal(signal.SIGINT)
        search.often(0)

    monkeypatch.setattr(gpulingo.positions.book, "opening_tree", ended)
    done = run(f"{BOOK} --save books --opening {words22[4]}")
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == "gpulingo: interrupted after 0 openings; run it again\n"


def test_a_book_is_proven_tree_by_tree(run, list22, words22):
    run(f"{BOOK} --save . --top 2")
    (path,) = Path().glob("*.book.npz")
    done = run(f"prove {path} --wordlist list.txt --tree-only")
    assert done.exit_code == 0 and len(done.stdout.splitlines()) == 4
    rows = run(f"prove {path} --wordlist list.txt --tree-only --json").stdout.splitlines()
    book = read_book(path)
    assert [words22.index(json.loads(row)["opening"]) for row in rows] == list(book.openings)
    tree = next(iter(book.trees()))
    node = max(range(1, tree.first[1]), key=lambda node: sum(tree.second_guesses(node)[0][1]))
    best = [*tree.best]
    best[(node - 1) * BEST + 1] = tree.opening  # it splits nothing; the value stays that of another guess
    write_book(book.with_trees([tree.replaced(best=best)]), path)
    done = run(f"prove {path} --wordlist list.txt --tree-only")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1
    assert (
        f"{words22[tree.opening]} as second guess after {words22[tree.opening]} has another value"
        in done.stderr
    )


def reference(law, targets, fixed):
    """The classes and the value of best play after fixed guesses, by the plain recurrence."""
    game, sets, value = law.game, {}, 0
    for target in targets:
        if target in fixed:
            value += game.payoff[game.turns - fixed.index(target)]
        else:
            sets.setdefault(tuple(feedback(word, target) for word in fixed), []).append(target)
    value += sum(law.value(law.bits(own), game.turns - len(fixed)) for own in sets.values())
    return len(sets) + len({*fixed}.intersection(targets)), value


WORDS12 = ["".join(row) for row in product("abc", repeat=3)][1:25:2]


@pytest.mark.parametrize(
    ("game", "size"), quick([("wordle", 2), ("lingo", 2), ("wordle", 3)], [("wordle", 2)])
)
def test_sets_of_fixed_guesses_are_those_of_plain_recursion(run, tmp_path, monkeypatch, game, size):
    monkeypatch.chdir(tmp_path)
    targets, rules = WORDS12[1:9], find_game(game)
    Path("list.txt").write_text("\n".join(WORDS12))
    Path("t.txt").write_text("\n".join(targets))
    line = f"openings 3 --game {game} --wordlist list.txt --targets t.txt --together {size} --top 999"
    law = exhaustive.law_of(WORDS12, rules, [WORDS12.index(target) for target in targets])
    found = [json.loads(row) for row in run(f"{line} --json").stdout.splitlines()]
    for row in found:
        value = rules.value_of(row["mean_points"], len(targets))
        assert (row["classes"], value) == reference(law, targets, row["opening"].split(","))
        assert row["bound"] == row["mean_points"] and row["complete"] == (size == 2)
    every = {frozenset(own) for own in combinations(WORDS12, size)}
    assert {frozenset(row["opening"].split(",")) for row in found} == every
    means = [row["mean_points"] for row in found]
    assert means == sorted(means, reverse=True)
    text = run(line).stdout.splitlines()
    most = max(row["classes"] for row in found)
    assert text[-1].startswith(f"{len(every)} sets of most classes; ")
    best = text[-1].split("; ")[1].split()[0].split(",")
    assert reference(law, targets, best)[0] == most


@pytest.mark.slow
def test_of_many_sets_those_of_most_classes_are_printed(run, list22, words22):
    line = "openings 5 --wordlist list.txt --together 2 --json"
    found = [json.loads(row) for row in run(f"{line} --top 48").stdout.splitlines()]
    made = {
        own: len({tuple(feedback(word, target) for word in own) for target in words22.words})
        for own in combinations(words22.words, 2)
    }
    assert sorted(row["classes"] for row in found) == sorted(made.values())[-48:]
    assert run(f"{line} --top 3").stdout.splitlines() == run(f"{line} --top 48").stdout.splitlines()[:3]
    named = [json.loads(row) for row in run(f"{line} --opening crane").stdout.splitlines()]
    assert len(named) == 20 and all(row["opening"].startswith("crane,") for row in named)
    assert max(row["classes"] for row in named) == max(made[own] for own in made if "crane" in own)
    (one,) = map(json.loads, run(f"{line} --opening heron,crane").stdout.splitlines())
    assert (one["opening"], one["complete"]) == ("heron,crane", True)


def test_a_search_of_sets_that_the_time_ends_is_not_complete(run, list22):
    def late(self, bases, best, kept):
        best |= self._counts((0,), self.pool, kept)
        raise TimeIsUp

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FixedGuesses, "_extend", late)
        done = run("openings 5 --wordlist list.txt --together 2 --top 3")
    assert done.exit_code == 0 and done.stdout.splitlines()[-1].endswith(" makes most known, not proven")


@pytest.mark.slow
def test_fixed_guesses_have_the_totals_that_are_public(run, tmp_path, wordle_lists):
    targets = (wordle_lists / "targets.txt").read_text().split()
    rest = [word for word in targets if word not in "agora pupal lynch fibre slave wench".split()]
    (tmp_path / "t.txt").write_text("\n".join(rest))  # the 2,309 that the public totals are of
    line = f"openings 5 --game wordle --wordlist {wordle_lists / 'pool.txt'} --json --together"
    for opening, guesses in (("parse,clint", 8302), ("roast,cline", 8335)):
        row = json.loads(run(f"{line} 2 --targets {tmp_path / 't.txt'} --opening {opening}").stdout)
        assert row["total_guesses"] == guesses
    named = f"--targets {wordle_lists / 'targets.txt'} --opening handy,swift,glove,crump"
    assert json.loads(run(f"{line} 4 {named}").stdout)["single_words"] == 2151

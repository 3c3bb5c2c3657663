"""The script that makes the embedded list: levels, answers, unfit words; other sources only print changes."""

import importlib.util
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "embed_words"
SCOWL = {
    "english-words.10": "tree\ntrees\ntry\ntried\nthese\nglass\nhard\nharder\ngeese\nBob\ncan't\n",
    "american-words.50": "café\nseed\nsing\nmorning\nwalk\nwalking\nbus\ngoose\nbad\nbads\nbadge\n",
    "british-words.20": "colour\ntree\n",
    "english-words.95": "zyzzy\n",
    "special-roman-numerals.35": "xxxvi\n",
}
WORDNET = {
    "index.noun": "  1 licence\ntree n\nglass n\nbus n\ngoose n\nmorning n\nseed n\nbad n\nbadge n\ncafe n\n",
    "index.verb": "try v\nsing v\nwalk v\nseed v\n",
    "index.adj": "hard a\ntried a\n",
    "index.adv": "hard r\n",
    "noun.exc": "geese goose\n",
    "cntlist.rev": "morning%1:28:00:: 1 3\nwalking%1:04:00:: 1 2\n",
}


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with artificial packages in `unpacked`; it writes into a folder of the test."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("embed_words", str(SCRIPT))
    spec = importlib.util.spec_from_loader("embed_words", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    files = {f"scowl/usr/share/dict/scowl/{name}": text for name, text in SCOWL.items()}
    files |= {f"wordnet-base/usr/share/wordnet/{name}": text for name, text in WORDNET.items()}
    files["scowl/usr/share/doc/scowl/copyright"] = "notice\n"
    files["cuss/package/index.js"] = "export const cuss = {\n  bad: 2,\n  glass: 1,\n  'badge': 0\n}\n"
    files["badwords-list/package/lib/array.js"] = 'module.exports = ["bus stop", "goose"];\n'
    for name, text in files.items():
        path = tmp_path / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "data").mkdir()
    kinds = {name: set[str]() for name in ("rare", "answer", "root")}
    kinds |= {"word": {"admin"}, "clean": {"goose"}, "unfit": {"sing"}}
    monkeypatch.setattr(module, "DATA", tmp_path / "data")
    monkeypatch.setattr(module, "reviewed_words", lambda: kinds)
    monkeypatch.setattr(module, "unpacked", lambda packages, folder: module.Sources(tmp_path / "sources"))
    monkeypatch.setattr(module, "CHECKED", dict.fromkeys(("in", "out", "pool", "gone"), ""))
    return module


def test_words_have_levels_and_plain_ones_that_are_fit_are_answers(script: ModuleType) -> None:
    signs = script.signs_of_words(script.unpacked(Path(), Path()))
    assert list(signs) == sorted(signs)
    assert {"colour": "8", "admin": "4", "trees": "0", "walking": "4", "harder": "0"}.items() <= signs.items()
    assert {"bad": "E", "bads": "E", "sing": "E"}.items() <= signs.items()
    answers = [word for word, sign in signs.items() if sign.islower()]
    assert answers == "badge bus cafe geese glass goose hard morning seed these tree try walk".split()
    assert (signs["tree"], signs["seed"]) == ("a", "e")
    assert signs.keys().isdisjoint({"zyzzy", "xxxvi", "bob", "cant"})


def test_the_same_sources_give_the_same_files_and_others_are_only_told(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main([str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "new answers, 13: badge bus" in said.out and "nothing is written" in said.err
    assert not list((tmp_path / "data").iterdir())
    monkeypatch.setattr(script, "DIGEST", said.err.split("digest ")[1].split(":")[0])
    assert script.main([str(tmp_path)]) == 0
    assert "all      22      13     3" in capsys.readouterr().out
    written = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    assert written.keys() == {f"words-{n}.txt.gz" for n in range(2, 25)} | {"COPYRIGHT.SCOWL"}
    assert script.main([str(tmp_path)]) == 0
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    monkeypatch.setattr(script, "CHECKED", script.CHECKED | {"in": "xi"})
    assert script.main([str(tmp_path)]) == 1
    assert "'xi' is not there" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "code"), [(["a", "b"], 2), (["--help"], 2), (["no-folder"], 1)])
def test_wrong_usage_and_missing_packages_are_told(tmp_path: Path, arguments: list[str], code: int) -> None:
    command = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == code and "Traceback" not in done.stderr and "embed_words" in done.stderr

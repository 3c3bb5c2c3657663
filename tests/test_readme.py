"""README and docs: examples run, commands print the shown output, numbers equal those of their files.

pages.tsv has the most kB of a page, and the least number of its command lines, Python examples and commands
with an output. Pages of one run share a folder and commands, but for those that depend on GPU or speed.
"""

import doctest
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from gpulingo.__main__ import run
from gpulingo.cli.app import app_for, commanded
from gpulingo.report.results import EDC65_EXACT, PIT_LIST
from gpulingo.trees.checkpoint import read_checkpoint

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
HEAD, *ROWS = Path(__file__).with_name("pages.tsv").read_text().splitlines()
PAGES = [dict(zip(HEAD.split("\t"), row.split("\t"), strict=True)) for row in ROWS]
COMMAND = r"^(?:\$ )?(?:\./scripts/|PYTHONPATH=examples )?gpulingo (.+)$"  # a line of a block


@pytest.mark.slow
def test_the_python_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for page, examples in known("examples").items():
        found = doctest.testfile(str(page), module_relative=False)
        assert found.attempted >= examples and found.failed == 0, page


def test_a_stranger_reads_a_command_before_the_installation_and_python_before_the_results():
    assert len(README) <= 9000 and len(README.splitlines()) <= 160
    parts = (
        "# gpulingo\n", "tensors", "batched", "CUDA or CPU", "exhaustive", "](docs/pictures/",
        "$ gpulingo suggest", "| I want | command |", "## Install", "./scripts/gpulingo simulate",
        "about a minute", "MB of memory", "## Strategies and programs", "gives 100 x (6 - t)",
        "$ gpulingo simulate", "$ gpulingo solve", "## From Python", ">>> ", "## Results", "## Documentation",
    )  # fmt: skip
    places = [README.find(part) for part in parts]
    assert min(places) >= 0 and places == sorted(places)


WHY = {  # numbers of "Why gpulingo", and the source of each
    "7,920": "checkpoints/README.md", "157 CPU": "docs/wordle.md", "116 kB": "docs/wordle.md",
    "3,968 million": "benchmarks/results.csv", "0.13 s": "docs/howto/gpu.md", "18 times": "docs/howto/gpu.md",
    "8,133 million": "docs/howto/train.md", "941 first guesses": "docs/wordle.md",
    "168 CPU": "docs/wordle.md", "5,625": "docs/codes.md",
}  # fmt: skip


def test_figures_of_the_readme_are_those_of_the_file_they_come_from():
    for figure, source in WHY.items():
        number, text = figure.split()[0], (ROOT / source).read_text()
        assert figure in README and (number in text or number.replace(",", "") in text), figure


def known(name):
    """The pages with a figure in a column of pages.tsv, and the figure."""
    return {DOCS / f"{row['page']}.md": float(row[name]) for row in PAGES if row[name]}


def results(page):
    """The rows of the table of results, by length."""
    rows = re.findall(r"^\| (\d+) \| ([\d,]+) \| ([\d.]+) \|(.*)\|$", (ROOT / page).read_text(), re.MULTILINE)
    return {int(length): (words, points, rest.split(" | ")) for length, words, points, rest in rows}


def test_results_are_those_of_the_checkpoints():
    short, long = results("README.md"), results("docs/results.md")
    for length in range(4, 14):
        tree = read_checkpoint(ROOT / "checkpoints" / f"lingo5-{length}-{PIT_LIST[length]}.npz")
        (words, points, (bound, _, exact)), (more_words, more_points, more) = short[length], long[length]
        assert (words, points) == (more_words, more_points) == (f"{tree.words:,}", f"{tree.mean_points:.3f}")
        upper = "optimal" if tree.bound == tree.mean_points else f"{tree.bound:.2f}"
        assert bound.strip() == more[2] == upper and int(more[1].replace(",", "")) == tree.lost
        assert float(exact) == float(more[4]) == EDC65_EXACT[length]


def test_the_page_of_commands_is_what_the_commands_print():
    script = ROOT / "scripts" / "commands_page.py"
    spec = importlib.util.spec_from_file_location("commands_page", script)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.PAGE.read_text() == made.text(), f"run {script}"


def test_every_command_line_of_a_page_is_understood(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = typer.main.get_command(app_for()).commands
    for page, count in known("lines").items():
        blocks = re.findall(r"^```\w*\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        lines = re.findall(COMMAND, "\n".join(blocks), re.MULTILINE)
        assert len(lines) >= count, page
        for line in lines:
            name, *arguments = commanded(shlex.split(line, comments=True))
            commands[name].make_context(name, arguments)


def typed(page):
    """The command lines of a page: those that begin with $, and those of blocks for a shell."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ ") or (language == "sh" and line.startswith("gpulingo ")):
                yield line.removeprefix("$ ")


def arguments(shell, lines, folder):
    """The arguments that a shell passes for the commands of each line; for a syntax error its exit code."""
    names = sorted({name for line in lines for name in re.findall(r"^(?:\w+=\S+ )?([\w./]+)", line)})
    stubs = [f"{name}() {{ command printf '<%s>' {name} \"$@\" >> seen; }}" for name in names]
    runs = [f'(eval {shlex.quote(line)}) </dev/null; echo " $?" >> seen' for line in lines]
    (folder / "script").write_text("\n".join([*stubs, *runs]))
    subprocess.run([*shell, "script"], cwd=folder, capture_output=True, timeout=60, check=True)
    seen = (folder / "seen").read_text().splitlines()
    (folder / "seen").unlink()
    return seen


@pytest.mark.skipif(not (shutil.which("zsh") and shutil.which("bash")), reason="zsh or bash is missing")
def test_every_command_line_of_readme_and_docs_is_the_same_in_bash_and_zsh(tmp_path):
    lines = [line for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] for line in typed(page)]
    assert len(lines) > 80
    for name in re.findall(r" < (\S+)", "\n".join(lines)):
        (tmp_path / name).touch()
    seen = [arguments(shell, lines, tmp_path) for shell in (["bash", "-O", "failglob"], ["zsh", "-f"])]
    bad = [
        each for each in zip(lines, *seen, strict=True) if each[1] != each[2] or not each[1].endswith(" 0")
    ]
    assert not bad


def test_a_page_keeps_to_its_size():
    assert [page for page, most in known("kB").items() if len(page.read_bytes()) > most * 1000] == []


def test_the_file_map_names_every_layer():
    layers = {path.parent.name for path in (ROOT / "gpulingo").glob("*/__init__.py")}
    assert layers == set(re.findall(r"^\| `(\w+)/` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE))


def test_the_hour_in_the_code_is_ten_files_of_at_most_2400_lines():
    page = (ROOT / "docs/how-it-works.md").read_text()
    hour = re.findall(r"^\| `(\S+\.py)` \|", page, re.MULTILINE)
    assert len(hour) == 10 and sum(len((ROOT / file).read_text().splitlines()) for file in hour) <= 2400


def anchors(page):
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    plain = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", plain, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("[bc]*/README.md"), *ROOT.glob("docs/**/*.md")]:
        for path, _, anchor in re.findall(r"\]\(([^)#\s]*)(#([^)\s]+))?\)", page.read_text()):
            if not path.startswith("http"):
                target = (page.parent / path).resolve() if path else page
                assert target.exists(), f"{page}: {path}"
                assert not anchor or anchor in anchors(target), f"{page}: {path}#{anchor}"


PACED = "suggest crane:X?XXO --game wordle"  # searches for all of its time
PROGRESS = r" +\d+ s  "
LEFT_OUT = ".."  # replaces other lines


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each command line of a page, which starts with $, and the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines() if language in ("", "console") else []:
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
    return found


def lasting(lines: list[str]) -> list[str]:
    """The lines without progress, and without the columns of a table from its times on."""
    kept = []
    for table in "\n".join(lines).split("\n\n"):
        rows = table.split("\n")
        ends = [row.index(name) for row in rows for name in ("seconds", "CPU s") if name in row]
        kept += [row[: ends[0] if ends else None].rstrip() for row in rows if not re.match(PROGRESS, row)]
    return kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the files that the commands of a page use."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "bin").mkdir()
    for name, command in (("python", f'"{sys.executable}"'), ("gpulingo", f'"{sys.executable}" -m gpulingo')):
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]]))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PWD", str(tmp_path))
    return tmp_path


def ran(command: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The output of a command on stdout and stderr; gpulingo itself runs in this process, to save time."""
    words = shlex.split(os.path.expandvars(command))
    if words[0] == "gpulingo":
        monkeypatch.setattr(sys, "argv", words)
        run(words[1:])
    else:
        subprocess.run(["bash", "-c", command], timeout=300)
    return capfd.readouterr()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("grep"), reason="no bash or no grep")
@pytest.mark.parametrize("run_together", dict.fromkeys(row["run"] for row in PAGES if row["run"]))
def test_a_page_shows_what_its_commands_print(
    run_together: str, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs: dict[str, tuple[str, str]] = {}
    for page, count in ((row["page"], int(row["commands"])) for row in PAGES if row["run"] == run_together):
        text = (DOCS / f"{page}.md").read_text().replace("~/gpulingo/", f"{ROOT}/")
        programs = re.findall(r"^```python\n(# mine\.py.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (folder / "mine.py").write_text("\n".join(programs))
        monkeypatch.delitem(sys.modules, "mine", raising=False)
        tried = [(command, shown) for command, shown in commands(text) if PACED not in command]
        assert len(tried) >= count
        for command, shown in tried:
            if command not in outputs:
                outputs[command] = ran(command, capfd, monkeypatch)
            out, err = outputs[command]
            printed = lasting(out.splitlines()) + lasting(err.splitlines())
            missing = [line for line in lasting(shown) if line not in ("", LEFT_OUT) and line not in printed]
            assert missing == [], f"$ {command}\n{out}{err}"
            if page == "../README":  # its outputs are complete, except lines replaced by ..
                pattern = re.escape("\n".join(lasting(shown))).replace(re.escape(LEFT_OUT), ".+")
                assert re.fullmatch(pattern, "\n".join(lasting(out.splitlines())), re.DOTALL), command


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_the_requests_and_the_programs_of_the_engine_page_run(folder: Path) -> None:
    text = (ROOT / "docs/howto/engine.md").read_text()
    blocks = dict(re.findall(r"^```(json|python|javascript)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    (folder / "requests.jsonl").write_text(blocks["json"])
    ((command, shown),) = commands(text)

    def printed(*words: str) -> list[str]:
        return subprocess.run(
            words, capture_output=True, text=True, timeout=300, check=True
        ).stdout.splitlines()

    for line, head in zip(printed("bash", "-c", command), shown, strict=True):
        assert line.startswith(head.removesuffix(LEFT_OUT).rstrip())
    (played,) = printed("python", "-c", blocks["python"])
    assert played.endswith("merge:OOOOO")
    if shutil.which("node"):
        assert [line.split()[0] for line in printed("node", "-e", blocks["javascript"])] == ["316", "259"]

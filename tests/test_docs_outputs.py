"""What the tutorial and the how-to pages show is what their commands print, times and progress left out."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.__main__ import run

ROOT = Path(__file__).parent.parent
PAGES = {  # how many commands are tried of each; what depends on the machine's GPU or pace is not
    "../README.md": 3,
    "tutorial.md": 10,
    "protocol.md": 2,
    "how-it-works.md": 5,
    "howto/wordle-help.md": 1,
    "howto/review.md": 1,
    "howto/own-strategy.md": 5,
    "howto/own-player.md": 4,
    "howto/own-language.md": 8,
}
PACED = "suggest crane:X?XXO --game wordle"  # searches for as long as it has
PROGRESS = r" +\d+ s  "
LEFT_OUT = ".."  # a line that stands for others


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each command line of a page that begins with $, and the lines shown below it."""
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
    """The current folder, where the commands of a page find what they name."""
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
    """What a command prints on stdout and stderr; gpulingo itself runs in this process, which takes less."""
    words = shlex.split(os.path.expandvars(command))
    if words[0] == "gpulingo":
        monkeypatch.setattr(sys, "argv", words)
        run(words[1:])
    else:
        subprocess.run(["bash", "-c", command], timeout=300)
    return capfd.readouterr()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("grep"), reason="no bash or no grep")
@pytest.mark.parametrize(("page", "count"), PAGES.items())
def test_a_page_shows_what_its_commands_print(
    page: str, count: int, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / page).read_text().replace("~/gpulingo/", f"{ROOT}/")
    programs = re.findall(r"^```python\n(# mine\.py.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (folder / "mine.py").write_text("\n".join(programs))
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    tried = [(command, shown) for command, shown in commands(text) if PACED not in command]
    assert len(tried) >= count
    for command, shown in tried:
        out, err = ran(command, capfd, monkeypatch)
        printed = lasting(out.splitlines()) + lasting(err.splitlines())
        missing = [line for line in lasting(shown) if line not in ("", LEFT_OUT) and line not in printed]
        assert missing == [], f"$ {command}\n{out}{err}"
        if page == "../README.md":  # its outputs are whole, but where they say that lines are left out
            pattern = re.escape("\n".join(lasting(shown))).replace(re.escape(LEFT_OUT), ".+")
            assert re.fullmatch(pattern, "\n".join(lasting(out.splitlines())), re.DOTALL), command

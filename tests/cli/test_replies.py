"""The output of command lines: replies.tsv has sections, whose rows share a folder with these files.

A row has an exit code, a command line (after <, its input), its stdout and its stderr, with \\n for ends of
lines; a … matches what differs between runs or machines.
"""

import re
import shlex
from pathlib import Path

import pytest
from sampled import quick
from typer.testing import CliRunner

from gpulingo.cli.app import app_for

APP = app_for()

SECTIONS = {}
for row in Path(__file__).with_name("replies.tsv").read_text(encoding="utf-8").splitlines():
    if row.startswith("# "):
        rows = SECTIONS.setdefault(row[2:], [])
    elif row:
        rows.append(row.split("\t"))
FILES = {  # words, separated by blanks
    "t.txt": "apple berry crane egret finch grape heron macaw melon papaw raven",
    "few.txt": "robin crane",
    "nine.txt": "dents dozes reads zones dunes tunes tones bones cones",
    "eleven.txt": "dents dozes reads zones dunes tunes tones bones cones lones roses",
    "past.txt": "bones cones",
    "two.txt": "bird bard",
    "levels.txt": "bird abaca abase abaft abbey aahed zzzzz",
    "german.txt": "abend adler affen hafer birne regen wagen abbey base",
    "short.txt": "fish dish wish iris hill moth bee",
    "ab.txt": "ab ba baa",
    "ж.txt": "жё Ёж жжж ёё",
    "marks.txt": "ka\u0308fig na\u0331bat ka\u0331fig nobel",
    "käfig.txt": "K\u00c4FIG",
    "turkish.txt": "ISLAK İZMİR KITAP KİTAP",
    "equal.txt": "noté note mère père fête étée",
    "ties.txt": "pet pit pot put cab",
    "one.txt": "noté",
    "signs.txt": "x-ray crane slate plate d'oh! stale",
    "third.txt": "crane x-ray d'oh! plate co-op",
    "ends.txt": "dents reads",
    "two5.txt": "heron raven robin",
    "led.txt": "ah bi ch eh fh gh hh",
    "late.txt": "sdd add fdd udd vdd ddd tdd atd",
    "ж5.txt": "агбвд вбгда ёгбвж дажбё",
    "player.txt": "eagle stork heron",
    "both.txt": "bird heron eagle stork",
    "seven.txt": "dents dozes reads zones dunes tunes tones",
    "crane.txt": "crane macaw fuzzy",
    "by.txt": "by my of",
    "empty.txt": "",
    "hats.txt": "bat cat hat rat",
}
TABLES = {
    "w.tsv": "apple 1, berry 2, crane 3, egret 4, finch 5, grape 6, heron 7, macaw 8, melon 9, "
    "papaw 10, raven 11",
    "ends.tsv": "dents 1, reads 9",
    "ones.tsv": ", ".join(f"{word} 1" for word in FILES["t.txt"].split()),
    "bag.tsv": "A 3 1, b 2 3, ? 1 2",
    "zero.tsv": "dents 0, dozes 0, reads 1, zones 0, dunes 0, tunes 0, tones 0",
    "seven.tsv": "dents 1, dozes 2, reads 3, zones 4, dunes 5, tunes 7, tones 6",
    "loss.tsv": "a 3 -1, b 3 0",
    "мешок.tsv": "ж 3 1, Ё 2 -3, ? 1 2",
    "käfig.tsv": "k\u00e4fig 1, na\u0331bat 2, ka\u0331fig 1, nobel 1",
}
RESULT = (
    '{"player": "%s", "wordlist": "", "word": "my", "points": 0, "guesses": [%s], "invalid": 0, "fault": "", '
    '"error": "", "exit": 0, "lingered": false, "cpu": 0, "wall": 0}'
)
TEXTS = {
    "rounds.txt": "mere mêre",
    "phrases.txt": "ice cream\nhot pants\nwell-read\nlong-life\ndon\u2019t\nelephants\n" + "crane\n" * 9,
    "phrase.txt": "ice cream",
    "leaves.txt": "heron\nheron\n\nco-op",
    "match.jsonl": RESULT % ("ann", '"of", "my"') + "\n" + RESULT % ("bob", '"my"'),
    "lines.txt": "my by\nodd oxo\nmy:gb",
    "players.txt": "# the pit\nsh player.sh\n\nsh silent.sh",
    "many.txt": """# rounds
{"target": "goose", "guesses": ["heron", "robin", "goose"]}

nonsense
heron:OOOOX
heron heron
abc abd
crane raven crane heron
{"target": "goose", "guesses": "heron"}""",
    "openers.txt": "tunes dents tunes\nbones dozes reads bones\nlones dozes lones\nzones zones",
    "fives.sh": "[ $1 = 5 ] || exit 1; sh player.sh",
    "player.sh": "for word in eagle abcde stork; do echo $word; read marks; [ $marks = OOOOO ] && exit; done",
    "silent.sh": "",
    "fails.sh": "echo heron; read m; echo no list: $m >&2; exit 3",
    "sleeps.sh": "echo heron; exec sleep 9",
    "odd.sh": "if",
    "foreign.sh": """read line
for letter in a e o r n c z q x; do
    echo "I guess the letter '$letter'."; read line || exit
    case $line in *_*) ;; *) echo "I guessed your word"; exit ;; esac
done""",
    "nothing": "#!/no/such/program",
    "data": "data",
}


@pytest.fixture
def replied(middle, capfd, monkeypatch):
    """A function that runs a command line: its exit code, stdout and stderr."""
    for name, text in FILES.items():
        Path(name).write_text(text.replace(" ", "\n") + "\n", encoding="utf-8")
    for name, text in TABLES.items():
        Path(name).write_text(text.replace(", ", "\n").replace(" ", "\t") + "\n", encoding="utf-8")
    for name, text in TEXTS.items():
        Path(name).write_text(text + "\n", encoding="utf-8")
    Path("folder").mkdir()
    for name in ("nothing", "data"):
        Path(name).chmod(0o755)
    monkeypatch.setattr("gpulingo.cli.run.QUIET", float("inf"))  # no progress, also on a busy machine

    def ran(line):
        line, _, typed = line.partition(" < ")
        done = CliRunner().invoke(
            APP, shlex.split(line), input=typed.replace("\\n", "\n"), catch_exceptions=False
        )
        out, err = capfd.readouterr()  # `suggest` and `play` bypass the runner
        return str(done.exit_code), done.stdout + out, done.stderr + err

    return ran


@pytest.mark.parametrize("section", quick(SECTIONS, SECTIONS.keys() - {"eleven", "referee", "resumed"}))
def test_a_command_line_is_answered_as_ever(replied, section):
    for code, line, *told in SECTIONS[section]:
        seen, *texts = replied(line)
        assert seen == code, (line, texts)
        for text, expected in zip(texts, told, strict=True):
            plain = text.replace("\n", "\\n").replace("\t", "\\t")
            assert re.fullmatch(".*?".join(map(re.escape, expected.split("…"))), plain), (
                line,
                plain,
                expected,
            )

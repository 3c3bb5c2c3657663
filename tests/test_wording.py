"""Wording: each file keeps to its ceiling of forbidden phrases; pages for users have short sentences.

wording_ceilings.tsv has the number of hits that each file may still have; files not listed may have none.
`python tests/test_wording.py` lowers the ceilings to the present hits and prints files above their ceiling.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from statistics import mean

from sources import nodes

from gpulingo.words.targets import unfit_words

ROOT = Path(__file__).parent.parent
PHRASES = ROOT / "tests/forbidden_phrases.tsv"
CEILINGS = ROOT / "tests/wording_ceilings.tsv"
SHORT_SENTENCES = ["README.md", *(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))]
PRINTED = ("*.md", "docs/**/*.md", "examples/*", "checkpoints/*.md", "gpulingo/cli/*.txt")
CODE = re.compile(r"```.*?(```|\Z)|`[^`]*`|^ *(>>>|\.\.\.) .*?$", re.DOTALL | re.MULTILINE)
LABELS = {"title", "alt", "placeholder", "aria-label", "label", "content", "value"}
JS_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`""", re.DOTALL
)


@cache
def phrases() -> list[re.Pattern[str]]:
    lines = [line for line in PHRASES.read_text().splitlines() if not line.startswith("#")]
    found = [line.split("\t")[0] for line in lines]
    return [re.compile(phrase, 0 if phrase.startswith("(^|") else re.IGNORECASE) for phrase in found]


def python_texts(source: str) -> Iterator[str]:
    """Docstrings, and other strings with a space."""
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield from re.split(r"\n\s*\n|\n\s*(?=[-*] |\w+: )", CODE.sub("_", node.value))


def markdown_texts(source: str) -> Iterator[str]:
    """Paragraphs, headings, list items and rows of tables, without code and without a link's address."""
    plain = re.sub(r"\]\([^)]*\)|<!--.*?-->|<[^>\n]+>", " ", CODE.sub("_", source), flags=re.DOTALL)
    yield from re.split(r"\n\s*\n|\n\s*(?=[-*|#>] ?|\d+\. )", plain)


def script_texts(source: str) -> Iterator[str]:
    """String and template literals with a space; a value in a template counts as one word."""
    for match in JS_TEXT.finditer(source):
        text = match[1] or match[2] or match[3]
        if text and " " in text:
            yield re.sub(r"\$\{[^}]*\}|<[^>]*>", " _ ", text)


class PageTexts(HTMLParser):
    """Text nodes, labels and scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in LABELS and value]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.texts += script_texts(data)
        elif self.cdata_elem != "style":
            self.texts.append(data)


def page_texts(source: str) -> list[str]:
    page = PageTexts()
    page.feed(source)
    return page.texts


READERS = {".py": python_texts, ".md": markdown_texts, ".js": script_texts, ".html": page_texts}


def hits(name: str, source: str) -> list[str]:
    """The forbidden phrases in a file's text; in the changelog only above the newest release."""
    if name == "CHANGELOG.md":
        source = re.split(r"(?m)^## (?!Unreleased)", source)[0]
    # each text begins after ". ", as a sentence does, so one search per phrase covers all
    text = ". ".join(" ".join(part.split()).lstrip("-*|#> ") for part in READERS[Path(name).suffix](source))
    return [match[0] for phrase in phrases() for match in phrase.finditer(text)]


def files() -> list[str]:
    names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "checkpoints/README.md"]
    globs = ("docs/**/*.md", "gpulingo/**/*.py", "gpulingo/web/static/*.html", "gpulingo/web/static/*.js")
    return names + sorted(str(path.relative_to(ROOT)) for glob in globs for path in ROOT.glob(glob))


def ceilings() -> dict[str, int]:
    rows = [line.split("\t") for line in CEILINGS.read_text().splitlines() if not line.startswith("#")]
    return {name: int(count) for name, count in rows}


def sentence_lengths(source: str) -> list[int]:
    """Words of each sentence of a page; headings and tables do not count."""
    texts = [text for text in markdown_texts(source) if text.strip() and text.lstrip()[0] not in "#|!"]
    sentences = [part for text in texts for part in re.split(r"(?<=[.!?])\s+", text.strip())]
    return [count for part in sentences if (count := len(re.findall(r"\w[\w'.,-]*", part))) > 1]


def renew() -> None:
    """Lower the ceilings to the present hits; print the files above theirs."""
    old, lines = ceilings() if CEILINGS.exists() else None, []
    for name in files():
        found = hits(name, (ROOT / name).read_text())
        allowed = len(found) if old is None else min(old.get(name, 0), len(found))
        if len(found) > allowed:
            print(f"{name}: {len(found)} hits, at most {allowed} allowed: {found}")
        if allowed:
            lines.append(f"{name}\t{allowed}\n")
    CEILINGS.write_text(
        "# hits that a file may still have; written by tests/test_wording.py\n" + "".join(lines)
    )


def test_no_file_has_more_forbidden_phrases_than_its_ceiling():
    allowed = ceilings()
    found = {name: hits(name, (ROOT / name).read_text()) for name in files()}
    above = {name: phrases for name, phrases in found.items() if len(phrases) > allowed.get(name, 0)}
    assert not above, f"reword (tests/forbidden_phrases.tsv has the replacements): {above}"


def test_sentences_of_a_page_for_users_are_short():
    for name in SHORT_SENTENCES:
        lengths = sentence_lengths((ROOT / name).read_text())
        assert mean(lengths) <= 18 and max(lengths) <= 35, name


SAMPLES = {
    "a.py": ('"""Line that\n    is kept."""\nx = "that is kept `that is kept`"\ny = "anew"\n', 2),
    "a.md": ("# Anew\n- Of a file\n  anew\n\n`anew` [anew](needless)\n```\nanew\n```\n", 4),
    "a.js": ("// goes on, anew\nf(\"but for 'it'\", `all ${anew} anew`, 'anew')", 2),
    "a.html": ("<p title='anew'>He <b>goes on</b></p><script>f('done anew')</script><style>anew</style>", 4),
    "CHANGELOG.md": ("## Unreleased\n- anew\n\n## 1.0 - 2026\n- anew\n", 1),
}


def test_phrases_are_found_in_the_text_of_each_kind_of_file_and_not_in_its_code():
    for name, (source, expected) in SAMPLES.items():
        assert len(hits(name, source)) == expected, hits(name, source)


def test_no_docstring_opens_with_a_question_word():
    """A function's docstring says what it returns or does: `The rank of ..`, `Return True if ..`."""
    opening = re.compile(r'^\s*"""(What|Whether|How|Who|Where) ', re.MULTILINE)
    names = [name for name in files() if name.endswith(".py")]
    assert not {name: found for name in names if (found := opening.findall((ROOT / name).read_text()))}


VAGUE = {"asked": 7, "each": 27, "found": 46, "here": 132, "own": 77, "seen": 84}  # name: most uses


def test_names_that_say_nothing_come_no_more_often():
    """A local or a parameter says what it holds, such as `guess`, `row` or `history`."""
    names = Counter[str]()
    for path in ROOT.glob("gpulingo/**/*.py"):
        every = nodes(path.read_text(encoding="utf-8"))
        names.update(node.id for node in every if isinstance(node, ast.Name))
        names.update(node.arg for node in every if isinstance(node, ast.arg))
    above = {name: names[name] for name, most in VAGUE.items() if names[name] > most}
    assert not above, f"say what these hold: {above}, at most {VAGUE}"


def test_no_unfit_word_is_printed():
    """Neither in README and docs nor in examples."""
    unfit = frozenset().union(*(unfit_words(length) for length in range(2, 25)))
    paths = [path for glob in PRINTED for path in ROOT.glob(glob) if path.is_file()]
    texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    found = {name: own for name, text in texts.items() if (own := unfit & {*re.findall(r"\b[a-z]+\b", text)})}
    assert len(paths) > 20 and not found


if __name__ == "__main__":
    renew()

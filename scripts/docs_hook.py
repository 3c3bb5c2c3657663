"""MkDocs hook: adds the repository files that pages link to the site, and adapts pages from CommonMark.

A page links `../checkpoints/README.md` or `../examples` as in the repository. Linked files outside docs/, and
files/.. in the nav, become pages under files/; links to these pages and in them are rewritten.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<=\]\()([^()\s#:]+)(?=[)#])")  # the path of a relative link
SHOWN = {
    ".py": "python",
    ".sh": "sh",
    ".cff": "yaml",
    "": "text",
}  # suffixes shown as pages of code; other files are copied


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files outside docs/ that the nav and pages link, and recursively the files these link."""
    named = re.findall(r"'files/(\S+?)'", str(config.nav))
    waiting = [path.removesuffix("/index.md") for path in named]
    for file in files.documentation_pages():
        waiting += linked(f"docs/{file.src_uri}", file.content_string)
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or path.startswith("docs/"):
            continue
        seen.add(path)
        source = ROOT / path
        if site_uri(path).endswith(".md"):
            text = shown(source, path)
            files.append(File.generated(config, site_uri(path), content=text))
            waiting += linked(path if source.is_file() else f"{path}/index.md", text)
        else:
            files.append(File.generated(config, site_uri(path), abs_src_path=str(source)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Rewrite links to files of the repository as links of the site."""
    here = page.file.src_uri
    place = here.removeprefix("files/") if here.startswith("files/") else f"docs/{here}"

    def turned(link: re.Match[str]) -> str:
        path = repository_path(place, link[1])
        return posixpath.relpath(site_uri(path), posixpath.dirname(here)) if path else link[1]

    return as_commonmark(LINK.sub(turned, markdown))


def linked(place: str, text: str) -> list[str]:
    """The repository files that a page at `place` links."""
    return [path for link in LINK.findall(text) if (path := repository_path(place, link))]


def repository_path(place: str, link: str) -> str | None:
    """The target of a link in a page at `place`, from the repository's root; None if it does not exist."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(place), link))
    return path if (ROOT / path).exists() and not path.startswith("..") else None


def site_uri(path: str) -> str:
    """The site's address of the repository file `path`."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if (ROOT / path).is_dir():
        return f"files/{path}/index.md"
    return f"files/{path}.md" if Path(path).suffix in SHOWN else f"files/{path}"


def shown(source: Path, path: str) -> str:
    """The page for a file or a folder of the repository."""
    if source.is_dir():
        files = sorted(file for file in source.iterdir() if file.suffix in SHOWN and file.is_file())
        return "\n".join(
            [f"# {path}/\n", *(f"- [{file.name}]({file.name}): {subject(file)}" for file in files)]
        )
    text = source.read_text()
    return text if source.suffix == ".md" else f"# {path}\n\n````{SHOWN[source.suffix]}\n{text}\n````"


def subject(file: Path) -> str:
    """The first line of a script, without quotes or comment sign; a line with #! is skipped."""
    lines = [line.strip('"#') for line in file.read_text().split("\n") if not line.startswith("#!")]
    return lines[0].strip()


def as_commonmark(markdown: str) -> str:
    """Adapt CommonMark to Python-Markdown and to autorefs, which takes V[r][n] for a link.

    A blank line is inserted before each list, nested lists are indented by four, and `][` in text is escaped.
    """
    lines = [""]
    fence = ""
    for line in markdown.split("\n"):
        mark = re.match(r" *(````*)", line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        if not fence:
            if re.match(r"(?:-|1\.) ", line) and re.match(r"[^ -]|-[^ ]", lines[-1]):
                lines.append("")
            line = re.sub(r"^( +)(?=(?:-|\d+\.) )", r"\1\1", line)
            line = re.sub(r"(`[^`]*`)|\]\[", lambda found: found[1] or r"]\[", line)
        lines.append(line)
    return "\n".join(lines[1:])

"""HTML and SVG as element trees, so that whatever text goes in is escaped when it comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, tostring

Content = Element | str


def element(tag: str, *content: Content, **attributes: object) -> Element:
    """An element; attributes in Python's spelling: `class_` is class, `aria_label` aria-label."""
    named = {name.rstrip("_").replace("_", "-"): _attribute(value) for name, value in attributes.items()}
    one = Element(tag, named)
    for part in content:
        if isinstance(part, Element):
            one.append(part)
        elif len(one):
            one[-1].tail = (one[-1].tail or "") + part
        else:
            one.text = (one.text or "") + part
    return one


def _attribute(value: object) -> str:
    """A number without a tail of digits, or text."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> Element:
    """A table that scrolls by itself where it is too wide.

    Args:
        caption: what it shows.
        columns: names, one a column.
        rows: cells as text, as many as columns; the first names the row.
        left: columns from the left whose cells are text; the others are numbers.
    """
    kinds = ["text" if place < left else "number" for place in range(len(columns))]
    named = zip(columns, kinds, strict=True)
    head = element("tr", *(element("th", name, scope="col", class_=kind) for name, kind in named))
    body = []
    for first, *rest in rows:
        cells = [element("td", cell, class_=kind) for cell, kind in zip(rest, kinds[1:], strict=True)]
        body.append(element("tr", element("th", first, scope="row", class_=kinds[0]), *cells))
    whole = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    # A region that scrolls must be reached by the keyboard, and so must have a name.
    return element("div", whole, class_="wide", role="region", aria_label=caption, tabindex=0)


def folded(summary: str, *content: Content) -> Element:
    """Something to unfold."""
    return element("details", element("summary", summary), *content)


def page_text(title: str, style: str, *content: Content) -> str:
    """A whole page that loads nothing else.

    Args:
        title: of the page.
        style: a style sheet of our own; it is not escaped.
        content: of the body.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", style),
    )
    page = element("html", head, element("body", element("main", *content)), lang="en")
    return "<!doctype html>\n" + tostring(page, encoding="unicode", method="html") + "\n"

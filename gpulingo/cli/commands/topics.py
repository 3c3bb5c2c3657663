"""`gpulingo help`: explanations that are too long for an option's help.

The page on `--json` is generated from its schema: docs/json.md and `gpulingo help json`.
"""

from __future__ import annotations

from typing import Any

from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.options import argument
from gpulingo.storage.faults import unknown
from gpulingo.storage.printed import SCHEMA, schema

GAMES = """
Games of --game, short -g. A name may have a number of guesses after it: lingo6, or use --turns.

lingo           five guesses, 100 x (6 - turn) points; any word of the list may be guessed
wordle          six guesses; the targets are the answers of the embedded list
absurdle        the host has no word in mind and keeps the largest class
evil-wordle     the host keeps the class that takes most guesses
mastermind      all codes of --pegs and --colours; placed and held are counted
bulls-and-cows  as mastermind, without repeated digits
black-pegs      as mastermind; only placed is counted
jotto           words; the number of common letters is counted
hangman         letters; a letter that the word lacks costs one of --lives

--hard            later guesses use every revealed hint; --hard-from N: from this turn on
--consistent      guesses must match all feedback so far
--first-letter    the first letter is given before the first guess
--must-start      with --first-letter: every guess starts with it

Hosts of hangman (--host): honest draws a word; largest keeps most words; diversity keeps most different
letters; exact forces the most misses. On ties absurdle keeps the class of fewest placed letters, then of
fewest misplaced ones, then the first marks in the order B, Y, G.
"""
STRATEGIES = """
Strategies of --strategy, short -s.

best            the stored tree of the list; the default, if there is one
parts           most classes (the default without a stored tree)
entropy         most information, in bits
expected_size   smallest expected class
largest_class   smallest largest class
points          a table of values by class size
tuned           what `gpulingo tune` found for the list
letters         the candidate whose letters most candidates have
random          a random candidate
edc65, confusion, confusion_full, histogram, statistician, distinct, plain_parts
                programs of the Lingo pit
quiz, frequency, rollout
                in hangman
module:name     your own: a function (candidates, history) -> word, a function from class sizes 0..n
                to n + 1 whole numbers, or an object with choose(position)

--strategies of compare takes several, joined by commas, or all.
"""
MARKS = """
A guess and its marks, for example crane:BYBBG.

placed, misplaced, absent      G Y B (green, yellow, black), in either case
                               O ? X, in quotes where the shell reads ?
                               2 1 0
                               coloured squares, circles or hearts
                               . - _ for absent too
a guess and its marks          crane:BYBBG, crane=bybbg or crane BYBBG; a coloured row may come first
hangman                        the letter and its places: e:_O__ or e:_e__; or the word so far: _ e _ _
Mastermind and its kin         placed and held: 1123:2,1, 1123:2b1w or 1123:2A1B
"""
LISTS = """
Lists of words: one word per line, UTF-8, at most 256 MB. Also read: CSV (column `word`, or the first that
has words), JSON (a list, or the keys of an object), Hunspell .dic, words with their frequencies.

--wordlist FILE   words to guess from; without it wordlistN.txt, then wordlist.txt in the current folder,
                  then the embedded list (255,020 words of 2 to 24 letters, made from SCOWL)
--targets         possible answers: a file; answers, small, medium, large or huge of the embedded list; all
--without FILE    words that are not the answer, for example past answers
--weights         a file of word, tab, whole number per line; or levels: common words count more

`gpulingo words` prints what a list has per length, and which stored trees fit it.
"""
FILES = """
Files that gpulingo reads and writes.

checkpoints/*.npz           stored trees; looked up in ., ./checkpoints and the package, best mean first
*.bounds.npz, *.host.npz    certificates, for `gpulingo prove`
*.values.json               tuned values, for --strategy tuned
--out FILE.jsonl            results, one JSON object per line; --resume skips what it has
--bag FILE                  tiles: letter, tab, count, tab, value per line; ? is a blank

A file is replaced by a result of its own kind only, and a tree by a better one only.
"""
TOPICS = {"games": GAMES, "strategies": STRATEGIES, "marks": MARKS, "lists": LISTS, "files": FILES}
JSON = "json"  # its text is generated from the schema
NAMES = [*TOPICS, JSON]


def topics(name: str | None = argument("TOPIC", f"One of {', '.join(NAMES)}.")) -> None:
    """Explain games, strategies, marks, lists, files or JSON output."""
    if name is None:
        print(f"Topics: {', '.join(NAMES)}. For example: gpulingo help games")
    elif name in TOPICS:
        print(TOPICS[name].strip())
    elif name == JSON:
        print(page().strip())
    else:
        raise WrongUsage(unknown("topic", name, NAMES))


KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
         "null": "null"}  # fmt: skip
HEAD = f"""# JSON output

With `--json` a command prints one JSON object per line. `gpulingo/schema/output-{SCHEMA}.json` (JSON Schema
2020-12) describes the objects of every command; `scripts/json_page.py` makes this page from it.

A program that reads these lines should skip fields that it does not know: a new field keeps the number of
the schema. A removed or redefined field makes another schema with the next number, and this one stays.
Times are in seconds. An optional field is absent where it has no meaning.
"""


def page() -> str:
    every = schema()
    defs = every["$defs"]
    commands = [_name(own) for own in every["anyOf"]]
    objects = {command: [_name(own) for own in defs[command]["anyOf"]] for command in commands}
    listed = {*commands, *(name for names in objects.values() for name in names)}
    parts = [HEAD, _section("##", "head", defs["head"])]
    for command, names in objects.items():
        parts.append(f"## {command}\n")
        parts += [_section("###", name, defs[name]) for name in names]
    parts.append("## Parts\n\nFields and objects that several of the objects above have.\n")
    parts += [_section("###", name, own) for name, own in defs.items() if name not in {*listed, "head"}]
    return "\n".join(parts)


def _section(level: str, name: str, own: dict[str, Any]) -> str:
    shared = [f"`{_name(part)}`" for part in own.get("allOf", ())]
    text = own["description"] + (f" It has the fields of {', '.join(shared)}" if shared else "")
    fields = {field: kind for field, kind in own.get("properties", {}).items() if "description" in kind}
    required = own.get("required", ())
    lines = [
        f"- `{field}` ({_kind(kind)}{'' if field in required else ', optional'}): {kind['description']}"
        for field, kind in fields.items()
    ]
    end = "" if not shared else ", and:" if lines else "."
    return "\n".join([f"{level} {name}\n", text + end, *([""] if lines else []), *lines, ""])


def _kind(own: dict[str, Any]) -> str:
    if "$ref" in own:
        return f"`{_name(own)}`"
    if "const" in own:
        from json import dumps

        return dumps(own["const"])
    if "enum" in own:
        return " or ".join(own["enum"])
    kinds = own["type"] if isinstance(own["type"], list) else [own["type"]]
    names = {"array": "list of {}", "object": "object of {}"}
    inner = (
        _kind(own["items"] if "items" in own else own["additionalProperties"]) if kinds[0] in names else ""
    )
    return " or ".join(names[kind].format(inner) if kind in names else KINDS[kind] for kind in kinds)


def _name(own: dict[str, Any]) -> str:
    return str(own["$ref"]).rpartition("/")[2]

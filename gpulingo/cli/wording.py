"""Faults in the wording of the command line, the options of a rule, and the exit codes."""

from __future__ import annotations

from gpulingo.games.catalogue import HOSTED, LINGO, find_game
from gpulingo.games.game import Game
from gpulingo.storage.faults import Fault

FAILED, WRONG = 1, 2
TEACH = "to teach it, add it to a file of words and give that by --wordlist"
# Kind of a fault -> sentence.
SENTENCES = {
    "address": "{seen}: name another with --{field}",
    "beside": "{seen} ({remedy})",
    "field": "--{field}: {seen}",
    "hosted": "{seen}: use `gpulingo play`; searches name it by --opponent {opponent}",
    "it is for hangman": "{seen}: it is for --game hangman",
    "longer": "{seen}: use --game {game}{turns}{rule}",
    "longer round": "{seen}: leave it out, or use --game {game}{turns}{rule}",
    "make it again": "{seen}; make it again with `gpulingo simulate --save`",
    "make the book again": "{seen}; make it again with `gpulingo openings --game NAME --save FOLDER`",
    "make one by `solve`": "{seen}: make it with `gpulingo solve --game hangman --opponent adversary`",
    "make it by `solve`": "{seen}: make it with `gpulingo solve`",
    "make it of all racks": "{seen}: make it with `gpulingo tiles --all --out`",
    "make one for the list": "{seen}; make it again with `gpulingo simulate --length {length} --save PATH`",
    "name a file of rates": "{seen}: name a file that `benchmarks/rates.py --out` wrote",
    "name another folder": "{seen}: name a folder with --cwd",
    "name openings, or a new file": "{seen}: name a file that `gpulingo openings --out` wrote, or a new one",
    "name results, or a new file": "{seen}: name a file that `gpulingo compare --out` wrote, or a new one",
    "name rounds, or a new file": "{seen}: name a file that `gpulingo pit` has written, or a new one",
    "name a tuning, or a new file": "{seen}: name a file that `gpulingo tune --resume` wrote, or a new one",
    "no lookahead": "{seen}; `gpulingo simulate` plays it",
    "no rows": "{seen}: paste it whole, or give --target WORD",
    "no words": "{seen}: give the guesses by --words WORD,WORD,..",
    "none stored": "{seen}: make one with `gpulingo solve`, or name {instead}",
    "precompile": "{seen}; `gpulingo precompile` does most of it ahead",
    "remove": "{seen}, or remove it; {remedy}",
    "replace it": "{seen}; replace it with `gpulingo simulate --length {length}{options} --save {folder}`",
    "replace the book": (
        "{seen}; replace it with `gpulingo openings --length {length}{options} --save {folder}`"
    ),
    "`simulate` is exact for fewer": "{seen}: `gpulingo simulate` is exact for fewer",
    "`simulate` plays it": "{seen}: `gpulingo simulate` plays it",
    "search again with another seed": "{seen}: search again with another --seed",
    "tune": "{seen}: run `gpulingo tune --length {length}`",
    "tune for": "{seen}: run `gpulingo tune --length {length} --turns {turns}`",
    "tune its list": "{seen}: run `gpulingo tune --length N`",
    "unlisted": f"{{seen}}: {TEACH}",
    "use the CPU": "{seen}: use --device cpu",
    "use the CPU, and please report it": "{seen}: use --device cpu, and please report it",
    "weightless": "{seen}, or leave --weights out",
}


def options_of(rule: str) -> str:
    """The options that ask for a rule; the inverse of `asked_rule`."""
    if rule.startswith("from"):
        return f"--hard-from {rule.removeprefix('from').partition('-')[0]}"
    return {"letter": "--first-letter", "start": "--first-letter --must-start"}.get(rule, f"--{rule}")


def typed(game: Game) -> tuple[str, str]:
    """The name of a game without turns and rule, and the options that ask for the rule, after a space."""
    rule = "" if game.rule == "any" else f" {options_of(game.rule)}"
    return game.name.replace(f"-{game.rule}", "", 1), rule


def game_options(game: Game) -> str:
    """The options that ask for a game, after a space; none for the usual one."""
    name, rule = typed(game)
    usual = HOSTED[game.name]() if game.name in HOSTED else find_game(game.name)
    turns = "" if game.turns == usual.turns else game.turns
    return f" --game {name}{turns}{rule}" * (game != find_game(LINGO))


def worded(fault: BaseException | str) -> str:
    """Return a fault as the command line prints it; another error and a text unchanged."""
    if not isinstance(fault, Fault):
        return str(fault)
    words = dict(fault.facts)
    if isinstance(game := words.get("game"), Game):
        words["options"], (words["game"], words["rule"]) = game_options(game), typed(game)
    text = SENTENCES.get(fault.kind, fault.form)
    return text.format(seen=worded(fault.seen), remedy=worded(fault.remedy), **words)

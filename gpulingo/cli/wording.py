"""Faults in the wording of the command line, the options of a rule, and the exit codes."""

from __future__ import annotations

from gpulingo.games.catalogue import HOSTED, LINGO, find_game
from gpulingo.games.game import Game
from gpulingo.storage import faults
from gpulingo.storage.faults import Fault

FAILED, WRONG = 1, 2
TEACH = "to teach it, add it to a file of words and give that by --wordlist"
# The sentence about each remedy.
SENTENCES = {
    faults.ADDRESS: "{seen}: name another with --{field}",
    faults.BESIDE: "{seen} ({fault})",
    faults.FIELD: "--{field}: {seen}",
    faults.AGAINST_HOST: "{seen}: `suggest`, `openings` and `play` take it, `review` its rounds as wordle",
    faults.SEVERAL_BOARDS: "{seen}: `suggest`, `review`, `simulate` and, at a terminal, `play` take it",
    faults.FOR_HANGMAN: "{seen}: it is for --game hangman",
    faults.LONGER: "{seen}: use --game {game}{turns}{rule}",
    faults.LONGER_ROUND: "{seen}: leave it out, or use --game {game}{turns}{rule}",
    faults.MAKE_AGAIN: "{seen}; make it again with `gpulingo simulate --save`",
    faults.MAKE_BOOK_AGAIN: "{seen}; make it again with `gpulingo openings --game NAME --save FOLDER`",
    faults.FORCE_AGAIN: "{seen}: make it with `gpulingo solve --game hangman --opponent adversary`",
    faults.PROVE_AGAIN: "{seen}: make it with `gpulingo solve`",
    faults.ALL_RACKS: "{seen}: make it with `gpulingo tiles --all --out`",
    faults.MAKE_FOR_LIST: "{seen}; make it again with `gpulingo simulate --length {length} --save PATH`",
    faults.RATES_FILE: "{seen}: name a file that `benchmarks/rates.py --out` wrote",
    faults.ANOTHER_FOLDER: "{seen}: start it in another folder, or name one for such files in TMPDIR",
    faults.OPENINGS_FILE: "{seen}: name a file that `gpulingo openings --out` wrote, or a new one",
    faults.RESULTS_FILE: "{seen}: name a file that `gpulingo compare --out` wrote, or a new one",
    faults.ROUNDS_FILE: "{seen}: name a file that `gpulingo pit` has written, or a new one",
    faults.TUNING_FILE: "{seen}: name a file that `gpulingo tune --resume` wrote, or a new one",
    faults.NO_LETTER: "no --letter in {name}: give the first letter of the word, as in --letter s",
    faults.NO_ROWS: "{seen}: paste it whole, or give --target WORD",
    faults.NO_WORDS: "{seen}: give the guesses by --words WORD,WORD,..",
    faults.OTHER_LENGTH: "{seen}: leave --length out",
    faults.NONE_STORED: "{seen}: make one with `gpulingo solve`, or name {instead}",
    faults.PRECOMPILE: "{seen}; `gpulingo precompile` does most of it ahead",
    faults.REMOVE: "{seen}, or remove it; {best} is used instead",
    faults.REPLACE: "{seen}; replace it with `gpulingo simulate --length {length}{options} --save {folder}`",
    faults.REPLACE_BOOK: (
        "{seen}; replace it with `gpulingo openings --length {length}{options} --save {folder}`"
    ),
    faults.EXACT_FOR_FEWER: "{seen}: `gpulingo simulate` is exact for fewer",
    faults.SIMULATE: "{seen}: `gpulingo simulate` plays it",
    faults.ANOTHER_SEED: "{seen}: search again with another --seed, --width or --time",
    faults.TUNE: "{seen}: run `gpulingo tune --length {length}`",
    faults.TUNE_FOR: "{seen}: run `gpulingo tune --length {length} --turns {turns}`",
    faults.TUNE_LIST: "{seen}: run `gpulingo tune --length N`",
    faults.UNLISTED: f"{{seen}}: {TEACH}",
    faults.USE_CPU: "{seen}: use --device cpu",
    faults.REPORT_GPU: "{seen}: use --device cpu, and please report it",
    faults.WEIGHTLESS: "{seen}, or leave --weights out",
}


def options_of(rule: str) -> str:
    """The options that ask for a rule; the inverse of `Ruled.rule`."""
    if rule.startswith("from"):
        return f"--hard-from {rule.removeprefix('from').partition('-')[0]}"
    return "--first-letter" if rule == "letter" else f"--{rule}"


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
    what, remedy = worded(fault.seen), worded(fault.remedy)
    if not isinstance(fault.remedy, faults.Remedy):
        return f"{what}{fault.between}{remedy}" if remedy else what
    words = {name: worded(fact) if isinstance(fact, Fault) else fact for name, fact in fault.facts.items()}
    if isinstance(game := words.get("game"), Game):
        words["options"], (words["game"], words["rule"]) = game_options(game), typed(game)
    return SENTENCES[fault.remedy].format(seen=what, **words)

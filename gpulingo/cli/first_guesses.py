"""First guesses that are enough against an adversary, for `gpulingo openings`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gpulingo.cli.errors import Interrupted, tell
from gpulingo.cli.limits import end_of, until
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.search.first_guesses import FirstGuesses
    from gpulingo.words.wordlist import WordList


def search_first_guesses(
    words: WordList, game: Game, *, turns: int | None, top: int | None, time: float | None, memory: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Search, and print what is known in the end, after Ctrl-C too.

    Args:
        game: of which only what is legal counts.
        turns: ask whether so many guesses are enough; None: how many are, and after which first guesses.
        top: first guesses to print; None: all. time: seconds. memory: bytes.
    Raises:
        Interrupted: Ctrl-C.
    """
    search: FirstGuesses | None = None
    ends = end_of(time)
    try:
        with interrupted_by_sigterm(), late_interrupt() as noted:
            check = until(ends, noted)
            from gpulingo.search.first_guesses import FirstGuesses
            from gpulingo.tensors.clock import TimeIsUp
            from gpulingo.tensors.wordtable import table_of

            with total_bar("openings", None, ends=ends) as bar:
                search = FirstGuesses(table_of(words, game), game, memory, turns)

                def often(done: int, total: int, guesses: int) -> None:
                    if done < bar.done or bar.total is None:
                        bar.begin(total)
                    bar.reach(done, f"within {guesses} guesses")
                    check()

                try:
                    search.run(often)
                except TimeIsUp:
                    tell("the time is up before all first guesses were asked: --time was too short")
    except KeyboardInterrupt:
        if search is None:
            raise
        _print(search, words, top=top, as_json=as_json)
        raise Interrupted("interrupted before all first guesses were asked") from None
    _print(search, words, top=top, as_json=as_json)


def _print(search: FirstGuesses, words: WordList, *, top: int | None, as_json: bool) -> None:
    """What is known of the list, then the first guesses."""
    openings, game = search.openings, search.game
    if as_json:
        entry = {"game": game.name, **list_entry(words), "length": words.length, "words": words.target_count}
        entry |= {"fingerprint": words.fingerprint, "opponent": "adversary"}
        entry |= {"at_least": search.at_least, "at_most": search.at_least if openings else None}
        entry |= {"openings": len(openings), "complete": search.done}
        print(json.dumps(entry, ensure_ascii=False))
        for opening in openings[:top]:
            print(json.dumps({"opening": words[opening]}, ensure_ascii=False))
        return
    seen = "" if search.done else "at least "
    print(f"list: {list_text(words)}; {words.target_count:,} words of {words.length} letters")
    enough = f"{seen}{len(openings):,} of {len(words):,} first guesses are enough"
    print(f"{game.name} against an adversary: within {search.at_least} guesses {enough}")
    for opening in openings[:top]:
        print(words[opening])

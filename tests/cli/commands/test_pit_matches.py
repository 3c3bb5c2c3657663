"""The parts of a match: players, words, rounds, the file of results, transcripts."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpulingo.cli.matches import MatchOptions, found_match, results_of
from gpulingo.games.catalogue import lingo, wordle
from gpulingo.match.rounds import FORM, RoundResult
from gpulingo.storage.printed import LineFile

PLAYERS = ["sh a.sh", "me=sh b.sh"]


def drawn(game, players=PLAYERS, wordlist=Path("list.txt"), **options):
    """A match on words of 5 letters."""
    own = MatchOptions(player=players, wordlist=wordlist, lengths="5", seed=1, **options)
    return found_match(own, game)


@pytest.mark.parametrize(("rounds", "count"), [({"rounds": 3}, 3), ({"all_words": True}, 11)])
def test_words_are_drawn_from_the_targets(list22, words22, rounds, count):
    Path("t.txt").write_text("\n".join(words22.words[::2]))
    match = drawn(wordle(), targets="t.txt", **rounds)
    (row,) = match.words
    assert (len(row), match.whole) == (count, {5: 11})
    assert set(row) <= set(words22.words[::2]) and match.lists[0].words == words22.words


def test_results_of_the_match_are_those_that_the_file_holds(list22, capsys):
    match = drawn(lingo(), rounds=2)
    other = drawn(lingo(), rounds=22)
    extra = next(planned for planned in other.rounds if planned not in match.rounds)
    first, again = (
        RoundResult(match.rounds[1], points, (), 0, "", "", 0, False, 0.0, 0.0) for points in (0, 400)
    )
    file = LineFile("kept.jsonl", FORM)
    file.kept = [first, again, replace(first, round=extra)]
    assert results_of(match, file) == {first.round: first}
    assert capsys.readouterr().err == "gpulingo: kept.jsonl: 1 of 4 rounds are played\n"
    assert results_of(match, LineFile(None, FORM)) == {}


def test_transcripts_go_to_a_file_for_each_player(list22, tmp_path):
    match = drawn(lingo(), ["me=sh a.sh", "sh 'b c.sh'"], rounds=1)
    names = [match.log_path(tmp_path, player).name for player in match.players]
    assert names == ["1-me.log", "2-sh-b-c.sh.log"]

"""`gpulingo pit --game hangman`: foreign guessers over many words, through real pipes."""

import json
import sys

import pytest

from gpulingo.player.guesser import quiz_letter
from gpulingo.words.shown import shown

PLAYER = f"{sys.executable} -m gpulingo play --game hangman"
# A foreign guesser that asks for the letters of its arguments, after one word ended or not.
FOREIGN = """while :; do
    before=; missed=0; letters='e t a o i n s r h l d u c m f p g b v k w y'
    while read -r line; do
        [ "$line" = "$before" ] && missed=$((missed + 1))
        case $line in *_*) ;; *) echo "I guessed your word"; break ;; esac
        [ $missed -ge ${LIVES:-6} ] && { echo "I'm out of guesses"; break; }
        set -- $letters; echo "I guess the letter '$1'."; shift; letters="$*"; before=$line
    done || exit 0
    [ -n "$line" ] || exit 0
    [ -n "$ONCE" ] && exit 0
done
"""


@pytest.fixture
def words(folder, random_words):
    """The folder's list is of 40 words of 4 and of 5 letters; `sh foreign.sh` guesses by the alphabet."""
    rows = [word for length in (4, 5) for word in random_words(length, 40, length, "abcdefghijklmno")]
    (folder / "wordlist.txt").write_text("\n".join(rows))
    (folder / "foreign.sh").write_text(FOREIGN)
    return rows


def plainly_played(word, words, lives):
    """Misses of the quiz's rule on a word that it wins, else None."""
    guessed, misses = set(), 0
    same = [other for other in words if len(other) == len(word)]
    while shown(word, guessed) != word:
        missed = "".join(sorted(guessed - {*word}))
        letter = quiz_letter(shown(word, guessed), missed, same)
        guessed.add(letter)
        misses += letter not in word
        if misses == lives:
            return None
    return misses


def told(done):
    """The JSON objects of a run."""
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("lives", [2, 6])
def test_our_player_wins_as_often_as_the_quizs_rule_by_plain_simulation(run, words, lives):
    line = f"pit --game hangman --lives {lives} --length 4,5 --all-words --json --player"
    (row,) = told(run(line, f"{PLAYER} --loop --lives {lives}"))
    misses = [plainly_played(word, words, lives) for word in words]
    counts = [misses.count(number) for number in range(lives)]
    won = sum(counts)
    assert (row["words"], row["won"], row["lost"]) == (80, won, 80 - won)
    assert row["misses"] == counts
    missed = sum(lives if number is None else number for number in misses)
    assert row["mean_misses"] == pytest.approx(missed / 80)
    assert row["by_length"]["4"]["words"] == row["by_length"]["5"]["words"] == 40
    assert (row["game"], row["crashes"], row["timeouts"], row["gave_up"]) == (f"hangman{lives}", 0, 0, 0)


def test_a_log_holds_what_was_shown_and_said(run, folder, words):
    (folder / "words.txt").write_text("tease\n")
    run("pit --game hangman --words words.txt --log logs --player", "sh foreign.sh")
    (log,) = (folder / "logs").iterdir()
    lines = log.read_text().splitlines()
    assert lines[:4] == [
        "Starting new round, word is tease",
        "Sent:  _ _ _ _ _",
        "Got:   I guess the letter 'e'.",
        "Sent:  _ e _ _ e",
    ]
    assert "Got:   I guessed your word" in lines and "Round won with 6 misses" not in lines

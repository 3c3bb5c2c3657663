"""Words drawn for a person are answers and never unfit, unless the list is the user's own."""

import itertools
import random

import pytest

from gpulingo.cli.terminal import conversation_of
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import FAMILIES
from gpulingo.hosts.host import KEEPS, Host
from gpulingo.player.question import ListNames
from gpulingo.storage.faults import UsageError
from gpulingo.web.play import RoundServer
from gpulingo.web.requests import Setting
from gpulingo.words.listing import embedded
from gpulingo.words.targets import LEVELS, answers, unfit_words

LENGTHS = [2, 3, 5, 8, 13, 21]
RULED = ("lingo --first-letter", "wordle --hard")
GAMES = [*(f"{game} --host honest" for game in (*FAMILIES, *RULED)), "absurdle", "evil-wordle"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder without lists."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def host_of(line):
    """The host that `play` makes for these arguments."""
    return conversation_of(f"--game {line}".split(), dict, print).host


@pytest.mark.parametrize("game", GAMES)
def test_hosts_of_words_draw_answers(game):
    for length in LENGTHS:
        host = host_of(f"{game} --length {length} --seed 1")
        words = answers(length)
        assert set(host.left) <= set(words) and (host.game.given or host.left == words)
        assert host.words.words == embedded().of_length(length).words


@pytest.mark.parametrize("host", KEEPS)
def test_hosts_of_letters_draw_answers(host):
    for length in LENGTHS:
        line = f"hangman --host {host} --length {length}"
        assert host_of(line).left == answers(length)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_no_unfit_word_is_drawn_of_any_targets(seed):
    for length, name in [*((5, level) for level in ("answers", *LEVELS)), (3, "all"), (8, "all")]:
        words, unfit = f"--length {length} --seed {seed} --targets {name}", unfit_words(length)
        hosts = [host_of(f"{game} --host honest {words}") for game in ("lingo", "wordle", "hangman")]
        for host in hosts:
            assert len(host.left) > 300 and unfit.isdisjoint(host.left)
        draw = random.Random(seed)
        drawn = {Host(hosts[0].words, hosts[0].game, None, draw).word() for _ in range(12)}
        assert len(drawn) > 6 and drawn <= {*hosts[0].left}


def test_the_page_draws_answers_and_of_any_targets_no_unfit_word():
    for targets in (None, "huge", "all"):
        play = RoundServer(Setting(dict, ListNames(targets=targets)), random.Random(1))
        for game, length in itertools.product(("lingo", "wordle", "absurdle", "hangman"), (4, 5, 13)):
            name = play.new({"game": game, "length": length})["round"]
            left = play._rounds.get(name).left
            assert unfit_words(length).isdisjoint(left) and (targets or left == answers(length))


def test_words_of_a_file_are_the_users_choice(folder):
    unfit = min(unfit_words(5))
    (folder / "own.txt").write_text(f"{unfit}\n")
    for line in ("lingo --host honest", "absurdle", "hangman --host honest"):
        for option in ("--targets", "--wordlist"):
            assert host_of(f"{line} --length 5 {option} own.txt").left == [unfit]


@pytest.mark.parametrize("line", ["lingo --host honest", "absurdle", "hangman --host largest"])
def test_past_answers_are_not_drawn(folder, line):
    (folder / "past.txt").write_text("\n".join(answers(5)[1:]) + "\n")
    assert host_of(f"{line} --length 5 --targets answers --without past.txt").left == answers(5)[:1]
    (folder / "past.txt").write_text("\n".join(answers(5)) + "\n")
    with pytest.raises(UsageError) as caught:
        host_of(f"{line} --length 5 --targets answers --without past.txt")
    told = "--without: past.txt has every target of embedded list: leave some to be found"
    assert worded(caught.value) == told

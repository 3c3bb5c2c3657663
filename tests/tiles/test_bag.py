"""Bags: predefined ones, those in files, random draws, and invalid ones."""

from collections import Counter
from itertools import combinations

import pytest

from gpulingo.tiles.bag import (
    BY_NAME,
    CHALLENGE,
    SCRABBLE,
    find_bag,
    made_bag,
    parsed_bag,
    shown,
)

SMALL = made_bag("small", {"b": (1, -3), "?": (2, 4), "ж": (3, 0), "a": (2, 1)})


def refusal(called, *arguments):
    """The one-line error for an invalid bag."""
    with pytest.raises(ValueError) as caught:
        called(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_kinds_are_blanks_first_then_letters_that_descend():
    assert SMALL.letters == ("?", "ж", "b", "a")
    assert (SMALL.counts, SMALL.values) == ((2, 3, 1, 2), (4, 0, -3, 1))
    assert SMALL.kinds == {"?": 0, "ж": 1, "b": 2, "a": 3}
    assert (SMALL.tiles, SMALL.blanks, SMALL.blank) == (8, 2, 0)
    assert (CHALLENGE.blanks, CHALLENGE.blank) == (0, None)
    assert [SMALL.value(letter) for letter in "ab?"] == [1, -3, 4]
    assert (SMALL.shown(), CHALLENGE.shown()) == ("ABЖ?", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_the_bag_of_the_challenge_is_that_of_its_text():
    counts = "A8 G3 I5 S7 U5 X2 Z5 E9 J3 L3 R3 V3 Y5 F3 D3 P5 W5 B5 N4 T5 O3 H3 M4 C4 K2 Q2"
    values = {1: "AGISUXZ", 2: "EJLRVY", 3: "FDPW", 4: "BN", 5: "TOHMC", 10: "KQ"}
    assert {
        shown(letter): count for letter, count in zip(CHALLENGE.letters, CHALLENGE.counts, strict=True)
    } == {part[0]: int(part[1:]) for part in counts.split()}
    for value, letters in values.items():
        assert {CHALLENGE.value(letter.lower()) for letter in letters} == {value}
    assert (CHALLENGE.tiles, CHALLENGE.draws(7)) == (109, 29_796_772_356)


def test_the_bag_of_scrabble_has_100_tiles_worth_187_points():
    assert (SCRABBLE.tiles, SCRABBLE.blanks, SCRABBLE.draws(7)) == (100, 2, 16_007_560_800)
    assert sum(count * value for count, value in zip(SCRABBLE.counts, SCRABBLE.values, strict=True)) == 187
    assert len(SCRABBLE.letters) == 27 and SCRABBLE.value("?") == 0


def test_the_ways_of_all_racks_are_the_draws():
    singles = [
        letter for letter, count in zip(SMALL.letters, SMALL.counts, strict=True) for _ in range(count)
    ]
    for tiles in range(1, SMALL.tiles + 1):
        draws = Counter("".join(rack) for rack in combinations(singles, tiles))
        assert {rack: SMALL.ways(rack) for rack in draws} == draws
        assert SMALL.draws(tiles) == draws.total()
    assert SMALL.ways("bb") == 0


def test_a_rack_is_read_in_any_case_and_with_gaps_and_may_go_beyond_the_bag():
    assert SMALL.rack(" B?\tжA a") == "b?жaa"
    assert SMALL.rack("bbb???") == "bbb???"
    assert SMALL.beyond("bbb???a") == ["b", "?"] and SMALL.beyond("aab??жжж") == []


def test_capitals_of_a_bag_with_dotless_i_are_turkish_and_letters_are_composed():
    turkish = parsed_bag("I\t4\t2\nİ\t7\t1\nL\t1\t1", "turkish")
    assert turkish == made_bag("turkish", {"ı": (4, 2), "i": (7, 1), "l": (1, 1)})
    assert (turkish.rack("ILİ"), turkish.rack("I\u0307i")) == ("ıli", "ii")
    assert parsed_bag("a\u030a\t2\t4", "small").rack("A\u030a") == "å"


@pytest.mark.parametrize(
    ("bag", "text", "said"),
    [
        (SMALL, "", "rack '' has no tiles: write its letters, for example AGZEQUI"),
        (SMALL, " \n", "rack ' \\n' has no tiles: write"),
        (SMALL, "abXYx", "rack 'abXYx' has 'x', which the bag small lacks: use ABЖ?"),
        (SMALL, "a-b", "rack 'a-b' has '-', which the bag small lacks"),
        (CHALLENGE, "ab?é", "rack 'ab?é' has a blank, and the bag challenge has none: use letters only"),
    ],
)
def test_a_rack_with_what_is_no_tile_of_the_bag_is_told_in_one_line(bag, text, said):
    assert refusal(bag.rack, text).startswith(said)


def test_draws_are_seeded_sets_of_single_tiles_with_letters_ascending():
    racks = SMALL.drawn(3, 4000, 1)
    assert racks == SMALL.drawn(3, 4000, 1) != SMALL.drawn(3, 4000, 2)
    order = "abж?"
    assert all([*rack] == sorted(rack, key=order.index) and not SMALL.beyond(rack) for rack in racks)
    singles = [letter for letter in order for _ in range(SMALL.counts[SMALL.kinds[letter]])]
    assert {"".join(rack) for rack in combinations(singles, 3)} == set(racks)
    for rack, count in Counter(racks).items():
        expected = 4000 * SMALL.ways(rack) / SMALL.draws(3)
        assert abs(count - expected) < 5 * expected**0.5  # with a fixed seed
    assert SMALL.drawn(8, 1, 0) == ["aabжжж??"]


@pytest.mark.parametrize("tiles", [-1, 0, 9, 1000])
def test_other_numbers_of_tiles_than_there_are_cannot_be_drawn(tiles):
    said = f"draw of {tiles:,} tiles, the bag small has 8: draw 1 to 8"
    assert refusal(SMALL.check_draw, tiles) == refusal(SMALL.drawn, tiles, 1, 0) == said
    SMALL.check_draw(1), SMALL.check_draw(8)


def test_a_letter_is_shown_in_upper_case_where_that_is_one_letter_that_leads_back():
    assert shown("aжßıÿª?") == "AЖßıŸª?"


def test_a_text_of_lines_is_a_bag():
    text = "# letter, count, value\n\nA\t2\t1\r\n  Ж \t 3 \t 0\nb\t1\t-3\n?\t2\t4\nq\t0\t10\n   \n#x\t1\t1"
    assert parsed_bag(text, "small") == SMALL


def test_sixty_letters_and_blanks_of_the_greatest_counts_and_values_are_a_bag():
    tiles = {chr(0x4E00 + number): (1_000_000, -1_000_000_000) for number in range(60)}
    bag = made_bag("large", tiles | {"?": (1, 1_000_000_000)})
    assert (len(bag.letters), bag.tiles, bag.value("?")) == (61, 60_000_001, 1_000_000_000)


@pytest.mark.parametrize(
    ("tiles", "said"),
    [
        ({"A": (1, 1)}, "bag mine has the letter 'A', expected one in lower case, or ?"),
        ({"ab": (1, 1)}, "bag mine has the letter 'ab'"),
        ({"": (1, 1)}, "bag mine has the letter ''"),
        ({"a": (1.0, 1)}, "bag mine has tiles A 1.0 times"),
        ({"a": (True, 1)}, "bag mine has tiles A True times"),
        ({"a": (1, 0.5)}, "bag mine has tiles A of 0.5 points"),
    ],
)
def test_what_is_no_bag_is_refused(tiles, said):
    assert refusal(made_bag, "mine", tiles).startswith(said)


@pytest.mark.parametrize("text", [
    "?,2,0,0\nA,8,1,1\nÅ,2,4,1\nÜ,0,0,1\n",  # macondo: letter, tiles, value, vowel
    "#char blank score\nA\ta\t1\t8\t1\nÅ\tå\t4\t2\t1\nÜ\tü\t0\t0\t1\nblank\t0\t2\n",  # Quackle
])  # fmt: skip
def test_a_bag_of_other_programs_has_their_columns(text):
    assert parsed_bag(text, "swedish") == made_bag("swedish", {"a": (8, 1), "å": (2, 4), "?": (2, 0)})


def test_a_bag_is_found_by_name_or_path(tmp_path, monkeypatch):
    assert {name: find_bag(name) for name in ("challenge", "scrabble")} == BY_NAME
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tsv").write_text("\ufeffa\t2\t1\n", encoding="utf-8")
    assert find_bag("mine.tsv") == made_bag("mine.tsv", {"a": (2, 1)})


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path):
    missing, latin = tmp_path / "none.tsv", tmp_path / "latin.tsv"
    said = f"no bag at {missing}: name a file of tiles, or one of challenge, scrabble"
    assert refusal(find_bag, str(missing)) == said
    assert "is a folder: name a file of tiles" in refusal(find_bag, str(tmp_path))
    latin.write_bytes("ä\t1\t1\n".encode("latin-1"))
    assert refusal(find_bag, str(latin)) == f"{latin} is not UTF-8 text (byte 0xe4 at 0): save it as UTF-8"

"""An index finds the words that the list has, or is not used."""

from pathlib import Path

import pytest

from gpulingo.storage.npz import npy, pack, unpack
from gpulingo.words.index import MEMBERS, find_index, write_index
from gpulingo.words.listing import embedded, parse


def listing_of(count):
    """`count` words of 4 letters among others of 3 and 5."""
    letters = "abcdefghij"
    words = [
        letters[i // 1000 % 10] + letters[i // 100 % 10] + letters[i // 10 % 10] + letters[i % 10]
        for i in range(count)
    ]
    return "".join(
        f"{word}\n{word[1:]}x{'y' * (i % 2)}z\n" if i % 3 else f"{word}\nabc\n"
        for i, word in enumerate(words)
    )


@pytest.mark.parametrize("count", [1, 63, 64, 65, 300])
def test_every_word_is_found_by_its_number(tmp_path, count):
    listing = parse(listing_of(count))
    wordlist = listing.of_length(4)
    path = write_index(listing.data, wordlist, str(tmp_path))
    assert Path(path).name.startswith("index-4-")
    words = find_index(listing.data, 4, ["none", str(tmp_path)])
    assert (words.length, len(words), words.fingerprint) == (4, count, wordlist.fingerprint)
    assert [words[i] for i in range(count)] == wordlist.words
    for outside in (-1, count):
        with pytest.raises(IndexError, match="indices are 0"):
            words[outside]
    assert find_index(listing.data, 5, [str(tmp_path)]) is None
    assert find_index(listing.data + b"zzzz\n", 4, [str(tmp_path)]) is None


def test_a_word_that_stands_twice_side_by_side_is_one_word(tmp_path):
    listing = parse("able\nable\nbale\n")
    write_index(listing.data, listing.of_length(4), str(tmp_path))
    words = find_index(listing.data, 4, [str(tmp_path)])
    assert [words[i] for i in range(len(words))] == ["able", "bale"]


def test_an_index_knows_no_targets(tmp_path):
    listing = parse(listing_of(65))
    plain = listing.of_length(4)
    some = plain.with_targets(plain.words[::2])
    assert write_index(listing.data, some, str(tmp_path))
    words = find_index(listing.data, 4, [str(tmp_path)])
    assert some.fingerprint != plain.fingerprint == words.fingerprint
    assert (len(words), words.target_count) == (65, 65)


@pytest.mark.parametrize(
    "text",
    [
        "Able\nbale\n",
        "able\r\nbale\r\n",
        "able\rbale\r",
        "able\nbale\rcafe\n",
        "abc\r\nable\nbale\r",
        "able\nbale",
        "able\nb-le\nbale\n",
        " able\nbale\n",
    ],
)
def test_a_list_that_is_not_plain_has_no_index(tmp_path, text):
    listing = parse(text)
    assert write_index(listing.data, listing.of_length(4), str(tmp_path)) is None
    assert list(tmp_path.iterdir()) == []


def test_the_embedded_list_has_no_index(tmp_path):
    listing = embedded()
    assert write_index(listing.data, listing.of_length(24), str(tmp_path)) is None
    assert list(tmp_path.iterdir()) == []
    assert find_index(listing.data, 24, [str(tmp_path)]) is None


def test_a_damaged_index_is_passed_over(tmp_path, write_anew):
    listing = parse(listing_of(100))
    path = Path(write_index(listing.data, listing.of_length(4), str(tmp_path)))
    data = path.read_bytes()
    for place in range(len(data)):
        write_anew(path, data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        words = find_index(listing.data, 4, [str(tmp_path)])
        assert words is None or [words[i] for i in range(100)] == listing.of_length(4).words


@pytest.mark.parametrize("starts", [[-5, 64], [0, 10**6], [320, 0], [7, 7]])
def test_an_index_whose_starts_lead_out_of_the_file_or_back_is_passed_over(tmp_path, starts):
    listing = parse(listing_of(100))
    path = Path(write_index(listing.data, listing.of_length(4), str(tmp_path)))
    members = unpack(path.read_bytes(), MEMBERS)
    path.write_bytes(pack([("header", members["header"]), ("starts", npy(starts, "i4"))]))
    assert find_index(listing.data, 4, [str(tmp_path)]) is None


def test_the_words_of_an_index_can_be_weighed(tmp_path):
    listing = parse(listing_of(100))
    write_index(listing.data, listing.of_length(4), str(tmp_path))
    words, known = find_index(listing.data, 4, [str(tmp_path)]), listing.of_length(4)
    weights = [*range(len(known))]
    assert words.weights is None and words.weighed(None, "").fingerprint == known.fingerprint
    assert words.weighed(weights, "").fingerprint == known.weighed(weights, "").fingerprint

"""Hunspell dictionaries: the words that hunspell 1.7 accepts for these rules, and `.aff` files of no use."""

import pytest

from gpulingo.words.listing import read
from gpulingo.words.targets import Targets

S, N, UN = "SFX S Y 1;SFX S 0 s .;", "SFX N Y 1;SFX N 0 en .;", "PFX U Y 1;PFX U 0 un .;"


@pytest.mark.parametrize(
    ("aff", "note"),
    [
        (S, "Hunspell dictionary with the forms that a.aff makes"),
        (None, "put a.aff beside it"),
        ("SFX S Y 1;SFX S 0 s [^;", "a.aff cannot be used ('[^' is not a condition)"),
        ("SFX S Y 1;SFX S;", "a.aff cannot be used ('SFX S' is not a rule)"),
        ("SFX S Y x;SFX S 0 s .", "a.aff cannot be used ('SFX S Y x' is not a rule)"),
        ("SET KLINGON;" + S, "a.aff cannot be used (unknown encoding: KLINGON)"),
        ("\0" + S, "a.aff cannot be used (a binary file)"),
        (N, "a.aff cannot be used (it lacks the flags of most entries)"),
    ],
)
def test_without_rules_a_dictionary_is_its_entries_and_says_so(tmp_path, aff, note):
    (tmp_path / "a.dic").write_text("2\nhond/S\nkat\n")
    if aff is not None:
        (tmp_path / "a.aff").write_text(aff.replace(";", "\n"))
    listing = read(tmp_path / "a.dic")
    assert listing.words == (["hond", "honds", "kat"] if aff == S else ["hond", "kat"])
    missing = "Hunspell dictionary, its forms are missing: 1 of 2 entries have flags, "
    assert listing.note == (note if aff == S else missing + note)


def test_a_wrong_count_of_rules_is_reported_and_all_are_read(tmp_path):
    (tmp_path / "a.dic").write_text("1\nhond/S\n")
    (tmp_path / "a.aff").write_text("SFX S Y 1\nSFX S 0 s .\nSFX S 0 je .\n")
    listing = read(tmp_path / "a.dic")
    assert listing.words == ["hond", "honds", "hondje"]
    note = "Hunspell dictionary with the forms that a.aff makes; hunspell stops at line 3, SFX S 0 je ."
    assert listing.note == note


def test_forms_are_made_of_a_length_when_it_is_asked(tmp_path, monkeypatch):
    (tmp_path / "a.aff").write_bytes(
        "SET ISO8859-2\nSFX S Y 2\nSFX S 0 ő .\nSFX S 0 ős-x .\n".encode("latin2")
    )
    (tmp_path / "a.dic").write_bytes("4\ntér/S\n-x/S\nvíz/S\nkalap\n".encode("latin2"))
    monkeypatch.setattr("gpulingo.words.hunspell.MOST_FORMS", 0)
    listing = read(tmp_path / "a.dic")
    assert listing.of_length(4).words == ["térő", "víző"]
    assert str(listing.skipped) == "skipped 1 word with non-letters, more than a tenth of the list: '-x'"
    assert listing.lengths() == {3: 2} and listing.note.startswith(
        "Hunspell dictionary with the forms that a.aff makes, of at most 3 letters, skipped"
    )
    assert listing.of_length(5).words == ["kalap"]
    assert "térős-x" in listing.with_signs().scanned(7)[7].split()
    assert Targets(str(tmp_path / "a.dic")).of(listing.of_length(3)).targets == ["tér", "víz"]

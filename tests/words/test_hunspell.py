"""Hunspell dictionaries: the words that hunspell 1.7 accepts for these rules, and `.aff` files of no use."""

import pytest

from gpulingo.words.hunspell import Dictionary
from gpulingo.words.listing import read
from gpulingo.words.targets import Targets

S, N, UN = "SFX S Y 1;SFX S 0 s .;", "SFX N Y 1;SFX N 0 en .;", "PFX U Y 1;PFX U 0 un .;"
TWICE = "SFX A Y 1;SFX A 0 er/BU .;SFX B Y 1;SFX B 0 in/C .;SFX C Y 1;SFX C 0 s .;"
ROUND = "CIRCUMFIX X;PFX G Y 1;PFX G 0 ge/X .;SFX T Y 2;SFX T 0 t/XG .;SFX T 0 e .;"


@pytest.mark.parametrize(
    ("aff", "dic", "words"),
    [
        # Flags.
        (S + N, "kat/SN;hond/N;muis", "kat kats katen hond honden muis"),
        ("FLAG num;SFX 12 Y 1;SFX 12 0 s .;SFX 1 Y 1;SFX 1 0 en .;", "kat/12,7;hond/1",
         "kat kats hond honden"),
        ("FLAG long;SFX Ab Y 1;SFX Ab 0 s .;SFX bA Y 1;SFX bA 0 en .;", "kat/xxAb", "kat kats"),
        ("SET UTF-8;FLAG UTF-8;SFX ű Y 1;SFX ű 0 s .;", "kat/xű", "kat kats"),
        ("SET UTF-8;SFX ű Y 1;SFX ű 0 s .;", "kat/ű;hond/ő", "kat kats hond honds"),  # the first byte of both
        ("AF 2;AF SN # 1;AF N;" + S + "SFX N Y 1;SFX N 0 en/1 .;", "kat/2;hond/3",
         "kat katen katens katenen hond"),
        # What a word may be used for.
        ("NEEDAFFIX !;" + S, "kat/S!;hond/!;hond/S", "kats hond honds"),
        ("PSEUDOROOT !;SFX S Y 1;SFX S 0 s/! .;" + UN, "kat/US", "kat unkat unkats"),
        ("ONLYINCOMPOUND c;COMPOUNDFLAG k;" + S, "kat/Sc;hond/S", "hond honds"),
        ("ONLYINCOMPOUND c;COMPOUNDFLAG k;NEEDAFFIX !;SFX S Y 2;SFX S 0 0/c .;SFX S 0 s .;", "kat/!S",
         "kats"),
        ("FORBIDDENWORD w;" + S, "kat/S;kats/w;hond/Sw", "kat"),
        # Rules.
        (UN + S, "doe/US", "doe undoe does undoes"),
        ("PFX U N 1;PFX U 0 un .;" + S, "doe/US", "doe undoe does"),
        (TWICE + UN, "tank/A", "tank tanker untanker tankerin untankerin"),
        (TWICE.replace("BU", "B") + UN, "tank/AU", "tank untank tanker untanker tankerin untankerin"),
        (ROUND, "speel/T", "speel gespeelt speele"),
        ("PFX U Y 1;PFX U 0 un/S .;" + S, "doe/U", "doe undoe undoes"),
        ("SFX S Y 1;SFX S kat s kat;", "kat/S;skat/S", "kat skat ss"),
        ("FULLSTRIP;SFX S Y 1;SFX S kat s kat;", "kat/S;skat/S", "kat s skat ss"),
        ("COMPLEXPREFIXES;PFX A Y 1;PFX A 0 be/B .;PFX B Y 1;PFX B 0 ge .;" + S, "kat/AS",
         "kat kats bekat bekats gebekat gebekats"),
        ("SFX S Y 4;SFX S 0 s [^tds];SFX S y ies [^aeiou]y;SFX S 0 en .[td];SFX S 0 x [a-c];",
         "cry/S;at/S;hen/S;b/S;bus/S", "cry cries crys at aten hen hens b bs bus"),
        ("PFX U Y 2;PFX U d bait d;PFX U 0 bai [^d];", "dago/U;lago/U", "dago baitago lago bailago"),
        # Text.
        ("SET UTF-8;OCONV 1;OCONV ĳ ij;", "bĳna;kwĳl", "bijna kwijl"),
        ("SET UTF-8;IGNORE \u0651;" + S, "ka\u0651t/S", "kat kats"),
        ("AM 1;AM po:noun;" + S, "kat/S 1;hond", "kat kats hond"),
        (S, "kat st:x;hond/S st:x;muis/S\tpo:noun;a\\/b", "kat hond honds muis muiss a/b"),
    ],
)  # fmt: skip
def test_words_and_forms_are_those_of_hunspell(aff, dic, words):
    entries = dic.split(";")
    text = "\n".join([str(len(entries)), *entries, ""])
    made = Dictionary(text.encode(), aff.replace(";", "\n").encode()).lines(signs=True)
    assert sorted(made) == sorted(words.split())


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

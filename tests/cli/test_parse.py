"""Numbers on the command line, and their texts again; refusals.tsv has invalid ones."""

from gpulingo.cli.options import parsed_lengths, parsed_numbers, parsed_widths
from gpulingo.report.results import widths_text
from gpulingo.words.listing import numbers_text

LENGTHS = {
    "5": [5], "4-6": [4, 5, 6], "4,6-8": [4, 6, 7, 8], "13,4": [13, 4], "5-5": [5], "5,4-6,5": [5, 4, 6],
    " 4 - 5 , 7": [4, 5, 7], "1-39": [*range(1, 40)],
}  # fmt: skip


def test_lengths_are_numbers_and_ranges():
    assert {text: parsed_lengths(text) for text in LENGTHS} == LENGTHS


def test_the_text_of_numbers_and_of_widths_reads_back():
    for text in ("5", "4-13", "4,6-8,10"):
        assert numbers_text(parsed_numbers(text, "length", 39)) == text
    for text in ("5:50", "5:50,4:20,3:10"):
        assert widths_text(parsed_widths(text, 5)) == text

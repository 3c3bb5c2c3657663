"""Words shown in part, and the letters named in lines."""

from gpulingo.words.shown import parsed_shown, shown, shown_line


def test_a_line_is_read_as_it_was_written():
    for word, letters, text in (("fish", "", "____"), ("fish", "ie", "_i__"), ("all", "la", "all")):
        assert shown(word, letters) == text
        assert parsed_shown(shown_line(text)) == parsed_shown(f" {text.upper()}\t") == text

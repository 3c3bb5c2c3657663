"""The names of strategies, for code that cannot afford to load one: completion, and misspelt names."""

OBJECTIVES = ("parts", "entropy", "expected_size", "largest_class", "points")
RIVALS = ("edc65", "confusion", "confusion_full", "histogram", "statistician", "distinct")
NAMES = (*OBJECTIVES, "plain_parts", *RIVALS, "letters", "random")
OF_LETTERS = ("quiz", "frequency", "rollout")
WITH_LETTERS = (
    *OF_LETTERS,
    "parts",
    "entropy",
    "expected_size",
    "largest_class",
)  # where letters are guessed
SOLVED = "solve"  # what the header of a tree says that `gpulingo solve` found; as a strategy it is the best
TUNED = "tuned"  # not one of NAMES, because there is none without a list that was tuned for


def meant(text: str, names: "tuple[str, ...]") -> str:
    """A guess at a mistyped name, as a question with a space after it, or empty."""
    from difflib import get_close_matches  # imported by a slip only

    if text == SOLVED and "best" in names:
        return "did you mean best? "
    near = get_close_matches(text.lower(), names)
    return f"did you mean {' or '.join(near)}? " if near else ""

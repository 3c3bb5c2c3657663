"""Two fixed first guesses, then `parts`: what do they cost?

PYTHONPATH=examples gpulingo simulate --length 5 --game wordle --strategy fixed_openings:Fixed
"""

import torch

import gpulingo


class Fixed:
    """Guess some words first, or the target if only one word is left."""

    def __init__(self, *openings: str) -> None:
        self.openings = openings or ("carle", "suint")
        self.name, self.parts = "-".join(self.openings), gpulingo.named("parts")

    def choose(self, position: gpulingo.Position) -> gpulingo.Choice:
        """The word of this turn; after the last one, the choice of `parts`."""
        if position.turn > len(self.openings):
            return self.parts.choose(position)
        table, sets = position.table, position.frontier
        word = self.openings[position.turn - 1]
        letters = torch.tensor([table.alphabet.index(letter) for letter in word], device=table.device)
        guess = (table.letters == letters).all(dim=1).nonzero()[0].int()
        return gpulingo.Choice(torch.where(sets.sizes == 1, sets.firsts, guess))


if __name__ == "__main__":
    # compared with `parts` alone, on every 14th common word of the embedded list
    words = gpulingo.embedded().of_length(5)
    small = words.with_targets(gpulingo.words_up_to(35, 5)[::14])
    for strategy in (Fixed(), "parts"):
        played = gpulingo.simulate(small, strategy, gpulingo.find_game("wordle"))
        print(f"{played.strategy:12} {played.tree.total_guesses} total guesses, {played.lost} lost")

"""The best words of random racks: spelled letter by letter, and by a scan; examples are in calls.tsv."""

import random

import pytest

import gpulingo
from gpulingo.tiles.bag import SCRABBLE, made_bag
from gpulingo.tiles.best_words import best_words, laid, spelled

SMALL = made_bag("small", {"a": (2, 1), "b": (1, 3), "c": (1, -1), "?": (1, 0)})


def racks_of(bag, seed):
    """Racks of the bag and others, with all numbers of tiles, some twice."""
    draw = random.Random(seed)
    racks = ["".join(draw.choices(bag.letters, k=draw.randint(1, 7))) for _ in range(40)]
    return (
        racks + racks[:5] + [rack for tiles in range(1, bag.tiles + 1) for rack in bag.drawn(tiles, 3, seed)]
    )


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", range(6))
def test_each_rack_has_its_best_words_in_list_order_and_all_that_can_be_laid(
    seed, blanks, random_game, best_on
):
    bag, words = random_game(seed, blanks=blanks)
    racks, spelling = racks_of(bag, seed), spelled(words, bag, 7)
    found = best_words(racks, words, bag, device="cpu")
    assert [best.rack for best in found] == racks
    for best in found:
        points, own = best_on(best.rack, words, bag)
        assert (best.points, best.words) == (points or 0, own)
        every = {word: best_on(best.rack, [word], bag).points for word in words}
        assert dict(laid(best.rack, spelling)) == {
            w: worth for w, worth in every.items() if worth is not None
        }


def test_it_is_public_beside_the_table_and_its_summary():
    table = gpulingo.rack_table(["ab", "cab"], SMALL, 2)
    (best,) = gpulingo.best_words(table.best(1), ["ab", "cab"], SMALL)
    assert (best.rack, best.points) == ("ab", 4) == ("ab", max(gpulingo.draw_summary(table).draws.by_points))
    assert gpulingo.find_bag("scrabble") is SCRABBLE and isinstance(SMALL, gpulingo.Bag)

"""Read a certificate: what every opening is proven to be worth at most, and the openings that come nearest.

python examples/read_certificate.py [FILE.bounds.npz]
"""

import sys
from pathlib import Path

import gpulingo

KEPT = Path(__file__).parent.parent / "checkpoints" / "lingo5-12-3aa47d49b7be.bounds.npz"


def main(path: Path) -> None:
    """Print the bound of the list and its five greatest openings; check it all."""
    certificate = gpulingo.read_certificate(path)
    length = int(path.name.split("-")[1])
    words = gpulingo.embedded().of_length(length)
    game = certificate.game
    order = certificate.bounds.argsort(descending=True)[:5].tolist()
    for opening in order:
        bound = game.points_of(int(certificate.bounds[opening]), len(words))
        print(f"{words[opening]} {bound:.5f} points at most")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else KEPT)

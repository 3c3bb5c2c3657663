"""Read a certificate: the proven upper bound of every opening, and the openings with the highest bounds.

python examples/read_certificate.py [FILE.bounds.npz]
"""

import sys
from pathlib import Path

import gpulingo

STORED = Path(__file__).parent.parent / "checkpoints" / "lingo5-13-fcf79678bb51.bounds.npz"


def main(path: Path) -> None:
    """Print the five openings with the highest bounds, then check all openings."""
    words = gpulingo.embedded().of_length(int(path.name.split("-")[1]))
    certificate = gpulingo.read_certificate(path, words)
    for opening in certificate.bounds.argsort()[:-6:-1].tolist():
        bound = certificate.game.points_of(int(certificate.bounds[opening]), len(words))
        print(f"{words[opening]} {bound:.5f} points at most")
    *_, checked = gpulingo.prove(gpulingo.encode(words.words), certificate)
    print(f"the bounds of all {checked:,} openings hold")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else STORED)

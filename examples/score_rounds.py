"""Score the rounds that a program played: the loss of each guess against the best known guess.

    gpulingo pit --player "python examples/player.py" --lengths 5 --rounds 20 --log logs
    python examples/score_rounds.py logs/*.log
Without a log, player.py plays three rounds first.
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from subprocess import check_output

GPULINGO = [sys.executable, "-m", "gpulingo"]


def rounds(log: str) -> list[str]:
    """The rounds of a transcript, as guesses with marks that `gpulingo review` reads."""
    parts = [re.findall(r"Got:   (\S+)\nSent:  (\S+)", part) for part in log.split("Starting new round")]
    return [" ".join(f"{guess}:{marks}" for guess, marks in part) for part in parts if part]


def main(logs: list[str], folder: str) -> None:
    """Print the loss of each guess, and the mean loss of first guesses, second guesses and so on."""
    if not logs:
        player = f"{sys.executable} {Path(__file__).with_name('player.py')}"
        check_output([*GPULINGO, "pit", "--player", player, *"--lengths 5 --rounds 3 --log".split(), folder])
    lines = [line for log in logs or Path(folder).glob("*.log") for line in rounds(Path(log).read_text())]
    Path(folder, "rounds.txt").write_text("\n".join(lines))
    scores = json.loads(check_output([*GPULINGO, "review", "--json", "--file", f"{folder}/rounds.txt"]))
    for turn in (turn for one in scores["reviews"] for turn in one["turns"]):
        print(f"{turn['guess']} {turn['marks']} lost {turn['lost']:7.3f} points against {turn['best']}")
    print("mean loss by guess:", *(f"{turn['lost']['mean']:.3f}" for turn in scores["by_guess"]))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(sys.argv[1:], made)

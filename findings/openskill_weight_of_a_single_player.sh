#!/usr/bin/env bash
# openskill: weights of 1 change the rating of single players, and 1.001 beside 1 counts double.
# Expected: weights are shares of a result: 1 for everybody is as none, and what one wins another loses; nearly equal weights have
#   nearly equal effects. In teams of two, 1 for everybody is as none.
# Seen: weights are stretched to 1 .. 2 in each team, and the one weight of a team of one becomes 2: the winner gains twice, the loser loses
#   half, so that ratings rise in total. In a team of two, 1.001 beside 1 becomes 2. Right: no weights;
#   weight_bounds=None, which its docstring names to turn it off, is a TypeError.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check openskill==6.2.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from openskill.models import PlackettLuce


def gains(players, weights=None, **settings):
    model = PlackettLuce(**settings)
    teams = model.rate([[model.rating() for _ in range(players)] for _ in range(2)], weights=weights)
    return [[round(player.mu - 25, 3) for player in team] for team in teams]


print(f"openskill {version('openskill')}: what the winners and the losers gain")
seen = {
    "single players": gains(1),
    "weights 1": gains(1, [[1.0], [1.0]]),
    "teams of two": gains(2),
    "all weights 1": gains(2, [[1.0, 1.0], [1.0, 1.0]]),
    "1 and 1.001": gains(2, [[1.0, 1.001], [1.0, 1.0]]),
}
for name, gained in seen.items():
    print(f"  {name}: {gained}")
try:
    refused = not PlackettLuce(weight_bounds=None)
except TypeError as error:
    refused = True
    print(f"weight_bounds=None: {error}")
plain, single = [[2.635], [-2.635]], [[5.271], [-1.318]]
pair, stretched = [[1.964, 1.964], [-1.964, -1.964]], [[1.964, 3.929], [-1.964, -1.964]]
raise SystemExit(not refused or [*seen.values()] != [plain, single, pair, pair, stretched])
PYTHON

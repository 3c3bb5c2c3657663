#!/usr/bin/env bash
# skrl: what an import does to torch.
# Expected: importing a library for training leaves torch's own checks as they are; a policy whose mask leaves no action is a
#   ValueError at once, as in torch.
# Seen: importing skrl.models.torch turns off the argument checks of all distributions in the process, those of the user's code too:
#   Normal(0, -1) and Categorical of logits that are all -inf are accepted, and the latter samples from nan.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check skrl==2.1.1 torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import torch
from torch.distributions import Categorical, Normal

TRIED = {
    "Normal(0, -1)": lambda: Normal(torch.tensor(0.0), torch.tensor(-1.0)),
    "Categorical(-inf ..)": lambda: Categorical(logits=torch.full((3,), -torch.inf)),
}


def refused():
    names = []
    for name, make in TRIED.items():
        try:
            make()
        except ValueError:
            names.append(name)
    return names


before = refused()
import skrl  # noqa: E402
import skrl.models.torch  # noqa: E402, F401

after = refused()
print(f"torch {torch.__version__}, skrl {skrl.__version__}: refused before the import {before}, after it {after}")
raise SystemExit((before, after) != (list(TRIED), []))
PYTHON

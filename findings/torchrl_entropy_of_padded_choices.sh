#!/usr/bin/env bash
# torchrl: MaskedCategorical has the entropy nan where its indices are padded.
# Expected: given by `mask` or by `indices`, a distribution over the legal words is the same: log_prob, entropy, gradient. Positions
#   differ in how many words are legal, so rows of indices are padded, which is what padding_value is for.
# Seen: log_prob agrees. The entropy of each row that has padding is nan, and so are the gradients of its legal words, so one step with
#   an entropy bonus makes all weights nan; by mask all are finite, with the same words illegal.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check torchrl==0.14.1 tensordict==0.14.3 torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch
import torchrl
from torchrl.modules import MaskedCategorical

logits = torch.tensor([[1.0, 5.0, 2.0], [1.0, 5.0, 2.0]])
mask = torch.tensor([[True, False, True], [True, True, True]])
padded = torch.tensor([[0, 2, -1], [0, 1, 2]])
ways = {"mask": {"mask": mask}, "indices": {"indices": padded, "padding_value": -1}}
print(f"torchrl {torchrl.__version__}, torch {torch.__version__}")
seen = {}
for name, way in ways.items():
    weights = logits.clone().requires_grad_()
    made = MaskedCategorical(logits=weights, **way)
    chosen, entropy = made.log_prob(torch.tensor([2, 2])), made.entropy()
    entropy.sum().backward()
    seen[name] = [[round(value, 4) for value in row.detach().flatten().tolist()] for row in (chosen, entropy, weights.grad)]
    print(f"  by {name}: log_prob {seen[name][0]}, entropy {seen[name][1]}, its gradient {seen[name][2]}")
by_mask, by_indices = seen["mask"], seen["indices"]
finite = torch.tensor(by_mask[1] + by_mask[2]).isfinite().all()
padded_row = [value != value for value in by_indices[1]] == [True, False] and by_indices[2][0] != by_indices[2][0]
raise SystemExit(not (finite and by_mask[0] == by_indices[0] and padded_row and by_mask[1][1] == by_indices[1][1]))
PYTHON

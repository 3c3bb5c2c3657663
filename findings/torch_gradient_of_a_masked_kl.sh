#!/usr/bin/env bash
# torch: the divergence of two masked policies has the right value and the gradient nan.
# Expected: where illegal words have the logit -inf, entropy, log_prob and kl_divergence of Categorical can be trained on: all three
#   values are right, and a policy has divergence 0 from itself.
# Seen: entropy and log_prob have finite gradients, kl_divergence has nan for every legal word, of a policy from itself too, so the
#   first step with a penalty of KL makes all weights nan. F.kl_div has the value nan. Right: logits masked by
#   torch.finfo(..).min, or the same policies given by their probabilities.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import math

import torch
from torch.distributions import Categorical, kl_divergence

legal = torch.tensor([True, False, True])
least = torch.finfo(torch.float32).min


def masked(logits, value=-torch.inf):
    return logits.where(legal, value)


def step(loss):
    logits = torch.tensor([1.0, 5.0, 2.0], requires_grad=True)
    value = loss(logits)
    value.backward()
    return value.item(), logits.grad.tolist()


old = torch.tensor([2.0, 3.0, 1.0])
losses = {
    "entropy": lambda new: Categorical(logits=masked(new)).entropy(),
    "log_prob": lambda new: Categorical(logits=masked(new)).log_prob(torch.tensor(2)),
    "kl, finfo.min": lambda new: kl_divergence(Categorical(logits=masked(new, least)), Categorical(logits=masked(old, least))),
    "kl, probabilities": lambda new: kl_divergence(Categorical(masked(new).softmax(0)), Categorical(masked(old).softmax(0))),
    "kl, -inf": lambda new: kl_divergence(Categorical(logits=masked(new)), Categorical(logits=masked(old))),
    "F.kl_div": lambda new: torch.nn.functional.kl_div(
        masked(old).log_softmax(0), masked(new).softmax(0), reduction="sum"
    ),
    "kl from itself": lambda new: kl_divergence(Categorical(logits=masked(new)), Categorical(logits=masked(new.detach()))),
}
print(f"torch {torch.__version__}")
finite = []
for name, loss in losses.items():
    value, gradient = step(loss)
    print(f"  {name}: {value:.4f}, gradient {[round(part, 4) for part in gradient]}")
    finite.append((math.isfinite(value), all(map(math.isfinite, gradient))))
raise SystemExit(finite != [(True, True)] * 4 + [(True, False), (False, False), (True, False)])
PYTHON

#!/usr/bin/env bash
# jax: in bfloat16 and float16 the first words of a list are drawn instead of all.
# Expected: `jax.random.categorical` over equal logits draws every word equally often; bfloat16 makes that coarser, not one-sided. Its
#   docstring speaks of events rarer than 1e-7 in float32; torch draws evenly in all three types.
# Seen: noise of the logits' type has few values, the highest are equal for many words, and argmax takes the first of them. Of 12,972
#   equal words all draws in bfloat16 are of the first half, most of the first 200; so are the actions of mctx.gumbel_muzero_policy.
#   mode="high" makes it better, logits cast to float32 make it even.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check jax==0.10.2 jaxlib==0.10.2 mctx==0.0.71 numpy==2.4.6
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import mctx

WORDS, DRAWS, BATCH = 12972, 2000, 64


def recurrent(_, key, action, embedding):
    zeros = jnp.zeros(BATCH, jnp.bfloat16)
    logits = jnp.zeros((BATCH, WORDS), jnp.bfloat16)
    return mctx.RecurrentFnOutput(reward=zeros, discount=zeros + 1, prior_logits=logits, value=zeros), embedding


def report(name, drawn):
    half, first = float((drawn < WORDS // 2).mean()), float((drawn < 200).mean())
    print(f"{name}: {half:.0%} of the first half, {first:.0%} of the first 200 of {WORDS:,} equal words")
    return half, first


print(f"jax {jax.__version__}, mctx {mctx.__version__}")
seen = {}
for name in ("float32", "float16", "bfloat16"):
    drawn = jax.random.categorical(jax.random.key(0), jnp.zeros(WORDS, name), shape=(DRAWS,))
    seen[name] = report(f"categorical, {name}", drawn)
start = recurrent(None, None, None, jnp.zeros((BATCH, 1)))
root = mctx.RootFnOutput(prior_logits=start[0].prior_logits, value=start[0].value, embedding=start[1])
found = mctx.gumbel_muzero_policy((), jax.random.key(1), root, recurrent, num_simulations=4, max_num_considered_actions=4)
seen["mctx"] = report("mctx.gumbel_muzero_policy, bfloat16", found.action)
even = 0.45 < seen["float32"][0] < 0.55
raise SystemExit(not (even and seen["float16"][0] > 0.95 and min(seen["bfloat16"][0], seen["mctx"][0]) == 1 and seen["bfloat16"][1] > 0.5))
PYTHON

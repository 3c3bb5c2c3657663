#!/usr/bin/env bash
# Gymnasium: which vector environments heed `reset_mask`.
# Expected: `reset(options={"reset_mask": mask})` resets the masked sub-environments of any vector environment, or is refused:
#   the page of autoreset modes names it for vector environments, without a class.
# Seen: SyncVectorEnv resets those alone. Gymnasium's own vector CartPole (CartPoleVectorEnv, by `vector_entry_point`) resets
#   all of them without a word; the base class VectorEnv does not know the option.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check gymnasium==1.4.0 numpy==2.2.6
"$folder/venv/bin/python" - <<'PYTHON'
import gymnasium
import numpy as np

seen = {}
for mode, more in (("sync", {"vector_kwargs": {"autoreset_mode": "Disabled"}}), ("vector_entry_point", {})):
    envs = gymnasium.make_vec("CartPole-v1", num_envs=3, vectorization_mode=mode, **more)
    before = envs.reset(seed=1)[0].copy()
    after, _ = envs.reset(options={"reset_mask": np.array([True, False, False])})
    seen[type(envs.unwrapped).__name__] = [bool((one != other).any()) for one, other in zip(before, after)]
print(f"gymnasium {gymnasium.__version__}, reset of the first of three: {seen}")
expected = {"SyncVectorEnv": [True, False, False], "CartPoleVectorEnv": [True, True, True]}
raise SystemExit(seen != expected)
PYTHON

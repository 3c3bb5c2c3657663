#!/usr/bin/env bash
# scipy and scikit-learn: the turns of two strategies as uint8, compared word by word.
# Expected: ttest_rel of the same numbers has the same result in uint8 as in int64, as ttest_ind, wilcoxon and pearsonr have, or is
#   refused; so has max_error, as mean_absolute_error beside it.
# Seen: ttest_rel subtracts in uint8, where 3 - 4 is 255: the worse strategy becomes the better, with p = 0.011 in place of 0.285 and no
#   message. max_error says 255 for 1. Turns are stored as uint8 for many words; in any signed type all are right.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check scipy==1.17.1 scikit-learn==1.9.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy
import scipy
import sklearn
from scipy.stats import ttest_ind, ttest_rel, wilcoxon
from sklearn.metrics import max_error, mean_absolute_error

TESTS = {
    "ttest_rel": lambda one, two: (ttest_rel(one, two).statistic, ttest_rel(one, two).pvalue),
    "ttest_ind": lambda one, two: (ttest_ind(one, two).statistic, ttest_ind(one, two).pvalue),
    "wilcoxon": lambda one, two: (wilcoxon(one, two).statistic, wilcoxon(one, two).pvalue),
    "max_error": lambda one, two: (max_error(one, two),),
    "mean_absolute_error": lambda one, two: (mean_absolute_error(one, two),),
}
first, second = [3, 4, 5, 3, 4, 6, 3, 3], [4, 4, 4, 4, 5, 5, 4, 4]
print(f"scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}")
seen = {}
for name, test in TESTS.items():
    both = [test(numpy.array(first, kind), numpy.array(second, kind)) for kind in ("int64", "uint8")]
    seen[name] = [tuple(round(float(number), 3) for number in numbers) for numbers in both]
    print(f"  {name}: in int64 {seen[name][0]}, in uint8 {seen[name][1]}")
wrong = {name: numbers for name, numbers in seen.items() if numbers[0] != numbers[1]}
raise SystemExit(wrong != {"ttest_rel": [(-1.158, 0.285), (3.43, 0.011)], "max_error": [(1.0,), (255.0,)]})
PYTHON

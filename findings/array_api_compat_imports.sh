#!/usr/bin/env bash
# array-api-compat: asking for the namespace of an array of numpy imports f2py, its tests and unittest.
# Expected: a small library that "imports no torch" costs some milliseconds where numpy is loaded already, as numpy 2 has the
#   standard itself.
# Seen: `array_namespace` of an array loads over 100 further modules, numpy.f2py.crackfortran, numpy.testing and unittest among
#   them, because its module for numpy takes over every public name of numpy, and numpy loads those packages when they are named.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check array-api-compat==1.16.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import sys
from importlib.metadata import version

import numpy
from array_api_compat import array_namespace

before, one = {*sys.modules}, numpy.zeros(1)
array_namespace(one)
loaded = {*sys.modules} - before
named = [name for name in ("numpy.f2py.crackfortran", "numpy.testing", "unittest", "email.message") if name in loaded]
print(f"array-api-compat {version('array-api-compat')}, numpy {numpy.__version__}: {len(loaded)} modules, with {named}")
raise SystemExit(len(loaded) < 100 or named[:3] != ["numpy.f2py.crackfortran", "numpy.testing", "unittest"])
PYTHON

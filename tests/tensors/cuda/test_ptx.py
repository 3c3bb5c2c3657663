"""The tests of the CUDA backend again, with the PTX that a GPU would run, executed on this CPU.

Not tested is what only a device shows: caches, the order of memory accesses, launching, time.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from devices import ptx

if find_spec("triton") is None:
    pytest.skip("Triton is not installed: it makes the PTX", allow_module_level=True)
if ptx.compiler() is None:
    pytest.skip("there is no C++ compiler: PTX cannot be run", allow_module_level=True)
if os.environ.get("GPULINGO_PTX"):
    pytest.skip("this is that run", allow_module_level=True)
ROOT = Path(__file__).parents[3]
TESTS = "tests/tensors/cuda", "tests/tensors/test_backend.py"
KERNELS = {
    name
    for file in (ROOT / "gpulingo/tensors/cuda").glob("*.py")
    for name in re.findall(r"^def (\w+_kernel)\(", file.read_text(), re.MULTILINE)
}


def kernels_run(*options):
    """Run tests of the CUDA backend by PTX; return the kernels that they ran."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *TESTS]
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    environment |= {"GPULINGO_PTX": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, *options], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    said = re.search(r"^PTX was run of: (.*)$", done.stdout, re.MULTILINE)
    assert said, done.stdout
    return set(said[1].split())


@pytest.mark.slow
def test_every_kernel_does_as_ptx_what_it_does_under_the_interpreter():
    assert kernels_run("-m", "not gpu", "-k", "cuda and not compile and not 20-abc") == KERNELS


BROKEN = {
    "a store beyond the tensor": ("st.global.b32 [%rd1+64], %r1;", "an access beyond the tensor (64)"),
    "a store before the tensor": (
        "st.global.b32 [%rd1+-4], %r1;",
        ("an address of no tensor (-1)", "an access beyond the tensor (-4)"),  # depends on memory alignment
    ),
    "not aligned": ("ld.global.b32 {%r2}, [%rd1+2];", "an address that is not aligned (4)"),
    "shared memory": ("st.shared.b32 [%r3+16], %r1;", "an access beyond shared memory (16)"),
    "lanes": (
        "setp.lt.u32 %p1, %r1, 7; \n @%p1 bra $L__BB0_2; \n $L__BB0_2:",
        "lanes of a warp part ways (7)",
    ),
    "a barrier": (
        "setp.lt.u32 %p1, %r1, 32; \n @%p1 ret; \n bar.sync 0;",
        "a barrier that some warps never reach (1)",
    ),
}


@pytest.mark.parametrize(("statement", "said"), BROKEN.values(), ids=BROKEN)
def test_what_a_kernel_must_not_do_is_told(statement, said):
    import torch

    lines = "ld.param.b64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\nmov.b32 %r3, global_smem;"
    program = ptx.Decoder(f"\n{{\n{lines}\n{statement}\nret;\n}}").program(16)
    told = [said] if isinstance(said, str) else said
    with pytest.raises(ptx.PtxError, match="|".join(map(re.escape, told))):
        ptx.execute(program, [torch.zeros(16, dtype=torch.int32)], (1,), 2)
    good = "setp.lt.u32 %p1, %r1, 16;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;"
    program = ptx.Decoder(f"\n{{\n{lines}\n{good}\n@%p1 st.global.b32 [%rd3], %r1;\nret;\n}}").program(16)
    written = torch.zeros(16, dtype=torch.int32)
    ptx.execute(program, [written], (1,), 2)
    assert written.tolist() == list(range(16))


def test_a_statement_that_is_not_known_is_told():
    with pytest.raises(ptx.PtxError, match=r"^no rule for fma\.rn\.f32$"):
        ptx.Decoder("\n{\nfma.rn.f32 %r1, %r2, %r3, %r4;\n}")

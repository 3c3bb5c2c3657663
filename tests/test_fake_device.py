"""Every command on a fake CUDA device: no operation mixes devices, and answers equal the CPU's.

`devices/fake.py` says what the fake device does not simulate.
"""

import math
import re

import pytest
import torch
from devices.fake import fake_device
from typer.testing import CliRunner

from gpulingo import embedded
from gpulingo.cli import run as cli_run
from gpulingo.cli.app import app_for
from gpulingo.cli.run import PARTS
from gpulingo.strategies.build import simulate
from gpulingo.tensors import clock
from gpulingo.tensors import device as tensors_device
from gpulingo.tensors.cuda import nvrtc
from gpulingo.words.wordlist import WordList

APP = app_for()

if torch.cuda.is_available():
    pytest.skip("there is a CUDA device", allow_module_level=True)


@pytest.fixture
def device(monkeypatch):
    """The fake device."""
    with fake_device(monkeypatch) as there:
        yield there


def words_of(count):
    """Words of 5 letters, spread over the embedded list."""
    words = embedded().of_length(5).words
    return WordList("a list", words[:: len(words) // count][:count])


def test_what_mixes_devices_raises_and_waits_are_counted(device):
    there = torch.arange(3, device="cuda")
    for mixed in (
        lambda: there + torch.arange(3),
        lambda: torch.cat([there, torch.arange(3)]),
        lambda: torch.arange(3)[there],
        lambda: there.index_add(0, torch.arange(3), there),
    ):
        with pytest.raises(RuntimeError, match="expected all tensors to be on cuda:0"):
            mixed()
    with pytest.raises(RuntimeError, match="numpy"):
        there.numpy()
    device.waits.clear()
    assert (there * 2 + torch.tensor(1)).device == torch.device("cuda:0")
    assert torch.where(there > 1, there, 0).shape == (3,)
    assert not device.waits
    waiting = [
        lambda: there.tolist(), lambda: int(there.sum()), lambda: there[there > 1], lambda: there.nonzero(),
        lambda: there.cpu(), lambda: torch.tensor([1], device="cuda"), lambda: there.repeat_interleave(there),
    ]  # fmt: skip
    for many, wait in enumerate(waiting, start=1):
        wait()
        assert sum(device.waits.values()) == many


@pytest.mark.parametrize("served", [True, False])
def test_without_nvrtc_large_sets_are_ranked_by_the_reference(device, monkeypatch, served):
    if not served:
        monkeypatch.setattr(nvrtc, "shared_memory", lambda device: (0, 0))
    words = words_of(400)
    there = simulate(words, "entropy", device="cuda")
    assert bytes(there.tree.guess) == bytes(simulate(words, "entropy").tree.guess)
    assert ("classes_kernel" in device.launches) == served


def answer(line, where, parts):
    """The output of a command on a device, without the parts that name the device."""
    done = CliRunner().invoke(APP, [*line.split(), "--device", where], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    told = [text for text in done.stderr.splitlines() if " on the CPU; " in text]
    expected = [f"gpulingo: {here} on the CPU; {there} on cuda:0" for here, there in parts]
    assert told == (expected if where == "cuda" else [])
    return re.sub(r"\b(cpu|cuda:0|cuda)\b", "", done.stdout)


QUICK = ["simulate --length 5 --wordlist list.txt --strategy parts"]
SLOW = [
    "simulate --length 5 --wordlist list.txt --strategy entropy --game wordle --hard",
    "simulate --length 5 --wordlist list.txt --game hangman --strategy frequency",
    "openings --length 5 --wordlist list.txt --top 5",
    "solve --length 5 --wordlist list.txt --fresh --out best.npz",
    "solve --game mastermind --pegs 3 --colours 3 --fresh",
    "prove solved.npz --wordlist list.txt",
    "tune --length 5 --wordlist list.txt --iterations 3",
    "suggest --wordlist list.txt {word}:XXXXX",
    "review --wordlist list.txt {word}:OOOOO",
    "simulate --length 5 --wordlist list.txt --game dordle --rounds 20",
    "suggest --wordlist list.txt --game dordle --top 3 {word}:XXXXX,OOOOO",
    "review --wordlist list.txt --game dordle --target {word},{other} {other} {word}",
    "tiles --all --draw 3 --wordlist list.txt",
]


@pytest.mark.parametrize("line", [*QUICK, *(pytest.param(line, marks=pytest.mark.slow) for line in SLOW)])
def test_a_command_answers_on_the_device_what_it_does_on_the_cpu(line, device, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(clock, "perf_counter", lambda: 0.0)  # so that seconds do not differ
    monkeypatch.setattr("gpulingo.cli.run.QUIET", math.inf)
    few = "dordle" in line  # as its review tries every pair of boards
    words = words_of(9 if few else 60).words
    (tmp_path / "list.txt").write_text("\n".join(words) + "\n")
    line = line.format(word=words[4], other=words[8])
    if "solved.npz" in line:
        answer("solve --length 5 --wordlist list.txt --fresh --out solved.npz", "cpu", [])
    kinds = ("weights", "hangman", "openings", "solve", "review", "prove")
    parts = [PARTS[kind] for kind in kinds if re.search(rf"(^|--game |--){kind}\b", line)][:1]
    here = answer(line, "cpu", parts)
    assert not device.waits
    assert answer(line, "cuda", parts) == here


def test_a_device_too_many_is_refused_and_no_triton_is_told(device, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("able\nbale\n")
    line = "simulate --length 4 --wordlist list.txt --strategy parts --device"
    refused = CliRunner().invoke(APP, [*line.split(), "cuda:7"])
    assert refused.exit_code == 2
    assert "device 'cuda:7', but there are 1: count from cuda:0" in refused.stderr
    for module in (cli_run, tensors_device):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    done = CliRunner().invoke(APP, [*line.split(), "cuda"], catch_exceptions=False)
    assert done.exit_code == 0
    said = "Triton is not installed, so cuda:0 works in plain torch: install it, or use --device cpu"
    assert done.stderr.count(said) == 1
    assert not device.launches


@pytest.mark.slow
def test_a_simulation_waits_for_the_device_forty_times_at_most(device):
    simulate(words_of(600), "parts", device="cuda")
    assert sum(device.waits.values()) <= 40, device.waits

"""Devices that are not there, with and without torch; names are rows of readings.tsv."""

import sys
import warnings

import pytest
import torch

from gpulingo.tensors.device import DeviceError, find_device

CUDA = torch.cuda.is_available()


def test_auto_prefers_cuda():
    assert find_device() == find_device("auto") == (torch.device("cuda") if CUDA else "cpu")


def test_what_torch_says_of_a_driver_stands_in_the_one_line(monkeypatch, recwarn):
    def is_available():
        warnings.warn("the driver is too old (found 11040) (Triggered internally at x.cpp:1)", stacklevel=1)
        return False

    monkeypatch.setattr(torch.cuda, "is_available", is_available)
    with pytest.raises(
        DeviceError, match=r"CUDA device \(the driver is too old \(found 11040\)\): use the CPU$"
    ):
        find_device("cuda")
    assert find_device("auto") == "cpu" and not recwarn.list


def test_without_torch_the_cpu_is_found_and_another_device_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert find_device("auto") == find_device("cpu") == "cpu"
    with pytest.raises(
        DeviceError, match=r"^device 'cuda' needs torch, which does not load \(.*\): use the CPU$"
    ):
        find_device("cuda")


@pytest.mark.parametrize("name", ["cuda", "cuda:7"])
@pytest.mark.skipif(CUDA, reason="this machine has CUDA")
def test_cuda_where_there_is_none_is_told(name):
    with pytest.raises(
        DeviceError, match=rf"^device '{name}', but torch \S+ sees no CUDA device: use the CPU$"
    ):
        find_device(name)


@pytest.mark.gpu
@pytest.mark.skipif(not CUDA, reason="no CUDA device")
def test_one_cuda_device_too_many_is_told():
    count = torch.cuda.device_count()
    assert find_device(f"cuda:{count - 1}") == torch.device("cuda", count - 1)
    with pytest.raises(DeviceError, match=f"there are {count}: count from cuda:0"):
        find_device(f"cuda:{count}")

"""`gpulingo web`: its address, what it needs, what it refuses; tests/web tests the page."""

import errno
import http.client
import signal
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest


@pytest.fixture
def port():
    """A port that another program uses."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_that_is_taken_is_told(process, list22, port):
    done = process(f"web --port {port} --wordlist list.txt")
    assert (done.returncode, done.stdout) == (2, "")
    said = f"gpulingo: cannot listen on 127.0.0.1:{port} (Address already in use): name another with --port\n"
    assert done.stderr == said


@pytest.mark.parametrize("options", [[], ["--host", "0.0.0.0"]])
def test_it_answers_at_the_address_that_it_prints_and_ends_with_ctrl_c(list22, options):
    command = [sys.executable, "-m", "gpulingo", "web", "--port", "0", "--wordlist", "list.txt", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        host = address.removeprefix("http://").rstrip("/")
        assert host.startswith("127.0.0.1:") or (options and not host.startswith("0.0.0.0"))
        connection = http.client.HTTPConnection(host, timeout=30)
        connection.request("GET", "/")
        answer = connection.getresponse()
        assert answer.status == 200 and b"<title>Next guess" in answer.read()
        connection.close()
        server.send_signal(2)
        assert server.wait(timeout=30) == 130
        warning = "gpulingo: everybody in this network can open the page, also on a phone; "
        warning += "without --host only this machine can\n"
        assert server.stderr.read() == warning * bool(options) + "gpulingo: interrupted\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGHUP])
def test_it_ends_in_the_middle_of_a_search_without_a_word_of_it(list22, number):
    command = [sys.executable, "-m", "gpulingo", "web", "--port", "0", "--time", "60", "--device", "cpu"]
    heard = partial(signal.signal, number, signal.SIG_DFL)  # also below `nohup`, which ignores one of them
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, preexec_fn=heard, **pipes) as server:
        host = server.stdout.readline().strip().removeprefix("http://").rstrip("/")
        connection = http.client.HTTPConnection(host, timeout=60)
        body = '{"game": "wordle", "history": ["tares:XXXXX"]}'
        connection.request("POST", "/api/search", body, {"Content-Type": "application/json"})
        with connection.getresponse() as answer:
            answer.readline()  # it has begun
            server.send_signal(number)
            assert server.wait(timeout=30) == 130
        connection.close()
        assert "Traceback" not in (said := server.stderr.read()) and "ERROR" not in said


@pytest.mark.slow
def test_a_folder_is_written_once_and_never_over_other_files(run, tmp_path):
    folder = tmp_path / "a" / "page"
    done = run(f"web --export {folder} --trees wordle-5")
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    assert done.exit_code == 0 and f"{len(sizes)} files, {sum(sizes):,} bytes; " in done.stdout
    (folder / "own.txt").write_text("mine")
    again, file = run(f"web --export {folder}"), run(f"web --export {folder}/own.txt")
    assert again.exit_code == 2 and "is not empty" in again.stderr
    assert file.exit_code == 1 and "cannot make this folder" in file.stderr
    assert (folder / "own.txt").read_text() == "mine"
    alone = run("web --trees wordle-5")
    assert alone.exit_code == 2 and "--trees without --export" in alone.stderr


@pytest.mark.slow
def test_a_full_disk_names_the_file_and_the_next_try_writes_the_page(run, tmp_path, monkeypatch):
    folder, write = tmp_path / "page", Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "play.js":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        failed = run(f"web --export {folder} --trees wordle-5")
    assert failed.exit_code == 1 and len(failed.stderr.splitlines()) == 1
    assert f"{folder / 'play.js'}" in failed.stderr and list(folder.iterdir()) == []
    (folder / ".part").mkdir()  # as left by a killed process
    assert run(f"web --export {folder} --trees wordle-5").exit_code == 0
    assert (folder / "index.html").exists() and not (folder / ".part").exists()

"""Where the page listens, and by which names it is known there."""

import socket

import pytest

from gpulingo.web.server import PortError, hosts_of, serve

from .conftest import served

SOON = "import gpulingo.web.server as own; own.SECONDS = 2; from gpulingo.__main__ import main; main()"
HEADERS = b"POST /api/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n"
PARTS = [b"", HEADERS, HEADERS + b"\r\n{", b"GET / HTTP/1.1\r\n\r\n" + HEADERS]  # the last answered by 400


def test_the_names_of_the_server(monkeypatch):
    own = {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    assert hosts_of("127.0.0.1", 8000) == own
    assert hosts_of("MyBox", 8000) == own | {"mybox:8000"}
    assert hosts_of("::1", 8000) == own
    assert hosts_of("2001:db8::7", 8000) == own | {"[2001:db8::7]:8000"}
    assert {"localhost", "localhost:80"} < hosts_of("127.0.0.1", 80)  # browsers leave out the usual port
    monkeypatch.setattr("socket.gethostname", lambda: "MyBox")
    assert "mybox:8000" in hosts_of("0.0.0.0", 8000)  # it listens everywhere
    assert "mybox:8000" not in hosts_of("127.0.0.1", 8000)


@pytest.mark.parametrize("host", ["", "[]", "\u00fc" * 300])
def test_a_host_that_is_none_is_refused(host):
    with pytest.raises(PortError, match=r"cannot listen on .*name another with --host"):
        serve(None, host, 0, print)


@pytest.mark.slow
def test_a_request_has_its_time_to_arrive_and_one_that_trickles_in_no_more(tmp_path):
    with served(tmp_path, start=("-c", SOON)) as address:
        place = "127.0.0.1", int(address.rstrip("/").rpartition(":")[2])
        opened = [socket.create_connection(place, 60) for _ in [*PARTS, "trickled"]]
        for own, part in zip(opened, PARTS, strict=False):
            own.sendall(part)
        for own in opened[:-1]:
            while own.recv(1 << 16):  # until the server closes it
                pass
        trickled = opened[-1]
        trickled.settimeout(0.1)
        for letter in HEADERS + b"\r\n" + b"x" * 500:
            try:
                trickled.sendall(bytes([letter]))
                if trickled.recv(1 << 16) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:  # a letter came after the end
                break
        else:
            pytest.fail("a request that trickles in is waited for")
        for own in opened:
            own.close()

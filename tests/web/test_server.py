"""Where the page listens, and by which names it is known there."""

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")
from gpulingo.web.server import PortError, hosts_of, serve


def test_the_names_of_the_server():
    own = {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    assert hosts_of("127.0.0.1", 8000) == own
    assert hosts_of("MyBox", 8000) == own | {"mybox:8000"}
    assert hosts_of("::1", 8000) == own
    assert hosts_of("2001:db8::7", 8000) == own | {"[2001:db8::7]:8000"}


def test_browsers_leave_out_the_port_that_is_usual():
    assert {"localhost", "localhost:80"} < hosts_of("127.0.0.1", 80)


def test_the_name_of_the_machine_is_its_own_where_it_listens_everywhere(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "MyBox")
    assert "mybox:8000" in hosts_of("0.0.0.0", 8000)
    assert "mybox:8000" not in hosts_of("127.0.0.1", 8000)


@pytest.mark.parametrize("host", ["", "[]", "\u00fc" * 300])
def test_a_host_that_is_none_is_refused(host):
    with pytest.raises(PortError, match=r"cannot listen on .*name another with --host"):
        serve(None, host, 0, print)

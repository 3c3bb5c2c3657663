"""Messages over a socket: whole ones, parts of one, and ends that are gone or say nothing."""

import socket
import threading

import pytest

from gpulingo.match.referee_process import Line


@pytest.fixture
def ends():
    one, other = socket.socketpair()
    yield Line(one), other
    one.close()
    other.close()


def test_messages_come_as_they_were_sent():
    one, other = map(Line, socket.socketpair())
    messages = [{}, {"text": "a\nb\x00 é \udcff"}, {"long": "x" * 10**6}]
    sending = threading.Thread(target=lambda: [one.send(message, 60) for message in messages])
    sending.start()
    assert [other.receive(60) for _ in messages] == messages
    sending.join()
    one.close()
    other.close()


def test_a_part_is_no_message_and_is_not_waited_for(ends):
    line, other = ends
    assert line.received() is None
    other.sendall(b'{"a"')
    assert line.received() is None
    with pytest.raises(TimeoutError):
        line.receive(0.01)
    other.sendall(b": 1}\n{}\n")
    assert line.received() == {"a": 1}
    assert line.receive(0.01) == {}


def test_an_end_that_is_gone_is_told(ends):
    line, other = ends
    other.sendall(b"{")
    other.close()
    with pytest.raises(EOFError):
        line.receive(60)
    with pytest.raises((EOFError, OSError)):
        line.received()


def test_an_end_that_never_reads_is_not_waited_for(ends):
    line, _ = ends
    with pytest.raises(OSError, match="timed out"):
        line.send({"long": "x" * 10**7}, 0.05)


@pytest.mark.parametrize("text", [b"no message\n", b"[1]\n", b"\xff\n"])
def test_what_is_no_message_is_told(ends, text):
    line, other = ends
    other.sendall(text)
    with pytest.raises(ValueError, match="no message"):
        line.received()

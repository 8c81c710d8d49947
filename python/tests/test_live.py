"""A server that lives as long as its block."""

from __future__ import annotations

import os
import socket

import airtime
import airtime.live
import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="live servers are for UNIX")

RESET = bytes([0x01, 0x03, 0x0C, 0x00])
# Core 6.0, Vol 4, Part E, 7.7.14: Command Complete of HCI Reset, with success.
RESET_DONE = bytes([0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])


def answer(endpoint: airtime.live.Endpoint) -> bytes:
    with socket.create_connection((endpoint.host, endpoint.port), timeout=60) as host:
        host.sendall(RESET)
        found = b""
        while len(found) < len(RESET_DONE):
            found += host.recv(64)
        return found


def test_controllers_answer_within_the_block_and_are_gone_behind_it(program, monkeypatch):
    monkeypatch.setenv("AIRTIME_PROGRAM", program)
    with airtime.live.ble(["", "personality=nordic-sdc"]) as server:
        assert [answer(endpoint)[3:] for endpoint in server.endpoints] == [RESET_DONE[3:]] * 2
        assert [endpoint.host for endpoint in server.endpoints] == ["127.0.0.1"] * 2
        assert server.endpoints[1].personality == "nordic-sdc"
    with pytest.raises(ConnectionRefusedError):
        answer(server.endpoints[0])
    assert server.report is not None and server.report["schema"].startswith("airtime/live")


def test_an_exception_ends_the_server_too(program, monkeypatch):
    monkeypatch.setenv("AIRTIME_PROGRAM", program)
    with pytest.raises(KeyError), airtime.live.ble() as server:
        raise KeyError
    with pytest.raises(ConnectionRefusedError):
        answer(server.endpoints[0])


def test_refusals_have_the_programs_words(program, monkeypatch):
    monkeypatch.setenv("AIRTIME_PROGRAM", program)
    with pytest.raises(airtime.Error, match="nothing-like-it"), airtime.live.ble(["personality=nothing-like-it"]):
        pass

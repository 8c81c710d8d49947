"""Virtual controllers in real time, for hosts that speak HCI: a server that lives as long as a block.

    >>> with airtime.live.ble(peers=["coc-source,interval=15ms"]) as server:
    ...     host.connect(server.endpoints[0].host, server.endpoints[0].port)
    >>> server.report["links"]

The server is the program `airtime live ble`, found in PATH or where `AIRTIME_PROGRAM` says: what watches the wall clock has a process of
its own, which no pause of Python delays. Its endpoints are on loopback addresses only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Any, NamedTuple

from airtime import _airtime

#: Line in which the program says where it listens.
_LISTENING = re.compile(r"listening tcp:(?P<host>.+):(?P<port>\d+) (?P<address>\S+) (?P<personality>\S+)")
#: Seconds that the program may take to end before it is killed, *assumed*: it ends within some hundredths.
_ENDING = 10.0


class Endpoint(NamedTuple):
    """A controller behind a TCP socket on this machine, with H4 packets."""

    host: str
    port: int
    address: str
    """Public address of the controller."""
    personality: str
    """The device that it behaves as."""


class Server:
    """A live server; `airtime.live.ble` makes one. It runs within `with`."""

    def __init__(self, words: Sequence[str], controllers: int) -> None:
        self._words, self._controllers = list(words), controllers
        self._process: subprocess.Popen[str] | None = None
        self._said: IO[str] | None = None
        self._printed: IO[bytes] | None = None
        self.endpoints: list[Endpoint] = []
        """Where hosts find the controllers, in the order they were asked for."""
        self.report: dict[str, Any] | None = None
        """What the server said at its end, as `--json` prints it: goodput in kbit/s, books in ns."""

    def __enter__(self) -> Server:
        self._printed = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [_program(), *self._words],
            stdin=subprocess.DEVNULL,
            stdout=self._printed,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            # Ctrl-C is for the block, which ends the server.
            start_new_session=True,
        )
        self._said = self._process.stderr
        assert self._said is not None
        words: list[str] = []
        try:
            while len(self.endpoints) < self._controllers:
                line = self._said.readline()
                if not line:
                    said = "".join(words).strip().removeprefix("error: ")
                    raise _airtime.Error(said or "the program ended before it listened")
                found = _LISTENING.match(line)
                if found:
                    self.endpoints.append(Endpoint(found["host"], int(found["port"]), found["address"], found["personality"]))
                else:
                    words.append(line)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        process, printed = self._process, self._printed
        assert process is not None and printed is not None
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=_ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        with printed:
            printed.seek(0)
            document = printed.read()
        self.report = json.loads(document) if document.strip() else None


def ble(
    controllers: Sequence[str] = ("",), *, peers: Sequence[str] = (), interference: str = "none"
) -> Server:
    """Bluetooth LE controllers on one medium, each behind a TCP socket of its own on 127.0.0.1, a free port each.

    A controller is what differs from the default: `"personality=nordic-sdc,acl.count=24"`. `peers` are our own hosts on the same medium:
    `"coc-source,interval=15ms"`, `"gatt-sink"`. `interference` is `"none"` or `"co-channel"`. docs/live.md has all words.
    """
    words = ["live", "ble", "--json", "--interference", interference]
    for words_of in controllers:
        words += ["--hci", ",".join(part for part in ("tcp:127.0.0.1:0", words_of) if part)]
    for peer in peers:
        words += ["--peer", peer]
    return Server(words, len(controllers))


def _program() -> str:
    named = os.environ.get("AIRTIME_PROGRAM") or shutil.which("airtime")
    if named is None:
        raise _airtime.Error(
            "the program `airtime` is not in PATH: `cargo install --path crates/cli`, or name it in AIRTIME_PROGRAM"
        )
    return named

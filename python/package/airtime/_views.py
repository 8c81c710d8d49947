"""Objects of a JSON document as Python objects: attributes by the names that the document has, units in them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar


class View:
    """An object of a document. Attributes are its fields; `.record` is the dictionary behind it.

    A field that the document leaves out is `None`.
    """

    __slots__ = ("record",)

    #: Fields that are objects of their own, with their classes; a class in a list stands for a list of objects.
    _OBJECTS: ClassVar[Mapping[str, Any]] = {}
    #: Fields that a document may leave out.
    _OPTIONAL: ClassVar[frozenset[str]] = frozenset()

    record: dict[str, Any]

    def __init__(self, record: dict[str, Any]) -> None:
        object.__setattr__(self, "record", record)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self.record:
            if name in self._OPTIONAL:
                return None
            raise AttributeError(self._unknown(name))
        value, kind = self.record[name], self._OBJECTS.get(name)
        if kind is None or value is None:
            return value
        if isinstance(kind, list):
            return [kind[0](entry) for entry in value]
        return kind(value)

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self.record, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        return f"{type(self).__name__} has no `{name}`{hint}"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is what came of a run: it cannot be changed")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.record, *self._OPTIONAL})

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, View) and self.record == other.record

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return self.record

    def __setstate__(self, record: dict[str, Any]) -> None:
        object.__setattr__(self, "record", record)

    def __repr__(self) -> str:
        short = ", ".join(f"{name}={_short(value)}" for name, value in _first(self.record.items(), 6))
        more = ", …" if len(self.record) > 6 else ""
        return f"{type(self).__name__}({short}{more})"


def _first(items: Any, count: int) -> Iterator[tuple[str, Any]]:
    for number, item in enumerate(items):
        if number == count:
            return
        yield item


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        return f"[{len(value)}]"
    return repr(value)


class Goodput(View):
    """Goodput over the repeats of a run, in kbit/s (10³ bit/s) of application payload at the receiver."""

    __slots__ = ()
    median: float
    """Median over the runs, kbit/s."""
    low: float
    """Lowest of a run, kbit/s."""
    high: float
    """Highest of a run, kbit/s."""
    runs: int
    """Number of runs, one for each seed."""


class Latency(View):
    """Time from the application at one end to that at the other, in ms."""

    __slots__ = ()
    p50: float
    p95: float
    p99: float


class Bottleneck(View):
    """Account in which most of the lost time went."""

    __slots__ = ()
    account: str
    """Name of the account: `idle.window`, `cap`."""
    says: str
    """Sentence on it."""


class Record(View):
    """One point of a plan: what was asked, what was negotiated, what came out, and why.

    The fields are those of `schemas/run.schema.json`; units stand in their names. Times are in nanoseconds of virtual time, rates in
    kbit/s.
    """

    __slots__ = ()
    _OBJECTS = {"goodput_kbps": Goodput, "latency_ms": Latency, "bottleneck": Bottleneck}
    _OPTIONAL = frozenset(
        {
            "iteration", "note", "unlogged", "narrowed_by", "ram", "calls", "links", "together", "asked", "finding", "against", "ratios",
            "radio", "environment",
        }
    )
    id: str
    """Identifier of the point: the plan's name, or its row's, with the coordinates in the grid."""
    link: str
    """Kind of link: `ble-coc`, `nrf24-ip`."""
    params: dict[str, Any]
    """Every key of the plan with the value in effect, by dotted name."""
    seed: int
    """Seed of the first run."""
    negotiated: dict[str, Any] | None
    """What the two ends agreed on; `None` when there was no connection."""
    goodput_kbps: Goodput
    """Goodput of the steady state over the repeats, kbit/s."""
    latency_ms: Latency | None
    """Latency of SDUs or values, ms, where it was measured."""
    accepted_kbps: float | None
    """Goodput that the sender's stack took, kbit/s, where that differs from the one that arrived."""
    delivered_bytes: int
    """Octets of payload that arrived in the steady state of the first run."""
    elapsed_ns: int
    """Virtual time of the first run, ns."""
    ledger_ns: dict[str, int]
    """The air's books over `elapsed_ns`, ns by account: they sum to it."""
    series_kbps: list[float]
    """Goodput of every whole second of the first run, kbit/s."""
    measured: dict[str, Any] | None
    """The published figure that this point is compared with."""
    lab: dict[str, Any] | None
    """The lab's figure for the same thing in the same unit."""
    error_pct: float | None
    """Error of the lab's figure, per cent."""
    verdict: str | None
    """Verdict on the comparison."""
    bottleneck: Bottleneck
    """Account in which most of the lost time went."""
    counters: dict[str, int]
    """Counters of the steady state of the first run."""
    replay: str
    """The command that replays this record."""
    label: str
    """What tells this point from its neighbours, for people."""
    outcome: str
    """`ok`, or how the run failed."""
    setup_ns: int
    """Virtual time from connect to the first SDU or value, ns."""
    steady_ns: int
    """Virtual time of the steady state, ns."""
    steady_ledger_ns: dict[str, int]
    """The air's books over the steady state, ns by account."""


class Value(View):
    """A value of a personality, with where it is from."""

    __slots__ = ()
    key: str
    """Dotted name, its unit last: `controller.margin`."""
    value: Any
    status: str
    """`measured`, `derived`, `specified` or `assumed`."""
    source: str
    """Publication, document or commit that says it."""
    checked: list[str]
    """What it was checked against."""
    from_: str | None
    """The personality that it is taken over from."""


class Personality(View):
    """A device as data: what differs between devices, each value with its status and source."""

    __slots__ = ()
    _OBJECTS = {"values": [Value]}
    name: str
    description: str
    based_on: str | None
    """The personality whose values it takes over."""
    values: list[Value]

    def __getitem__(self, key: str) -> Value:
        for value in self.values:
            if value.key == key:
                return value
        raise KeyError(key)

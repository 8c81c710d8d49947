"""Plans: what to run, and changes to it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from airtime import _airtime


class Plan:
    """A plan: points of a link, each with the value of every key. It does not change; `set` gives another one.

    `Plan.load` finds one by the name it ships under, by the path of a file, or takes the text of one.
    """

    __slots__ = ("_native",)
    _native: _airtime.Plan

    def __init__(self, native: _airtime.Plan) -> None:
        self._native = native

    @classmethod
    def load(cls, source: str | os.PathLike[str], *, name: str = "plan.toml", folder: str = "") -> Plan:
        """The plan that `source` is: the name of a shipped plan (`"coc-mac"`), the path of a file, or the text of one.

        A text has a line break or a `=`. `name` is what messages and records call it then. `folder` is where a shipped plan is looked for
        first: `"field"` has the published measurements.

        Raises `airtime.PlanError` with file, line and column where the plan makes no sense, `airtime.InputError` where there is none.
        """
        if isinstance(source, str) and ("\n" in source or "=" in source):
            return cls(_airtime.Plan.parse(source, name))
        return cls(_airtime.Plan.load(os.fspath(source), folder))

    def set(self, changes: Mapping[str, Any] | None = None, /, **keys: Any) -> Plan:
        """The same plan with keys changed, as `--set` does it: `plan.set({"coc.sdu": 495})`, or `plan.set(coc__sdu=495)`.

        Two underscores of a keyword stand for the dot of a key. A text is taken as `--set` takes it (`"15ms"`, `"2M"`), a number is in the
        key's own unit, a list or a dictionary is a value of TOML. `airtime keys` lists the keys with their units.
        """
        named = {name.replace("__", "."): value for name, value in keys.items()}
        both = {**(changes or {}), **named}
        return Plan(self._native.changed([(key, _toml(value)) for key, value in both.items()]))

    @property
    def name(self) -> str:
        """Name in tables and records."""
        return self._native.name

    @property
    def file(self) -> str:
        """File it came from, or the name of the shipped plan."""
        return self._native.file

    @property
    def text(self) -> str:
        """Text of the file, without changes."""
        return self._native.text

    @property
    def changes(self) -> dict[str, str]:
        """Changes made to it, each value as TOML."""
        return dict(self._native.changes)

    @property
    def link(self) -> str:
        """Kind of its link: `ble-coc`, `ble-gatt`, `nrf24-ip`, `wifi-hosted`, `ieee802154`."""
        return self._native.link

    @property
    def points(self) -> list[str]:
        """Identifiers of its points: one, or those of its rows and its grid."""
        return self._native.ids()

    def params(self, point: int = 0) -> dict[str, Any]:
        """Every key of a point with the value in effect, by dotted name; units are in the values (`"15ms"`) or those of the key."""
        found: dict[str, Any] = json.loads(self._native.params(point))
        return found

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[str]:
        return iter(self.points)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash((self.file, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, self._state())

    def _state(self) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        return (self.file, self.text, tuple(self._native.changes))

    def __repr__(self) -> str:
        points = "1 point" if len(self) == 1 else f"{len(self)} points"
        changed = "".join(f" {key}={value}" for key, value in self._native.changes)
        return f"<airtime.Plan {self.name}: {self.link}, {points}{changed}>"


_READ: dict[tuple[str, str, tuple[tuple[str, str], ...]], Plan] = {}
_READ_MAX = 16


def _again(file: str, text: str, changes: tuple[tuple[str, str], ...]) -> Plan:
    """The plan that was pickled: with its text, whatever has become of the file. Plans do not change: a worker reads one
    once for all of its tasks."""
    key = (file, text, changes)
    if key not in _READ:
        if len(_READ) >= _READ_MAX:
            _READ.pop(next(iter(_READ)))
        plan = _airtime.Plan.parse(text, file)
        _READ[key] = Plan(plan.changed(list(changes)) if changes else plan)
    return _READ[key]


def _toml(value: Any) -> str:
    if isinstance(value, Path):
        value = str(value)
    return _airtime.toml_value(value, json.dumps(value))


def plans(folder: str = "") -> list[str]:
    """Names of the shipped plans; those of the folder `"field"` are published measurements."""
    return _airtime.plan_names(folder)


PlanLike = Plan | str | os.PathLike[str]


def as_plan(plan: PlanLike, folder: str = "") -> Plan:
    """`plan` itself, or the one that it names."""
    return plan if isinstance(plan, Plan) else Plan.load(plan, folder=folder)


def with_seed(plan: Plan, seed: int | None) -> Plan:
    """`plan` with the seed of its first run."""
    return plan if seed is None else plan.set({"run.seed": seed})

"""Questions: what a plan comes to, why, what is better, what fits."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from airtime import _airtime
from airtime._plan import Plan, PlanLike, as_plan, with_seed
from airtime._results import Capture, Comparison, Explanation, Fitted, Heard, Records, Tuned
from airtime._views import Personality

#: Called some ten times a second with what is done and the total, where that is known.
Progress = Callable[[int, int | None], object]
#: A key with the values that it may have; `None`: those that `explain` would try.
Free = Mapping[str, Sequence[Any] | None] | Iterable[str]


def run(
    plan: PlanLike | Sequence[PlanLike],
    *,
    seed: int | None = None,
    point: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Records:
    """Runs a plan, or several, as `airtime run` does: a record for each point.

    `seed` is that of the first run, `point` the id of the only point to run. Runs are in virtual time, on `threads` cores (all of them
    unless told) without Python's lock; Ctrl-C ends them. The records are equal to the command's byte for byte.
    """
    several = [plan] if isinstance(plan, Plan | str | os.PathLike) else list(plan)
    natives = [with_seed(as_plan(one), seed)._native for one in several]
    return Records(_airtime.measure(natives, "runs", point=point, threads=threads or 0, progress=progress))


def sweep(
    plan: PlanLike,
    *,
    seed: int | None = None,
    point: str | None = None,
    threads: int | None = None,
    shard: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Records:
    """Runs a plan's whole grid on all cores, as `airtime sweep` does.

    `shard` is the part of the grid to run (`"2/4"`: the second of four). `folder` keeps each finished point; a sweep that was stopped goes
    on from there with `resume`, or begins anew with `force`.
    """
    native = with_seed(as_plan(plan), seed)._native
    return Records(
        _airtime.measure(
            [native],
            "grid",
            point=point,
            threads=threads or 0,
            shard=shard,
            folder=None if folder is None else os.fspath(folder),
            opening=_opening(resume, force),
            progress=progress,
        )
    )


def field(
    *plans: PlanLike, point: str | None = None, threads: int | None = None, progress: Progress | None = None
) -> Records:
    """Published measurements beside the lab's figures, as `airtime field` has them; without plans, all that ship.

    A record has `measured`, `lab` and `error_pct` (per cent); `.json` has the totals as well.
    """
    asked: Sequence[PlanLike] = plans or _airtime.plan_names("field")
    natives = [as_plan(plan, "field")._native for plan in asked]
    return Records(_airtime.measure(natives, "field", point=point, threads=threads or 0, progress=progress))


def explain(
    plan: PlanLike,
    *,
    seed: int | None = None,
    point: str | None = None,
    depth: int | None = None,
    also: Sequence[str] = (),
    progress: Progress | None = None,
) -> Explanation:
    """Where a point's throughput goes, from the PHY's rate down to goodput (kbit/s), and what would gain most, as `airtime explain` says.

    `depth` is the number of remedies at most; `also` names goods that may be given up: `"security"`, `"protocol"`.
    """
    native = with_seed(as_plan(plan), seed)._native
    return Explanation(_airtime.explain(native, point=point, depth=depth, also=list(also), progress=progress))


def compare(
    *operands: PlanLike | Records,
    names: Sequence[str] | None = None,
    seed: int | None = None,
    point: str | None = None,
    threshold_pct: float | None = None,
    fail_if: Sequence[str] = (),
    repeats: int | None = None,
    ends: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compares each operand with the first, as `airtime compare` does: plans, changed plans, records.

    `names` is what the answer calls them; a changed plan is called by its changes unless told. `threshold_pct` is the change up to which
    two figures are the same, in per cent. `fail_if` has conditions such as `"goodput < -3%"` or `"delay_p99 > +2ms"`. Where something is
    drawn at random, pairs of runs grow up to `repeats`. `ends` runs both ends of what is assumed as well.
    """
    several = [one if isinstance(one, Records) else with_seed(as_plan(one), seed) for one in operands]
    called = list(names) if names is not None else [_called(one, number) for number, one in enumerate(several)]
    if len(called) != len(several):
        raise _airtime.InputError(f"{len(called)} names for {len(several)} operands")
    return Comparison(
        _airtime.compare(
            [(name, one._native) for name, one in zip(called, several, strict=True)],
            point=point,
            threshold_pct=threshold_pct,
            fail_if=list(fail_if),
            repeats=repeats,
            ends=ends,
            threads=threads or 0,
            progress=progress,
        )
    )


def _called(operand: Plan | Records, number: int) -> str:
    if isinstance(operand, Records):
        return f"records {number + 1}"
    changes = ",".join(f"{key}={value}" for key, value in operand.changes.items() if key != "run.seed")
    return changes or operand.file


def tune(
    plan: PlanLike,
    free: Free = (),
    *,
    who: Sequence[str] = (),
    goal: str = "goodput",
    limits: Sequence[str] = (),
    seed: int | None = None,
    point: str | None = None,
    exhaustive: int | None = None,
    restarts: int | None = None,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Tuned:
    """The best values of several keys together, as `airtime tune` finds them.

    `free` has the keys with the values that each may have (`{"coc.sdu": [244, 495], "ble.phy": None}`), `who` the roles all of whose keys
    are free (`"firmware"`, `"central"`, `"daemon"`, …). `goal` is a figure (`"goodput"` in kbit/s, `"delay_p99"` in ms, `"ram"` in octets),
    `limits` what has to hold (`"delay_p99 < 50ms"`). Spaces of up to `exhaustive` points are searched whole, larger ones by coordinate
    descent from `restarts` starts.
    """
    return Tuned(
        _airtime.tune(
            with_seed(as_plan(plan), seed)._native,
            free_keys(free),
            who=list(who),
            goal=goal,
            limits=list(limits),
            point=point,
            exhaustive=exhaustive,
            restarts=restarts,
            threads=threads or 0,
            folder=None if folder is None else os.fspath(folder),
            opening=_opening(resume, force),
            progress=progress,
        )
    )


def fit(
    plan: PlanLike,
    *,
    csv: str | os.PathLike[str] | None = None,
    records: Records | None = None,
    end: str | None = None,
    point: str | None = None,
    noise_pct: float | None = None,
    rank: bool = False,
    free: Free | None = None,
    runs: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Fitted:
    """The device model that measured figures fit, as `airtime fit` finds it.

    The figures are a table (`csv`, a path or the text of one: a column for each key, and `goodput` in kbit/s), records of real runs, or
    without either the rows of `plan`, a field plan. `end` is the end that is looked for (`"central"`, `"peripheral"`), `noise_pct` the
    repeatability in per cent. `rank` only ranks known devices. `free` has the values that are looked for, all that matter unless told.
    """
    folder = "field" if csv is None and records is None else ""
    return Fitted(
        _airtime.fit(
            as_plan(plan, folder)._native,
            csv=None if csv is None else _table(csv),
            records=None if records is None else records._native,
            end_of=end,
            point=point,
            noise_pct=noise_pct,
            rank=rank,
            free=None if free is None else free_keys(free),
            runs=runs,
            threads=threads or 0,
            progress=progress,
        )
    )


def _table(csv: str | os.PathLike[str]) -> tuple[str, str]:
    if isinstance(csv, str) and "\n" in csv:
        return "table.csv", csv
    name = os.fspath(csv)
    try:
        with open(name, encoding="utf-8") as file:
            return name, file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise _airtime.InputError(f"cannot read `{name}`: {error}") from error


def free_keys(free: Free) -> list[tuple[str, list[str]]]:
    """Keys with the texts of their values."""
    if isinstance(free, Mapping):
        return [(key, [_value(value) for value in values or ()]) for key, values in free.items()]
    if isinstance(free, str):
        return [(free, [])]
    return [(key, []) for key in free]


def _value(value: Any) -> str:
    return _airtime.toml_value(value, json.dumps(value))


def _opening(resume: bool, force: bool) -> str:
    return "resume" if resume else "replace" if force else "fresh"


def trace(
    plan: PlanLike, *, form: str = "pcapng", seed: int | None = None, point: str | None = None, apart: bool = False
) -> Capture:
    """One run written down, as `airtime trace` does it: `form` is `"pcapng"` (the air), `"btsnoop"` (HCI) or `"perfetto"` (the time line).

    `apart` shows each device on an interface of its own besides. Time stamps begin at 1970 in virtual time, in ns.
    """
    native = with_seed(as_plan(plan), seed)._native
    views = dict(_airtime.trace(native, form, point=point, apart=apart))
    try:
        html = _airtime.time_line_html(native, point=point)
    except _airtime.InputError:
        # A link may have no cycle to draw: the capture is there all the same.
        html = None
    return Capture(form, views, html)


def read_capture(
    source: str | os.PathLike[str] | bytes, *, exact: bool = False, progress: Progress | None = None
) -> Heard:
    """What a capture comes to, as `airtime trace read` says: of a sniffer, of btmon, of Wireshark, or of `airtime.trace`.

    `source` is a path or the octets of a file. `exact` says that its time stamps are a virtual radio's. `progress` is told octets.
    """
    if isinstance(source, bytes):
        name, octets = "capture", source
    else:
        name = os.fspath(source)
        try:
            with open(name, "rb") as file:
                octets = file.read()
        except OSError as error:
            raise _airtime.InputError(f"cannot read `{name}`: {error}") from error
    return Heard(*_airtime.read_capture(octets, name, exact=exact, progress=progress))


def read_records(path: str | os.PathLike[str]) -> Records:
    """Records that were kept: a run folder, a document that `--json` printed, or a report."""
    return Records(_airtime.kept(os.fspath(path)))


def personalities() -> list[str]:
    """Names of the shipped personalities: devices as data."""
    return _airtime.personality_names()


def personality(name: str | os.PathLike[str]) -> Personality:
    """The shipped personality of this name, or the one in a file, each value with status and source."""
    return Personality(json.loads(_airtime.personality(os.fspath(name))))

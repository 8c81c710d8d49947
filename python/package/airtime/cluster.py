"""A grid or a search over several machines, by the engine that is there: Ray or Dask.

    >>> import ray; ray.init()
    >>> airtime.cluster.sweep("grid.toml", ray, folder="/shared/grid")

    >>> from dask.distributed import Client
    >>> airtime.cluster.sweep("grid.toml", Client("scheduler:8786"), folder="/shared/grid")

Nothing of an engine is imported until it is given. A task is a part of the grid worth some seconds, as `airtime sweep --shard i/n -o DIR`
runs it, and never a single point; it is kept in the shared folder as the program keeps it, whole or not at all. A worker that is lost is
the engine's to replace; what it was doing is done again. At the end all parts are put together, which refuses gaps and doubles, so the
records are those of one process, byte for byte. A second call with the same folder goes on with the parts that are missing.

A part of the grid is there as a table too (`records.parquet`): DuckDB and polars read those of a folder as one, while it grows.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from airtime import _airtime
from airtime._ask import Free, Progress, free_keys
from airtime._plan import Plan, PlanLike, as_plan, with_seed
from airtime._results import Records, Tuned
from airtime._save import save_octets

#: Seconds of work of a task, *assumed*: an engine takes milliseconds to hand one out, and what is lost with a worker is one.
SECONDS = 3.0
#: Share of a task that may go for what it costs beside its points, *assumed*.
BESIDE = 0.05
#: Seconds that more points take longer when they tell enough, *assumed*.
ENOUGH = 1.0
#: Tasks that an engine has at a time, *assumed*: enough for a thousand workers, and little in its books.
IN_FLIGHT = 4_000
#: Times that a task is begun again after its worker was lost, *assumed*.
RETRIES = 5

#: Runs the function with each of the tuples of arguments, on the workers of an engine, and gives what it returns, in any order.
_Spread = Callable[[Callable[..., int], Sequence[tuple[Any, ...]]], Iterator[int]]


def sweep(
    plan: PlanLike,
    on: Any,
    *,
    folder: str | os.PathLike[str],
    seed: int | None = None,
    shards: int | None = None,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Records:
    """Runs a plan's whole grid on a cluster: `on` is the module `ray`, after `ray.init`, or a `Client` of Dask.

    `folder` is one that the driver and all workers see, or a URL that fsspec knows. `shards` is the number of tasks; unless told it is
    chosen for `seconds` of work each, more where a task costs much beside its points, from the time that a few take here. `progress` is
    told points.
    """
    return _measured([with_seed(as_plan(plan), seed)], "grid", on, os.fspath(folder), shards, seconds, progress)


def field(
    *plans: PlanLike,
    on: Any,
    folder: str | os.PathLike[str],
    shards: int | None = None,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Records:
    """Published measurements beside the lab's figures, all points of all plans spread as of `sweep`; without plans, all that ship."""
    asked: Sequence[PlanLike] = plans or _airtime.plan_names("field")
    several = [as_plan(plan, "field") for plan in asked]
    return _measured(several, "field", on, os.fspath(folder), shards, seconds, progress)


def tune(
    plan: PlanLike,
    free: Free = (),
    *,
    on: Any,
    folder: str | os.PathLike[str],
    who: Sequence[str] = (),
    goal: str = "goodput",
    limits: Sequence[str] = (),
    seed: int | None = None,
    point: str | None = None,
    exhaustive: int | None = None,
    restarts: int | None = None,
    shards: int | None = None,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Tuned:
    """The best values of several keys together, as `airtime.tune` finds them, from parts that are spread as of `sweep`.

    A space of up to `exhaustive` points is spread by its points; a larger one by its starts, so that more workers than one and `restarts`
    have nothing to do. The points around the best are run here. `progress` is told points.
    """
    asked = with_seed(as_plan(plan), seed)
    keys = free_keys(free)
    search: dict[str, Any] = {
        "who": list(who),
        "goal": goal,
        "limits": list(limits),
        "point": point,
        "exhaustive": exhaustive,
        "restarts": restarts,
    }
    most, is_exhaustive, digest = _airtime.tune_parts(asked._native, keys, **search)
    place = _Place(os.fspath(folder))

    def smallest(count: int) -> object:
        return _airtime.tune(asked._native, keys, **search, shard=f"1/{count}", threads=1)

    # One start is some hundred points one after the other: it is a task by itself.
    chosen = min(shards or (_parts(most, seconds, smallest) if is_exhaustive else most), most)
    count = place.count() or chosen
    missing = [part for part in range(1, count + 1) if not place.has(part, count)]
    done, total = 0, most if is_exhaustive else None
    for tried in _engine(on)(_searched, [(asked, keys, search, part, count, place.given) for part in missing]):
        done += tried
        if progress is not None:
            progress(done, total)
    with tempfile.TemporaryDirectory(prefix="airtime-") as beside:
        parts = place.fetched_all(count, beside)
        if _airtime.part_of(parts[0]) not in (digest, None):
            raise _airtime.InputError(f"`{place.folder}` holds parts of another search: name another folder")
        whole = _whole(parts, beside)
        return Tuned(_airtime.tune(asked._native, keys, **search, folder=whole, opening="resume"))


def _searched(plan: Plan, free: Any, search: dict[str, Any], part: int, count: int, folder: str) -> int:
    """Does a part of a search on a worker, as `_part` does one of a grid. Gives the number of points that it has come to."""
    place = _Place(folder)
    if place.has(part, count):
        return 0
    with tempfile.TemporaryDirectory(prefix="airtime-") as beside:
        made = os.path.join(beside, "part")
        shard = None if count == 1 else f"{part}/{count}"
        found = _airtime.tune(plan._native, free, **search, shard=shard, threads=1, folder=made)
        place.put(made, part, count)
        tried: int = json.loads(found.json())["tried"]
        return tried


def _measured(
    plans: list[Plan],
    kind: str,
    on: Any,
    folder: str,
    shards: int | None,
    seconds: float,
    progress: Progress | None,
) -> Records:
    spread = _engine(on)
    total = sum(len(plan) for plan in plans)
    place = _Place(folder)
    natives = [plan._native for plan in plans]

    def smallest(count: int) -> object:
        return _airtime.measure(natives, kind, shard=f"1/{count}", threads=1)

    count = place.count() or shards or _parts(total, seconds, smallest)
    missing = [part for part in range(1, count + 1) if not place.has(part, count)]
    done = total - sum(_points(total, part, count) for part in missing)
    if progress is not None and done:
        progress(done, total)
    tasks = [(plans, kind, part, count, folder) for part in missing]
    for finished in spread(_part, tasks):
        done += finished
        if progress is not None:
            progress(done, total)
    with tempfile.TemporaryDirectory(prefix="airtime-") as beside:
        whole = _whole(place.fetched_all(count, beside), beside)
        return Records(_airtime.kept_of(natives, whole, kind))


def _whole(parts: list[str], beside: str) -> str:
    """All parts as one folder in `beside`, which nobody else writes to."""
    whole = os.path.join(beside, "whole")
    if len(parts) == 1:
        shutil.copytree(parts[0], whole)
    else:
        _airtime.merge(parts, whole)
    return whole


def _points(total: int, part: int, count: int) -> int:
    """Points of a part: they are dealt like cards."""
    return len(range(part - 1, total, count))


def _parts(total: int, seconds: float, run: Callable[[int], object]) -> int:
    """Number of parts worth so many seconds each, and so long that what a part costs beside its points is little of it, from the times of a
    few small ones: `run` runs the first of so many parts."""

    def took(count: int) -> float:
        begun = time.perf_counter()
        run(count)
        return time.perf_counter() - begun

    each, beside = _costs(total, took)
    return max(1, min(total, math.ceil(total * each / max(seconds, beside / BESIDE))))


def _costs(total: int, took: Callable[[int], float]) -> tuple[float, float]:
    """Seconds of a point, and those of a part beside its points: a part of a large grid looks at all of it. `took` gives the seconds of the
    first of so many parts; that of a single point tells nothing of either."""
    least = took(total)
    few, most = 1, least
    while most < 2 * least and most - least < ENOUGH and few * 16 <= total:
        few *= 4
        most = took(total // few)
    more = _points(total, 1, total // few) - 1
    each = (most - least) / more if more else least
    # Noise may make more points quicker than one.
    each = max(each, least / total)
    return each, max(0.0, least - each)


def _part(plans: Sequence[Plan], kind: str, part: int, count: int, folder: str) -> int:
    """Runs a part on a worker and puts it into its place when it is whole. Gives the number of its points."""
    total = sum(len(plan) for plan in plans)
    place = _Place(folder)
    if not place.has(part, count):
        with tempfile.TemporaryDirectory(prefix="airtime-") as beside:
            shard = None if count == 1 else f"{part}/{count}"
            natives = [plan._native for plan in plans]
            made = os.path.join(beside, "part")
            records = _airtime.measure(natives, kind, shard=shard, threads=1, folder=made)
            save_octets(os.path.join(made, "records.parquet"), records.parquet(), False)
            place.put(made, part, count)
    return _points(total, part, count)


class _Place:
    """The shared folder: a folder for each part, by its name `part-00002-of-00008`, with the program's `records.jsonl` and, of a grid, the
    same as a table."""

    def __init__(self, folder: str) -> None:
        self.given = folder
        self.folder = folder.rstrip("/")
        self.files: Any = None
        if "://" in folder:
            import fsspec

            self.files, self.folder = fsspec.core.url_to_fs(self.folder)

    def path(self, part: int, count: int) -> str:
        return f"{self.folder}/part-{part:05}-of-{count:05}"

    def count(self) -> int | None:
        """Number of parts that an earlier call has chosen; it holds while any part is there."""
        names = self._names()
        counts = {int(name.rsplit("-of-", 1)[1]) for name in names if name.startswith("part-") and "-of-" in name}
        if len(counts) > 1:
            raise _airtime.InputError(f"`{self.folder}` holds parts of {sorted(counts)}: name another folder")
        return counts.pop() if counts else None

    def _names(self) -> list[str]:
        try:
            if self.files is None:
                return os.listdir(self.folder)
            return [path.rstrip("/").rsplit("/", 1)[-1] for path in self.files.ls(self.folder, detail=False)]
        except FileNotFoundError:
            return []

    def has(self, part: int, count: int) -> bool:
        path = f"{self.path(part, count)}/records.jsonl"
        return os.path.exists(path) if self.files is None else bool(self.files.exists(path))

    def put(self, made: str, part: int, count: int) -> None:
        """Puts what was made into its place, unless another worker was first: both have made the same."""
        path = self.path(part, count)
        if self.files is not None:
            # An object is there whole or not at all; the one that says that the part is there comes last.
            self.files.makedirs(path, exist_ok=True)
            for name in sorted(os.listdir(made), reverse=True):
                self.files.put_file(f"{made}/{name}", f"{path}/{name}")
            return
        os.makedirs(self.folder, exist_ok=True)
        near = f"{self.folder}/.{uuid.uuid4().hex}"
        shutil.copytree(made, near)
        try:
            os.rename(near, path)
        except OSError:
            shutil.rmtree(near, ignore_errors=True)
            if not self.has(part, count):
                raise

    def fetched_all(self, count: int, beside: str) -> list[str]:
        """All parts as folders of this machine."""
        return [self.fetched(part, count, beside) for part in range(1, count + 1)]

    def fetched(self, part: int, count: int, beside: str) -> str:
        """A part as a folder of this machine."""
        path = self.path(part, count)
        if self.files is None:
            return path
        near = os.path.join(beside, f"part-{part}")
        os.makedirs(near)
        self.files.get_file(f"{path}/records.jsonl", f"{near}/records.jsonl")
        return near


def _engine(on: Any) -> _Spread:
    """Way to spread tasks over the engine that `on` is of."""
    if getattr(on, "__name__", None) == "ray":
        return lambda function, tasks: _over_ray(on, function, tasks)
    if type(on).__module__.partition(".")[0] == "distributed":
        return lambda function, tasks: _over_dask(on, function, tasks)
    raise _airtime.InputError(f"{type(on).__name__} is no engine: expected the module ray, or a Client of dask.distributed")


def _over_ray(ray: Any, function: Callable[..., int], tasks: Sequence[tuple[Any, ...]]) -> Iterator[int]:
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(function)
    waiting = list(tasks)[::-1]
    running: list[Any] = []
    try:
        while waiting or running:
            while waiting and len(running) < IN_FLIGHT:
                running.append(remote.remote(*waiting.pop()))
            finished, running = ray.wait(running, num_returns=1)
            yield from ray.get(finished)
    finally:
        for task in running:
            ray.cancel(task)


def _over_dask(client: Any, function: Callable[..., int], tasks: Sequence[tuple[Any, ...]]) -> Iterator[int]:
    from distributed import as_completed

    waiting = list(tasks)[::-1]

    def begun() -> Any:
        return client.submit(function, *waiting.pop(), pure=False, retries=RETRIES)

    running = as_completed([begun() for _ in range(min(IN_FLIGHT, len(waiting)))])
    try:
        for finished in running:
            yield finished.result()
            if waiting:
                running.add(begun())
    finally:
        client.cancel(list(running.futures))

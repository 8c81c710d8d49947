"""Engines beside two processes without one, and a schedule of what was measured for more workers than there are here.

    python benches/engines.py PLAN

Prints a line for each: seconds by the clock from the plan to the records of its grid, and the share of them that two plain processes take.
Then what an engine takes to hand out a task, and what a thousand workers would make of larger grids with that: a simulation, no measurement.
"""

from __future__ import annotations

import heapq
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import airtime
import airtime.cluster
from airtime import _airtime

#: Tasks that do nothing, to see what handing out takes.
EMPTY = 2_000
#: Workers of the schedule, points of its grids, and seconds of work of a task.
WORKERS, GRIDS, TASKS = 1_000, (10**6, 10**7, 10**8), (airtime.cluster.SECONDS, 10.0, 60.0)

#: One of the two processes: part, folder, plan.
ALONE = "import airtime, sys; airtime.sweep(sys.argv[3], shard=sys.argv[1] + '/2', threads=1, folder=sys.argv[2])"


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def alone(path: str, home: str) -> tuple[float, float]:
    """Seconds of two processes, and of putting their folders together and reading them."""
    folders = [os.path.join(home, part) for part in "12"]
    begun = time.perf_counter()
    both = [subprocess.Popen([sys.executable, "-c", ALONE, part, folder, path]) for part, folder in zip("12", folders)]
    if any(process.wait() for process in both):
        raise SystemExit("one of the two processes has failed")
    ran = time.perf_counter() - begun
    whole = os.path.join(home, "whole")
    plan = airtime.Plan.load(path)

    def read() -> object:
        _airtime.merge(folders, whole)
        return _airtime.kept_of([plan._native], whole, "grid")

    return ran, seconds(read)


def nothing() -> int:
    return 0


def schedule(points: int, each: float, handing: float, task: float) -> tuple[int, float, float]:
    """Tasks of a grid, the seconds that all workers take, and those of work alone: tasks are handed out one after the other, each to
    whoever is free first, and take between half and one and a half times what they take on average, *assumed*, as points differ."""
    tasks = -(-points * each // task)
    length = points * each / tasks
    free = [0.0] * WORKERS
    heapq.heapify(free)
    handed = last = 0.0
    for number in range(int(tasks)):
        handed += handing
        end = max(handed, heapq.heappop(free)) + length * (0.5 + (number * 0.6180339887) % 1.0)
        last = max(last, end)
        heapq.heappush(free, end)
    return int(tasks), last, points * each / WORKERS


def with_ray(use: Callable[[Any], float]) -> float:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        return use(ray)
    finally:
        ray.shutdown()


def with_dask(use: Callable[[Any], float]) -> float:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            return use(client)


def beside(name: str, engine: Any, path: str, home: str, plain: float, points: int) -> float:
    """Prints what the grid takes on an engine beside the seconds of two plain processes; gives those to hand out a task."""
    folder = os.path.join(home, name)
    took = seconds(lambda: airtime.cluster.sweep(path, engine, folder=folder))
    parts = [part.path for part in os.scandir(folder) if part.is_dir()]
    tables = sum(os.path.getsize(f"{part}/records.parquet") for part in parts) / points
    share = 100 * plain / took
    print(f"{name}: {took:.1f} s in {len(parts)} tasks, {share:.0f} % of two processes; {tables:.0f} octets a point as tables")
    spread = airtime.cluster._engine(engine)
    return seconds(lambda: list(spread(nothing, [() for _ in range(EMPTY)]))) / EMPTY


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    path = sys.argv[1]
    points = len(airtime.Plan.load(path))
    with tempfile.TemporaryDirectory(prefix="airtime-") as home:
        ran, read = alone(path, home)
        size = os.path.getsize(os.path.join(home, "whole", "records.jsonl")) / points
        each = 2 * ran / points
        print(f"two processes: {ran:.1f} s, {each * 1e3:.2f} ms a point, and {read:.1f} s to read {size:.0f} octets a point")
        for name, with_engine in {"ray": with_ray, "dask": with_dask}.items():
            handing = with_engine(lambda engine: beside(name, engine, path, home, ran + read, points))
            for total in GRIDS:
                print(f"{name}, {WORKERS} workers, {total:.0e} points of {total * size / 1e9:.0f} GB, a task in {handing * 1e3:.2f} ms:")
                for task in TASKS:
                    tasks, last, work = schedule(total, each, handing, task)
                    print(f"  {tasks} tasks of {task:.0f} s: {last:.0f} s, of which {work:.0f} are work")


if __name__ == "__main__":
    main()

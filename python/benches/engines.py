"""Engines beside two processes without one, and a schedule of what was measured for more workers than there are here.

    python benches/engines.py [POINTS]

Prints a line for each: seconds by the clock from the plan to the records, and the share of them that two plain processes take. Then what
an engine takes to hand out a task, and what a thousand workers would make of larger grids with that: a simulation, not a measurement.
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

GRID = """\
link = "ieee802154"
run.duration = "{seconds}s"
run.warmup = "100ms"
[sweep]
ieee802154.payload = [{payloads}]
run.seed = [{seeds}]
"""
#: Virtual seconds of a point, and payloads of the grid: seeds are as many as it takes.
SECONDS, PAYLOADS = 4, 100
#: Tasks that do nothing, to see what handing out takes.
EMPTY = 2_000
#: Workers of the schedule, and points of its grids.
WORKERS, GRIDS = 1_000, (10**6, 10**7, 10**8)

#: One of the two processes: part, folder, plan.
ALONE = "import airtime, sys; airtime.sweep(sys.argv[3], shard=sys.argv[1] + '/2', threads=1, folder=sys.argv[2])"


def grid(points: int) -> str:
    payloads, seeds = range(10, 10 + PAYLOADS), range(1, points // PAYLOADS + 1)
    return GRID.format(seconds=SECONDS, payloads=", ".join(map(str, payloads)), seeds=", ".join(map(str, seeds)))


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
    whoever is free first, and take between half and one and a half times what they take on average, as points differ."""
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


def engines() -> dict[str, tuple[Any, Callable[[], None]]]:
    """Each engine with two workers, and what ends it."""
    import ray
    from distributed import Client, LocalCluster

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    client = Client(cluster)
    return {"ray": (ray, ray.shutdown), "dask": (client, lambda: (client.close(), cluster.close()) and None)}


def main() -> None:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory(prefix="airtime-") as home:
        path = os.path.join(home, "grid.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(grid(points))
        ran, read = alone(path, home)
        size = os.path.getsize(os.path.join(home, "whole", "records.jsonl")) / points
        each = 2 * ran / points
        print(f"two processes: {ran:.1f} s, {each * 1e3:.2f} ms a point, and {read:.1f} s to read {size:.0f} octets a point")
        handing: dict[str, float] = {}
        for name, (engine, end) in engines().items():
            folder = os.path.join(home, name)
            took = seconds(lambda: airtime.cluster.sweep(path, engine, folder=folder))
            tables = sum(os.path.getsize(f"{part.path}/records.parquet") for part in os.scandir(folder) if part.is_dir())
            parts = len(os.listdir(folder))
            share = (ran + read) / took
            print(f"{name}: {took:.1f} s in {parts} tasks, {100 * share:.0f} % of two processes; {tables / points:.0f} octets a point as tables")
            spread = airtime.cluster._engine(engine)
            handing[name] = seconds(lambda: list(spread(nothing, [() for _ in range(EMPTY)]))) / EMPTY
            end()
        for name, hand in handing.items():
            for total in GRIDS:
                tasks, last, work = schedule(total, each, hand, airtime.cluster.SECONDS)
                print(
                    f"{name}, {WORKERS} workers, {total:.0e} points: {tasks} tasks handed out in {hand * 1e3:.2f} ms each, "
                    f"{last:.0f} s of which {work:.0f} are work; {total * size / 1e9:.0f} GB of records"
                )


if __name__ == "__main__":
    main()

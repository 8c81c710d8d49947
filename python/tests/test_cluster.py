"""Grids over local clusters of two workers: the bytes of one process, whoever is lost."""

from __future__ import annotations

import glob
import os
import signal
import threading

import airtime
import airtime.cluster
import pytest
from grids import grid

@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    # A nanny for each worker: whoever dies has a successor.
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


class Here:
    """An engine of no kind."""


def test_what_is_no_engine_is_refused(tmp_path):
    with pytest.raises(airtime.InputError, match="Here is no engine"):
        airtime.cluster.sweep(grid(), Here(), folder=tmp_path)


@pytest.mark.parametrize(("total", "each", "beside"), [(100_000, 0.004, 0.15), (24, 2.0, 0.5), (1_000_000, 0.0005, 1.5)])
def test_costs_of_a_part_are_told_from_those_of_its_points(total, each, beside):
    took = lambda count: beside + each * len(range(0, total, count))
    assert airtime.cluster._costs(total, took) == pytest.approx((each, beside))


@pytest.fixture(params=["ray", "client"])
def engine(request):
    return request.getfixturevalue(request.param)


def test_a_grid_over_workers_is_the_grid_of_one_process(engine, tmp_path):
    plan, seen = grid(), []
    found = airtime.cluster.sweep(plan, engine, folder=tmp_path, shards=6, progress=lambda *now: seen.append(now))
    assert found.json == airtime.sweep(plan).json
    assert seen[-1] == (24, 24) and len(seen) == 6
    assert len(glob.glob(f"{tmp_path}/part-*-of-00006/records.jsonl")) == 6


def test_a_second_call_goes_on_with_what_is_missing(engine, tmp_path):
    plan = grid()
    whole = airtime.cluster.sweep(plan, engine, folder=tmp_path, shards=4)
    os.rename(tmp_path / "part-00002-of-00004", tmp_path / "elsewhere")
    seen = []
    again = airtime.cluster.sweep(plan, engine, folder=tmp_path, progress=lambda *now: seen.append(now))
    assert again.json == whole.json and seen == [(18, 24), (24, 24)]


def test_parts_of_another_plan_are_refused(engine, tmp_path):
    airtime.cluster.sweep(grid(), engine, folder=tmp_path, shards=4)
    with pytest.raises(airtime.InputError, match="records of another plan"):
        airtime.cluster.sweep(grid(seconds=3), engine, folder=tmp_path)
    os.rename(tmp_path / "part-00002-of-00004", tmp_path / "elsewhere")
    with pytest.raises(airtime.InputError, match="different grids"):
        airtime.cluster.sweep(grid(seconds=3), engine, folder=tmp_path)


def test_field_plans_are_spread_too(engine, tmp_path):
    names = airtime.plans("field")[:2]
    found = airtime.cluster.field(*names, on=engine, folder=tmp_path, shards=3)
    assert found.json == airtime.field(*names).json


@pytest.mark.parametrize(("exhaustive", "shards"), [(None, 4), (0, 3), (None, 1)])
def test_a_search_over_workers_is_that_of_one_process(engine, tmp_path, exhaustive, shards):
    free, seen = {"ieee802154.payload": [20, 40, 60, 80, 116], "ieee802154.ack": [True, False]}, []
    how = {"exhaustive": exhaustive, "restarts": 3, "limits": ["goodput > -50%"]}
    found = airtime.cluster.tune(
        grid(payloads=1), free, on=engine, folder=tmp_path, shards=shards, progress=lambda *now: seen.append(now), **how
    )
    assert found.json == airtime.tune(grid(payloads=1), free, **how).json
    assert len(seen) == shards and len(glob.glob(f"{tmp_path}/part-*-of-0000{shards}/records.jsonl")) == shards
    # What is there is not searched again.
    again = airtime.cluster.tune(grid(payloads=1), free, on=engine, folder=tmp_path, progress=lambda *now: seen.append(now), **how)
    assert again.json == found.json and len(seen) == shards
    if shards > 1:
        with pytest.raises(airtime.InputError, match="another search"):
            airtime.cluster.tune(grid(payloads=1), free, on=engine, folder=tmp_path, **how | {"restarts": 4})


def test_parts_of_a_grid_are_tables_together(engine, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    found = airtime.cluster.sweep(grid(), engine, folder=tmp_path, shards=3)
    rows = duckdb.sql(f"select id, \"goodput_kbps.median\" from read_parquet('{tmp_path}/part-*/records.parquet', union_by_name=true)")
    assert sorted(rows.fetchall()) == sorted((record.id, record.goodput_kbps.median) for record in found)


def test_a_folder_of_fsspec_does_as_well(engine, tmp_path):
    pytest.importorskip("fsspec")
    found = airtime.cluster.sweep(grid(), engine, folder=f"file://{tmp_path}/grid", shards=3)
    assert found.json == airtime.sweep(grid()).json
    assert len(glob.glob(f"{tmp_path}/grid/part-*-of-00003/records.parquet")) == 3


def test_a_worker_that_is_killed_changes_nothing(engine, tmp_path):
    """The first task to begin is killed with its worker, in the middle of it."""
    plan, killed = grid(payloads=30, seconds=400), []

    def kill() -> None:
        # A task keeps its records in a folder of its own until they are whole; the process that has it open is the worker.
        while not killed and not done.is_set():
            for path in glob.glob("/proc/[0-9]*/fd/*"):
                try:
                    if os.readlink(path).endswith("/part/records.jsonl"):
                        worker = int(path.split("/")[2])
                        os.kill(worker, signal.SIGKILL)
                        killed.append(worker)
                        return
                except (OSError, ValueError):
                    continue

    done = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = airtime.cluster.sweep(plan, engine, folder=tmp_path, shards=6)
    finally:
        done.set()
        killer.join()
    assert killed and killed[0] != os.getpid()
    assert found.json == airtime.sweep(plan).json

"""The package as Python uses it."""

from __future__ import annotations

import _thread
import os
import pickle
import signal
import subprocess
import sys
import threading

import airtime
import pytest
from grids import grid

def test_a_plan_is_a_name_a_path_or_a_text(tmp_path):
    shipped = airtime.Plan.load("coc-mac")
    path = tmp_path / "mine.toml"
    path.write_text(shipped.text)
    assert (shipped.link, len(shipped), shipped.points) == ("ble-coc", 1, [shipped.name])
    assert airtime.Plan.load(path).params() == airtime.Plan.load(shipped.text).params() == shipped.params()
    assert "coc-mac" in airtime.plans() and "coc-mac" in repr(shipped)


def test_a_change_makes_another_plan():
    plan = airtime.Plan.load("coc-mac")
    changed = plan.set(coc__sdu=247).set({"coc.sdu": 200, "ble.phy": "2M"})
    assert changed.changes == {"coc.sdu": "200", "ble.phy": "2M"} and plan.changes == {}
    assert changed.params()["coc.sdu"] == 200
    assert plan.set({"ble.loss": {"per": 0.25}}).changes == {"ble.loss": "{ per = 0.25 }"}
    assert plan.set(coc__sdu=247) == plan.set({"coc.sdu": 247}) != plan
    assert pickle.loads(pickle.dumps(changed)) == changed


def test_a_record_has_attributes_with_units_in_their_names():
    result = airtime.run("coc-mac")
    record = result[0]
    assert result.goodput_kbps.median == record.goodput_kbps.median == result.record["goodput_kbps"]["median"] > 100
    assert sum(record.ledger_ns.values()) == record.elapsed_ns
    assert record.bottleneck.account in record.ledger_ns
    assert record.environment is None, "what a document leaves out is nothing"
    assert pickle.loads(pickle.dumps(record)) == record
    with pytest.raises(AttributeError, match="did you mean `elapsed_ns`"):
        _ = record.elapsed_ms
    with pytest.raises(AttributeError):
        record.seed = 3


def test_records_are_a_sequence_across_their_blocks():
    result = airtime.sweep(grid(96, seconds=1))
    ids = [record.id for record in result]
    assert ids == grid(96).points and len(result) == 96
    assert result[-1].id == ids[-1] and [one.id for one in result[3:6]] == ids[3:6]
    assert [one.id for one in result[::40]] == ids[::40]
    with pytest.raises(IndexError):
        _ = result[96]
    with pytest.raises(airtime.InputError, match="96 records"):
        _ = result.record
    with pytest.raises(AttributeError, match="96 records"):
        _ = result.goodput_kbps


def test_figures_are_what_a_notebook_shows():
    for shown in (airtime.run("coc-mac"), airtime.sweep(grid(3)), airtime.explain("gatt-notify", depth=1), airtime.trace("coc-mac")):
        html = shown._repr_html_()
        assert html.startswith('<div class="airtime">') and "<svg" in html, type(shown)
        assert "<script" not in html and "http://" not in html
    plan = airtime.Plan.load("coc-nrf")
    free = {"coc.sdu": [244, 492], "ble.conn_interval": ["15ms", "30ms"]}
    for answer in (
        airtime.compare(plan, plan.set(ble__phy="1M"), ends=False),
        airtime.tune(plan, free),
        airtime.fit("coc-mac", csv="ble.conn_interval,goodput\n30ms,530\n", end="central", rank=True),
    ):
        html = answer._repr_html_()
        assert "<svg" in html and "<table>" in html and 'role="img"' in html, type(answer)


def test_texts_fit_the_width_they_are_asked_for():
    result = airtime.run("coc-mac")
    assert max(map(len, result.text(60).splitlines())) <= 60
    assert str(result) == result.text(100)


def test_results_are_written_whole_and_never_over_others(tmp_path):
    result = airtime.run("coc-mac")
    path = tmp_path / "result.json"
    result.save(path)
    assert path.read_bytes() == result.json
    with pytest.raises(airtime.InputError, match="is there already"):
        result.save(path)
    result.save(path, force=True)
    for name in ("result.csv", "result.txt", "result.html"):
        result.save(tmp_path / name)
    with pytest.raises(airtime.InputError, match=r"ends in \.json"):
        result.save(tmp_path / "result.doc")
    assert airtime.read_records(path)[0] == result[0]
    assert sorted(os.listdir(tmp_path)) == ["result.csv", "result.html", "result.json", "result.txt"]


def test_progress_is_told_up_to_the_end():
    seen: list[tuple[int, int | None]] = []
    airtime.sweep(grid(8), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (8, 8) and seen == sorted(seen)


def test_an_exception_of_progress_ends_the_sweep():
    class Enough(Exception):
        pass

    def stop(done: int, total: int | None) -> None:
        raise Enough

    with pytest.raises(Enough):
        airtime.sweep(grid(60, seconds=600), progress=stop)


def test_other_threads_run_meanwhile(tmp_path):
    """A sweep that is far too long ends because another thread of Python, which has to run for that, asks for it."""
    folder = tmp_path / "kept"

    def interrupt() -> None:
        while not folder.exists():
            pass
        _thread.interrupt_main()

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        airtime.sweep(grid(90, seconds=36_000), folder=folder)
    other.join()
    assert (folder / "records.jsonl").exists()


LONG = """
import os, signal, sys, threading, airtime
plan = airtime.Plan.load(sys.argv[1], name="grid.toml")
print("begun", flush=True)
try:
    airtime.sweep(plan, folder=sys.argv[2])
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(len(airtime.run("coc-mac")), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to a process of UNIX")
def test_control_c_ends_a_sweep_and_what_was_finished_is_kept(tmp_path):
    text = grid(90, seconds=36_000).text
    folder = tmp_path / "kept"
    child = subprocess.Popen([sys.executable, "-c", LONG, text, str(folder)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    while not folder.exists():
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    assert child.stdout.read().splitlines() == ["interrupted", "1"], "and it can go on with something else"
    assert child.wait() == 0
    assert (folder / "records.jsonl").exists()


def test_a_sweep_goes_on_where_it_was(tmp_path):
    plan = grid(6)
    whole = airtime.sweep(plan, folder=tmp_path / "a")
    path = tmp_path / "a" / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    with pytest.raises(airtime.FolderError, match="already holds 3 finished points"):
        airtime.sweep(plan, folder=tmp_path / "a")
    assert airtime.sweep(plan, folder=tmp_path / "a", resume=True).json == whole.json


def test_personalities_have_their_provenance():
    assert "iphone-15" in airtime.personalities() or airtime.personalities()
    device = airtime.personality(airtime.personalities()[0])
    assert device.description and device.values
    statuses = {value.status for value in device.values}
    assert statuses <= {"measured", "derived", "specified", "assumed"}
    assert device[device.values[0].key].source == device.values[0].source
    with pytest.raises(airtime.InputError, match="there is no personality `nothing`"):
        airtime.personality("nothing")


def test_mistakes_have_their_place():
    with pytest.raises(airtime.PlanError, match="wrong.toml:2:"):
        airtime.Plan.load('link = "ble-coc"\ncoc.sdv = 1\n', name="wrong.toml")
    assert issubclass(airtime.PlanError, airtime.InputError) and issubclass(airtime.InputError, airtime.Error)
    with pytest.raises(airtime.InputError, match="says nothing"):
        airtime.Plan.load("\n")
    with pytest.raises(airtime.InputError, match="2 names for 1"):
        airtime.compare("coc-mac", names=["a", "b"])

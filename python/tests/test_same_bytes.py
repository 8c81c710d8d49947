"""Documents of the package are those of the command, to the octet."""

from __future__ import annotations

import json

import airtime
import pytest

SWEEP = """\
link = "ieee802154"
run.duration = "3s"
[sweep]
ieee802154.payload = [20, 60, 116]
"""
LOSSY = """\
link = "ble-coc"
run.duration = "3s"
run.repeat = 3
ble.loss = { per = 0.05 }
"""


def test_runs_are_the_commands(command):
    for plan in ("coc-mac", "nrf24-stream", "gatt-notify"):
        assert airtime.run(plan).json == command("run", plan, "--json").stdout


def test_changes_and_seeds_are_the_commands(command, tmp_path):
    (tmp_path / "lossy.toml").write_text(LOSSY)
    plan = airtime.Plan.load(LOSSY, name="lossy.toml").set({"coc.sdu": 247})
    found = airtime.run(plan, seed=7)
    assert found.json == command("run", "lossy.toml", "--set", "coc.sdu=247", "--seed", "7", "--json").stdout
    assert found.goodput_kbps.runs == 3 and found.seed == 7
    assert airtime.run(plan, seed=8).json != found.json, "the seed draws the losses"


def test_sweeps_are_the_commands_on_any_number_of_threads(command, tmp_path):
    (tmp_path / "payloads.toml").write_text(SWEEP)
    plan = airtime.Plan.load(SWEEP, name="payloads.toml")
    asked = command("sweep", "payloads.toml", "--json").stdout
    for threads in (1, 2, 5):
        assert airtime.sweep(plan, threads=threads).json == asked
    assert airtime.sweep(plan).csv.encode() == command("sweep", "payloads.toml", "--csv").stdout


def test_parts_of_a_grid_are_the_commands(command, tmp_path):
    (tmp_path / "payloads.toml").write_text(SWEEP)
    plan = airtime.Plan.load(SWEEP, name="payloads.toml")
    airtime.sweep(plan, shard="2/2", folder=tmp_path / "ours", threads=1)
    assert command("sweep", "payloads.toml", "--shard", "2/2", "--threads", "1", "-o", "theirs").returncode == 0
    ours, theirs = ((tmp_path / name / "records.jsonl").read_bytes() for name in ("ours", "theirs"))
    assert ours == theirs and len(ours.splitlines()) == 2


def test_field_plans_are_the_commands(command):
    name = airtime.plans("field")[0]
    found = airtime.field(name)
    assert found.json == command("field", name, "--json").stdout
    assert json.loads(found.json)["totals"]["rows"] >= 1
    assert found[0].measured is not None


def test_explanations_are_the_commands(command):
    found = airtime.explain("gatt-notify", depth=1)
    assert found.json == command("explain", "gatt-notify", "--depth", "1", "--json").stdout
    assert found.conclusion and found.schema == "airtime/explain/1"
    assert [step.account for step in found.steps], "the way down to goodput"


def test_comparisons_are_the_commands(command):
    plan = airtime.Plan.load("coc-nrf")
    found = airtime.compare(plan, plan.set(ble__conn_interval="30ms"), fail_if=["goodput < -1%"])
    theirs = command("compare", "coc-nrf", "--with", "ble.conn_interval=30ms", "--fail-if", "goodput < -1%", "--json")
    assert found.json == theirs.stdout
    assert found.failed == (theirs.returncode == 3)
    assert "times" in found.says or "same" in found.says


def test_searches_are_the_commands(command):
    free = {"coc.sdu": [244, 495], "ble.conn_interval": ["15ms", "30ms"]}
    found = airtime.tune("coc-nrf", free, limits=["delay_p99 < 500ms"])
    theirs = command(
        "tune", "coc-nrf", "--free", "coc.sdu=244,495", "--free", "ble.conn_interval=15ms,30ms", "--limit", "delay_p99 < 500ms", "--json"
    )
    assert found.json == theirs.stdout
    assert found.points >= 4 and found.exhaustive and found.best.goodput_kbps >= found.today.goodput_kbps


def test_fits_are_the_commands(command, tmp_path):
    table = "ble.conn_interval,goodput\n15ms,500\n30ms,600\n"
    (tmp_path / "table.csv").write_text(table)
    found = airtime.fit("coc-mac", csv=table, end="central", rank=True)
    theirs = command("fit", "table.csv", "--plan", "coc-mac", "--end", "central", "--rank", "--json")
    assert found.json == theirs.stdout
    assert len(found.ranking) > 3 and found.personality is None


@pytest.mark.parametrize("form", ["pcapng", "btsnoop", "perfetto"])
def test_captures_are_the_commands(command, tmp_path, form):
    plan = airtime.Plan.load("coc-mac").set(run__duration="1s", run__warmup="100ms")
    names = airtime.trace(plan, form=form).save(tmp_path / f"ours.{form}")
    assert command("trace", "coc-mac", "--set", "run.duration=1s", "--set", "run.warmup=100ms", "-o", f"theirs.{form}").returncode == 0
    for name in names:
        theirs = name.replace("ours", "theirs")
        with open(name, "rb") as one, open(theirs, "rb") as other:
            assert one.read() == other.read()


def test_captures_are_read_as_the_command_reads_them(command, tmp_path):
    capture = airtime.trace(airtime.Plan.load("coc-mac").set(run__duration="1s", run__warmup="100ms"))
    capture.save(tmp_path / "air.pcapng")
    found = airtime.read_capture(capture.octets, exact=True)
    assert found.json == command("trace", "read", "air.pcapng", "--exact", "--json").stdout
    assert found.cut is None and len(found.links) == 1
    cut = airtime.read_capture(capture.octets[: len(capture.octets) // 2 + 1])
    assert cut.cut, "it says where it ends"


def test_refusals_have_the_commands_words(command):
    def said(*words: str) -> str:
        stderr = command(*words).stderr.decode().strip()
        assert stderr.startswith("error: "), stderr
        return " ".join(stderr.removeprefix("error: ").split())

    for raised, ask, words in [
        (airtime.InputError, lambda: airtime.run("coc-mc"), ("run", "coc-mc")),
        (airtime.InputError, lambda: airtime.sweep("coc-mac"), ("sweep", "coc-mac")),
        (airtime.InputError, lambda: airtime.run("coc-mac", point="x"), ("run", "coc-mac", "--point", "x")),
        (airtime.InputError, lambda: airtime.tune("coc-mac", ["coc.sdv"]), ("tune", "coc-mac", "--free", "coc.sdv")),
        (airtime.PlanError, lambda: airtime.Plan.load("coc-mac").set({"coc.sdv": 1}), ("run", "coc-mac", "--set", "coc.sdv=1")),
    ]:
        with pytest.raises(raised) as caught:
            ask()
        theirs, ours = said(*words), " ".join(str(caught.value).split())
        assert ours.lstrip("-") == theirs.lstrip("-") or ours in theirs, (ours, theirs)

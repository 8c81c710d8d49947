"""Records as tables of whoever takes the Arrow C stream interface."""

from __future__ import annotations

import sys

import airtime
import pytest
from grids import grid


@pytest.fixture(scope="module")
def found() -> airtime.Records:
    return airtime.sweep(grid(payloads=90, seconds=1, seeds=3))


def test_the_package_imports_none_of_them():
    import subprocess

    loaded = "import airtime, airtime.cluster, sys; print([name for name in sys.modules if name in %r])"
    names = ["pyarrow", "polars", "pandas", "duckdb", "ray", "dask", "distributed", "fsspec", "numpy"]
    assert subprocess.check_output([sys.executable, "-c", loaded % (names,)], text=True).strip() == "[]"


def test_a_table_of_pyarrow_has_the_records(found):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(found)
    records = list(found)
    assert table.num_rows == len(records) == 270
    assert table["id"].to_pylist() == [record.id for record in records]
    assert table["goodput_kbps.median"].to_pylist() == [record.goodput_kbps.median for record in records]
    assert table["params.ieee802154.payload"].to_pylist() == [record.params["ieee802154.payload"] for record in records]
    account = records[0].bottleneck.account
    assert table[f"ledger_ns.{account}"].to_pylist() == [record.ledger_ns.get(account) for record in records]
    assert pyarrow.table(found).equals(table), "it can be asked for again"


def test_polars_takes_it(found):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(found)
    assert frame.height == 270 and frame["goodput_kbps.median"].max() == max(one.goodput_kbps.median for one in found)


def test_pandas_takes_it(found):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame.from_arrow(found)
    assert len(frame) == 270 and frame["id"][5] == found[5].id


def test_duckdb_asks_it(found):
    duckdb, pyarrow = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    table = pyarrow.table(found)
    asked = 'select count(*), max("goodput_kbps.median") from "table"'
    assert duckdb.sql(asked).fetchall() == [(270, max(one.goodput_kbps.median for one in found))]
    assert table.num_rows == 270


def test_several_plans_are_one_table():
    pyarrow = pytest.importorskip("pyarrow")
    both = airtime.run(["coc-mac", "nrf24-stream"])
    table = pyarrow.table(both)
    assert table["link"].to_pylist() == ["ble-coc", "nrf24-ip"]
    assert table["params.coc.sdu"].to_pylist()[1] is None, "what a link has no key for is nothing"

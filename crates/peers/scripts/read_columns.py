"""Reads a file of records with DuckDB, polars, pandas and pyarrow, and prints as JSON what each of them finds."""

import json
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet

path = sys.argv[1]
GOODPUT, TIME, SDU, ID = "goodput_kbps.median", "steady_ledger_ns.payload.p2c", "params.coc.sdu", "id"
INTERVAL = "params.ble.conn_interval_ms"

query = f"""SELECT count(*), sum("{GOODPUT}"), sum("{TIME}")::BIGINT, sum("{SDU}")::BIGINT, sum("{INTERVAL}"), list("{ID}"),
    sum((links->>'$[1].goodput_kbps')::DOUBLE) FROM read_parquet(?)"""
count, goodput, time, sdu, interval, ids, second = duckdb.execute(query, [path]).fetchone()
found = {"duckdb": dict(count=count, goodput=goodput, time=time, sdu=sdu, interval=interval, ids=ids, second=second)}

frame = polars.read_parquet(path)
found["polars"] = dict(
    count=frame.height, goodput=frame[GOODPUT].sum(), time=frame[TIME].sum(), sdu=frame[SDU].sum(),
    interval=frame[INTERVAL].sum(), ids=frame[ID].to_list(),
    second=sum(json.loads(links)[1]["goodput_kbps"] for links in frame["links"].drop_nulls()),
)

frame = pandas.read_parquet(path)
found["pandas"] = dict(
    count=len(frame), goodput=float(frame[GOODPUT].sum()), time=int(frame[TIME].sum()), sdu=int(frame[SDU].sum()),
    interval=float(frame[INTERVAL].sum()), ids=list(frame[ID]),
    second=sum(json.loads(links)[1]["goodput_kbps"] for links in frame["links"].dropna()),
)

table = pyarrow.parquet.read_table(path)
found["metadata"] = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
found["says"] = table.schema.field(GOODPUT).metadata[b"airtime.says"].decode()
json.dump(found, sys.stdout)

"""Grids that tests run."""

from __future__ import annotations

import airtime

GRID = """\
link = "ieee802154"
run.duration = "{seconds}s"
run.warmup = "100ms"
[sweep]
ieee802154.payload = [{payloads}]
"""


def grid(points: int = 24, seconds: int = 2) -> airtime.Plan:
    """A grid of so many points, each of so many seconds in virtual time."""
    payloads = ", ".join(str(20 + point) for point in range(points))
    return airtime.Plan.load(GRID.format(seconds=seconds, payloads=payloads), name="grid.toml")

"""Grids that tests run."""

from __future__ import annotations

import airtime

GRID = """\
link = "ieee802154"
run.duration = "{seconds}s"
run.warmup = "100ms"
[sweep]
ieee802154.payload = [{payloads}]
run.seed = [{seeds}]
"""


def grid(payloads: int = 24, seconds: int = 2, seeds: int = 1) -> airtime.Plan:
    """A grid of so many payloads and seeds, each point of so many seconds in virtual time."""
    lengths = ", ".join(str(20 + number) for number in range(payloads))
    numbers = ", ".join(str(1 + number) for number in range(seeds))
    return airtime.Plan.load(GRID.format(seconds=seconds, payloads=lengths, seeds=numbers), name="grid.toml")

"""Where did my throughput go? Small radios in virtual time: measured, explained, tuned.

    >>> import airtime
    >>> plan = airtime.Plan.load("coc-mac")
    >>> result = airtime.run(plan)
    >>> result.goodput_kbps.median              # kbit/s of application payload at the receiver
    >>> airtime.explain(plan).conclusion

Plans, runs, sweeps, explanations, comparisons, searches and fits are those of the command `airtime`, and its documents byte for byte.
Units stand in the names: `_kbps` is 10³ bit/s, `_ns` nanoseconds of virtual time, `_pct` per cent.
"""

from airtime._airtime import Error, FolderError, InputError, PlanError, __version__
from airtime._ask import (
    Free,
    Progress,
    compare,
    explain,
    field,
    fit,
    personalities,
    personality,
    read_capture,
    read_records,
    run,
    sweep,
    trace,
    tune,
)
from airtime._plan import Plan, plans
from airtime._results import Capture, Comparison, Explanation, Fitted, Heard, Records, Tuned
from airtime._views import Bottleneck, Goodput, Latency, Personality, Record, Value, View

__all__ = [
    "Bottleneck",
    "Capture",
    "Comparison",
    "Error",
    "Explanation",
    "Fitted",
    "FolderError",
    "Free",
    "Goodput",
    "Heard",
    "InputError",
    "Latency",
    "Personality",
    "Plan",
    "PlanError",
    "Progress",
    "Record",
    "Records",
    "Tuned",
    "Value",
    "View",
    "__version__",
    "compare",
    "explain",
    "field",
    "fit",
    "personalities",
    "personality",
    "plans",
    "read_capture",
    "read_records",
    "run",
    "sweep",
    "trace",
    "tune",
]

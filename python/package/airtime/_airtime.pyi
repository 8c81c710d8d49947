"""Native part of the package `airtime`."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

__all__ = [
    "Answer",
    "Error",
    "FolderError",
    "InputError",
    "Plan",
    "PlanError",
    "Sheet",
    "__version__",
    "compare",
    "explain",
    "fit",
    "kept",
    "kept_of",
    "measure",
    "merge",
    "part_of",
    "personality",
    "personality_names",
    "plan_names",
    "read_capture",
    "time_line_html",
    "toml_value",
    "trace",
    "tune",
    "tune_parts",
]
__version__: str

class Error(Exception):
    """Whatever airtime refuses or cannot do, in the words of the command."""

class InputError(Error):
    """A request that makes no sense: the command ends with 2 then."""

class PlanError(InputError):
    """A plan or a personality that makes no sense, with file, line and column."""

class FolderError(Error):
    """A folder of records that cannot be read or written, or is somebody else's."""

@final
class Plan:
    @staticmethod
    def load(asked: str, folder: str) -> Plan: ...
    @staticmethod
    def parse(text: str, name: str) -> Plan: ...
    def changed(self, changes: Sequence[tuple[str, str]]) -> Plan: ...
    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def changes(self) -> list[tuple[str, str]]: ...
    @property
    def link(self) -> str: ...
    def __len__(self) -> int: ...
    def ids(self, point: str | None = None) -> list[str]: ...
    def digest(self, point: int) -> str: ...
    def params(self, point: int) -> bytes: ...

@final
class Sheet:
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def records_json(self, start: int, count: int) -> list[bytes]: ...
    def json(self) -> bytes: ...
    def csv(self) -> str: ...
    def parquet(self) -> bytes: ...
    def text(self, width: int | None = None) -> str: ...
    def html(self) -> str: ...

@final
class Answer:
    @property
    def file(self) -> str | None: ...
    def json(self) -> bytes: ...
    def csv(self) -> str: ...
    def text(self, width: int | None = None) -> str: ...
    def html(self) -> str: ...

_Progress = Callable[[int, int | None], object]
_Path = str | PathLike[str]

def plan_names(folder: str) -> list[str]: ...
def toml_value(value: Any, json: str) -> str: ...
def measure(
    plans: Sequence[Plan],
    kind: str,
    *,
    point: str | None = None,
    threads: int = 0,
    shard: str | None = None,
    folder: str | None = None,
    opening: str = "fresh",
    progress: _Progress | None = None,
) -> Sheet: ...
def explain(
    plan: Plan,
    *,
    point: str | None = None,
    depth: int | None = None,
    also: Sequence[str] = ...,
    progress: _Progress | None = None,
) -> Answer: ...
def compare(
    operands: Sequence[tuple[str, Plan | Sheet]],
    *,
    point: str | None = None,
    threshold_pct: float | None = None,
    fail_if: Sequence[str] = ...,
    repeats: int | None = None,
    ends: bool = True,
    threads: int = 0,
    progress: _Progress | None = None,
) -> Answer: ...
def tune(
    plan: Plan,
    free: Sequence[tuple[str, Sequence[str]]],
    *,
    who: Sequence[str] = ...,
    goal: str = "goodput",
    limits: Sequence[str] = ...,
    point: str | None = None,
    exhaustive: int | None = None,
    restarts: int | None = None,
    threads: int = 0,
    shard: str | None = None,
    folder: str | None = None,
    opening: str = "fresh",
    progress: _Progress | None = None,
) -> Answer: ...
def tune_parts(
    plan: Plan,
    free: Sequence[tuple[str, Sequence[str]]],
    *,
    who: Sequence[str] = ...,
    goal: str = "goodput",
    limits: Sequence[str] = ...,
    point: str | None = None,
    exhaustive: int | None = None,
    restarts: int | None = None,
) -> tuple[int, bool, str]: ...
def fit(
    plan: Plan,
    *,
    csv: tuple[str, str] | None = None,
    records: Sheet | None = None,
    end_of: str | None = None,
    point: str | None = None,
    noise_pct: float | None = None,
    rank: bool = False,
    free: Sequence[tuple[str, Sequence[str]]] | None = None,
    runs: int | None = None,
    threads: int = 0,
    progress: _Progress | None = None,
) -> Answer: ...
def trace(plan: Plan, form: str, *, point: str | None = None, apart: bool = False) -> list[tuple[str, bytes]]: ...
def time_line_html(plan: Plan, *, point: str | None = None) -> str: ...
def read_capture(
    octets: bytes, name: str, *, exact: bool = False, progress: _Progress | None = None
) -> tuple[Answer, str | None]: ...
def kept(path: str) -> Sheet: ...
def kept_of(plans: Sequence[Plan], folder: _Path, kind: str) -> Sheet: ...
def merge(folders: Sequence[_Path], into: _Path) -> int: ...
def part_of(folder: _Path) -> str | None: ...
def personality_names() -> list[str]: ...
def personality(name: str) -> str: ...

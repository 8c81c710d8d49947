"""Results: records, explanations, comparisons, searches, fits, captures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any, overload

from airtime import _airtime
from airtime._save import save_octets
from airtime._views import Record, View

#: Records that are fetched at a time: they are packed in blocks of as many.
_BLOCK = 256


class _Shown:
    """What every result can be shown and kept as."""

    __slots__ = ("_native",)
    _native: _airtime.Sheet | _airtime.Answer

    @property
    def json(self) -> bytes:
        """The document that the command prints with `--json`, to the octet."""
        return self._native.json()

    @property
    def csv(self) -> str:
        """The lines that the command prints with `--csv`."""
        return self._native.csv()

    def text(self, width: int | None = 100) -> str:
        """The tables that the command prints, at most `width` columns wide; `None`: as wide as they need to be."""
        return self._native.text(width)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the document (`.json`), the lines (`.csv`), the tables (`.txt`) or the figures (`.html`) to `path`, whole or not at all;
        of records a table as well (`.parquet`).

        What is there is replaced by `force` only.
        """
        name, forms = os.fspath(path), self._forms()
        ending = os.path.splitext(name)[1]
        if ending not in forms:
            *all_but_last, last = forms
            raise _airtime.InputError(f"`{name}`: a file ends in {', '.join(all_but_last)} or {last}")
        save_octets(name, forms[ending](), force)

    def _forms(self) -> dict[str, Callable[[], bytes]]:
        """The octets of a file by its ending."""
        return {
            ".json": lambda: self.json,
            ".csv": lambda: self.csv.encode(),
            ".txt": lambda: self.text(None).encode(),
            ".html": lambda: f"<!doctype html>\n<meta charset=\"utf-8\">\n{self._repr_html_()}".encode(),
        }

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self._native.html()


class Records(_Shown):
    """Records of the points of one or several plans, in their order.

    They are indexed and iterated like a list, and are no `Sequence` by type: polars would take that for a column of objects.

    Of one record alone the fields are attributes here as well: `airtime.run("coc-mac").goodput_kbps.median`.
    """

    __slots__ = ()
    _native: _airtime.Sheet

    def __init__(self, native: _airtime.Sheet) -> None:
        self._native = native

    @property
    def record(self) -> dict[str, Any]:
        """The only record, as `--json` has it."""
        if len(self) != 1:
            raise _airtime.InputError(f"there are {len(self)} records: take one of them, such as result[0].record")
        return self[0].record

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return [_record(octets) for octets in self._native.records_json(start, max(stop - start, 0))]
            return [self[position] for position in range(start, stop, step)]
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"record {index} of {len(self)}")
        return _record(self._native.records_json(position, 1)[0])

    def __iter__(self) -> Iterator[Record]:
        for start in range(0, len(self), _BLOCK):
            yield from map(_record, self._native.records_json(start, _BLOCK))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self) != 1:
            raise AttributeError(f"there are {len(self)} records: `{name}` is of one, such as result[0].{name}")
        return getattr(self[0], name)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The records as a stream of Arrow batches, for polars, pandas, pyarrow, DuckDB: a row each, columns as docs/columns.md says."""
        return self._native.__arrow_c_stream__(requested_schema)

    def _forms(self) -> dict[str, Callable[[], bytes]]:
        return super()._forms() | {".parquet": self._native.parquet}

    def __repr__(self) -> str:
        if len(self) == 1:
            only = self[0]
            return f"<airtime.Records {only.id}: {only.goodput_kbps.median} kbps, {only.outcome}>"
        return f"<airtime.Records of {len(self)} points>"


def _record(octets: bytes) -> Record:
    return Record(json.loads(octets))


class _Told(_Shown):
    """An answer that is one document; its fields are attributes."""

    __slots__ = ("_document",)
    _native: _airtime.Answer
    _document: dict[str, Any] | None

    def __init__(self, native: _airtime.Answer) -> None:
        self._native = native
        self._document = None

    @property
    def record(self) -> dict[str, Any]:
        """The document that the command prints with `--json`, as a dictionary."""
        if self._document is None:
            self._document = json.loads(self.json)
        return self._document

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _viewed(getattr(View(self.record), name))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.record})


def _viewed(value: Any) -> Any:
    """Objects of a document with attributes; dictionaries of names that are no attributes stay what they are."""
    if isinstance(value, dict) and all(name.isidentifier() for name in value):
        return _Object(value)
    if isinstance(value, list):
        return [_viewed(entry) for entry in value]
    return value


class _Object(View):
    """An object of a document."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return _viewed(super().__getattr__(name))


class Explanation(_Told):
    """Where the throughput of a point went, and what would gain most: schema `airtime/explain/1`, rates in kbit/s.

    `steps` are the accounts from the PHY's rate down, `ladder` the remedies, `conclusion` the answer in a sentence.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<airtime.Explanation: {self.record['conclusion']}>"


class Comparison(_Told):
    """Which of two is better and whether that is real: schema `airtime/compare/1`; `comparisons` has one for each pair of points."""

    __slots__ = ()

    @property
    def says(self) -> str:
        """The verdicts in words, a line for each pair."""
        return "\n".join(one["says"] for one in self.record["comparisons"])

    @property
    def failed(self) -> bool:
        """True if a condition of `fail_if`, or a threshold of a plan, is broken for sure: the command ends with 3 then."""
        checks = (check for one in self.record["comparisons"] for check in one.get("conditions", []))
        return any(check["state"] == "holds" for check in checks)

    def __repr__(self) -> str:
        return f"<airtime.Comparison: {self.says}>"


class Tuned(_Told):
    """The best values of several keys together: schema `airtime/tune/1`.

    `best` has the settings (`best.set`) and the figures (`goodput_kbps`, `delay_p99_ms`, `ram_octets`), `today` those of the plan as it is,
    `front` the points that none beats in all three at once.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        best = self.record.get("best") or {}
        return f"<airtime.Tuned: {' '.join(best.get('set', [])) or 'as it is'}>"


class Fitted(_Told):
    """The device models that measured figures fit: schema `airtime/fit/1`.

    `ranking` has the known devices by their errors (per cent), `device` the values that were found.
    """

    __slots__ = ()

    @property
    def personality(self) -> str | None:
        """The device that was found as the text of a personality with its provenance; `None` where known ones were ranked only."""
        return self._native.file

    def __repr__(self) -> str:
        ranking = self.record.get("ranking") or [{}]
        return f"<airtime.Fitted: nearest {ranking[0].get('name', 'nothing')}>"


class Heard(_Told):
    """What a capture comes to: connections of the air, streams of an HCI log, stations of 802.11, nodes of 802.15.4."""

    __slots__ = ("cut",)
    cut: str | None
    """Sentence on where the capture is cut, if it is; what is in front of it was read."""

    def __init__(self, native: _airtime.Answer, cut: str | None) -> None:
        super().__init__(native)
        self.cut = cut

    def __repr__(self) -> str:
        return f"<airtime.Heard {self.record['schema']}>"


class Capture:
    """One run written down: files for Wireshark (`pcapng`), btmon (`btsnoop`) and Perfetto (`perfetto`)."""

    __slots__ = ("_html", "form", "views")
    form: str
    """Ending of its file."""
    views: dict[str, bytes]
    """Octets of the file of each view, by its name; one with an empty name where there is but one."""
    _html: str | None

    def __init__(self, form: str, views: dict[str, bytes], html: str | None) -> None:
        self.form, self.views, self._html = form, views, html

    @property
    def octets(self) -> bytes:
        """Octets of the only file."""
        if len(self.views) != 1:
            raise _airtime.InputError(f"there are {len(self.views)} files: {', '.join(self.views)}; take one of `views`")
        return next(iter(self.views.values()))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> list[str]:
        """Writes the files, as `airtime trace -o PATH` names them: a view is put before the ending. Gives their names."""
        stem, ending = os.path.splitext(os.fspath(path))
        if ending != f".{self.form}":
            raise _airtime.InputError(f"`{os.fspath(path)}`: a capture of this form is called .{self.form}")
        names = [f"{stem}{ending}" if not view else f"{stem}.{view}{ending}" for view in self.views]
        for name, octets in zip(names, self.views.values(), strict=True):
            save_octets(name, octets, force)
        return names

    def _repr_html_(self) -> str | None:
        return self._html

    def __repr__(self) -> str:
        sizes = ", ".join(f"{len(octets)} octets" for octets in self.views.values())
        return f"<airtime.Capture {self.form}: {sizes}>"

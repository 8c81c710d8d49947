"""Files that are written: whole or not at all, and never over what is there unless somebody says so."""

from __future__ import annotations

import os
import tempfile

from airtime import _airtime


def save_octets(path: str, octets: bytes, force: bool) -> None:
    """Writes `octets` to `path`; what is there is replaced by `force` only."""
    if not force and os.path.lexists(path):
        raise _airtime.InputError(f"`{path}` is there already: force=True replaces it")
    draft = ""
    try:
        # Beside it, so that the name is given to what is whole.
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(path) or ".", prefix=".airtime-", delete=False) as file:
            draft = file.name
            file.write(octets)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        if draft and os.path.exists(draft):
            os.remove(draft)
        raise _airtime.Error(f"cannot write `{path}`: {error.strerror or error}") from error

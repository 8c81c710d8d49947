"""What tests share: the program of the same commit, whose words and bytes the package's must be."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The program: the one that `AIRTIME_PROGRAM` names, or that the workspace has built."""
    named = os.environ.get("AIRTIME_PROGRAM")
    found = Path(named) if named else ROOT / "target" / "debug" / "airtime"
    if not found.exists():
        if os.environ.get("AIRTIME_REQUIRE_PROGRAM"):
            pytest.fail(f"there is no program at {found}: cargo build")
        pytest.skip(f"there is no program at {found}: cargo build")
    return str(found)


@pytest.fixture
def command(program: str, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs the program, quietly, in a folder of its own."""

    def carried_out(*words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([program, *words, "-q"], cwd=tmp_path, capture_output=True, check=False)

    return carried_out

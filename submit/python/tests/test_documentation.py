"""Runs the documentation's Python examples, unchanged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHOWN = {"README.md": "p350_0000|", "docs/python.md": "BELLMAN_INPUT_VALUE"}


@pytest.mark.parametrize("page", SHOWN)
def test_blocks_run(classic_only: None, page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"))
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")

    run = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )

    assert run.returncode == 0, run.stdout
    assert SHOWN[page] in run.stdout

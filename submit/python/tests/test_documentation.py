"""Runs the documentation's Python examples, unchanged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"(?ms)^```python\n(.*?)^```$(?:\n\n```\n(.*?)^```$)?")


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_blocks_run(classic_only: None, page: str, tmp_path: Path) -> None:
    """The output contains the blocks that follow an example, and comments with table rows."""
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    code = "\n".join(python for python, _ in blocks)
    shown = [text for _, text in blocks if text] + re.findall(r"# (\|.*\|)$", code, re.MULTILINE)
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")

    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )

    assert run.returncode == 0, run.stdout
    assert shown
    for text in shown:
        assert text in run.stdout

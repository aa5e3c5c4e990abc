"""Compares two files of linkage.py: the functions' values must be equal, match weights to 1e-9, as Spark adds in any order."""

from __future__ import annotations

import json
import sys
from pathlib import Path

theirs, ours = (json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:])
for name, expected in theirs["values"].items():
    different = sum(a != b for a, b in zip(expected, ours["values"][name], strict=True))
    print(f"splink: {name}: {len(expected):,} pairs, {different} different, {len(set(expected)):,} values")
    assert different == 0
assert len(theirs["weights"]) > 300, len(theirs["weights"])
assert theirs["weights"].keys() == ours["weights"].keys()
farthest = max(abs(weight - ours["weights"][pair]) for pair, weight in theirs["weights"].items())
print(f"splink: match weights of {len(theirs['weights']):,} pairs of records differ by at most {farthest:.1e}")
assert farthest < 1e-9

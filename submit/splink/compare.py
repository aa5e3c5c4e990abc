"""Compares the output files of linkage.py: ``compare.py EXAMPLE BELLMAN [JAR]``, where EXAMPLE contains the match weights of Splink's example, computed with
Splink's jar.

The functions' values must be equal. Match weights must be within 1e-6 of EXAMPLE, which contains rounded weights, and within 1e-9 of JAR, because Spark's order
of additions varies.
``compare.py --write EXAMPLE JAR`` writes EXAMPLE.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path


def read(name: str) -> dict[str, dict[str, float]]:
    return json.loads(Path(name).read_text(encoding="utf-8"))


def compare(name: str, expected: dict[str, float], found: dict[str, float], most: float) -> None:
    assert len(expected) > 300, len(expected)
    assert expected.keys() == found.keys(), expected.keys() ^ found.keys()
    farthest = max(abs(weight - found[pair]) for pair, weight in expected.items())
    print(f"splink: {name}: match weights of {len(expected):,} pairs of records differ by at most {farthest:.1e}")
    assert farthest < most


if sys.argv[1] == "--write":
    lines = [f"{pair} {weight:.7f}\n" for pair, weight in read(sys.argv[3])["example"].items()]
    Path(sys.argv[2]).write_bytes(gzip.compress("".join(lines).replace(" ", "\t").encode(), mtime=0))
    sys.exit()

ours = read(sys.argv[2])
with gzip.open(sys.argv[1], "rt", encoding="utf-8") as file:
    rows = [line.split() for line in file]
compare("the example", {f"{left} {right}": float(weight) for left, right, weight in rows}, ours["example"], 1e-6)
if len(sys.argv) > 3:
    theirs = read(sys.argv[3])
    for name, expected in theirs["values"].items():
        different = sum(a != b for a, b in zip(expected, ours["values"][name], strict=True))
        print(f"splink: {name}: {len(expected):,} pairs, {different} different results, {len(set(expected)):,} distinct values")
        assert different == 0
    for linkage in ("example", "generated"):
        compare(f"{linkage}, with Splink's jar", theirs[linkage], ours[linkage], 1e-9)

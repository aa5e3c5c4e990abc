"""Draws docs/images/pairs.svg, the README's chart of pairs per second, from pairs.json.

``python3 submit/docs/chart.py --measure`` first measures the three single-core bars on this machine in one run: Spark's ``levenshtein`` and Bellman with
``submit/bellman bench pairs``, from Parquet to Parquet, and rapidfuzz on strings in memory. The GPU's bar is from docs/benchmarks.md.
"""

import json
import math
import pathlib
import random
import subprocess
import sys
import time
from html import escape

ROOT = pathlib.Path(__file__).parents[2]
FIGURES = ROOT / "submit/docs/pairs.json"
CHART = ROOT / "docs/images/pairs.svg"
BENCH = "submit/bellman bench pairs --functions edit_distance --alphabets dna --lengths 150 --count 1000000 --master local[1]"
LENGTH = 150
WIDTH, LEFT, RIGHT, TOP, BAR, STEP = 820, 250, 110, 74, 26, 46
COLOURS = {"spark": "#98a2b3", "rapidfuzz": "#98a2b3", "cpu": "#2563c9", "gpu": "#0f8a6a"}
FONT = 'font-family="system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif"'


def rapidfuzz_pairs_per_second(count=200_000, rounds=5):
    """Measures rapidfuzz's own loop over random pairs on one core. Returns the best rate of several rounds, and rapidfuzz's version."""
    import rapidfuzz
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    rng = random.Random(1)
    a, b = (["".join(rng.choices("ACGT", k=LENGTH)) for _ in range(count)] for _ in range(2))
    best = math.inf
    for _ in range(rounds):
        start = time.perf_counter()
        process.cpdist(a, b, scorer=Levenshtein.distance, workers=1)
        best = min(best, time.perf_counter() - start)
    return count / best, rapidfuzz.__version__


def measure(figures):
    subprocess.run(BENCH.split(), cwd=ROOT, check=True)
    report = json.loads((ROOT / "out/bench/pairs.json").read_text())
    [run] = report["measurements"]
    cpu = run["endToEndInstances"] / run["endToEndSeconds"]
    rate, version = rapidfuzz_pairs_per_second()
    figures["spark"] = {"label": f"Spark {report['spark']}, levenshtein", "where": "one core, Parquet to Parquet", "rate": cpu / run["ratios"]["levenshtein(a, b)"]}
    figures["rapidfuzz"] = {"label": "rapidfuzz " + version, "where": "one core, strings in memory", "rate": rate}
    figures["cpu"] = {"label": "Bellman", "where": "one core, Parquet to Parquet", "rate": cpu}
    for bar in figures.values():
        bar["rate"] = round(bar["rate"])
    FIGURES.write_text(json.dumps(figures, indent=2) + "\n")


def in_words(rate):
    for unit, name in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if rate >= unit:
            return f"{float(f'{rate / unit:.2g}'):g}{name}"
    return f"{rate:g}"


def chart(figures):
    bars = [(figures[key], COLOURS[key]) for key in COLOURS]
    low, high = 3, math.ceil(math.log10(max(bar["rate"] for bar, _ in bars)))
    height = TOP + STEP * len(bars) + 40
    bottom = height - 44

    def x(rate):
        return LEFT + (math.log10(rate) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    title = "Edit distance between sequences of 150 nucleotides, pairs per second"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}" {FONT}>',
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
        f'<text x="24" y="36" font-size="18" font-weight="600" fill="#1b2330">{title}</text>',
        '<text x="24" y="56" font-size="13" fill="#5b6577">logarithmic scale, longer is faster</text>',
    ]
    for power in range(low, high + 1):
        at = x(10**power)
        parts.append(f'<line x1="{at:.1f}" y1="{TOP - 6}" x2="{at:.1f}" y2="{bottom}" stroke="#e4e8ee"/>')
        label = in_words(10**power)
        parts.append(f'<text x="{at:.1f}" y="{bottom + 20}" font-size="12" text-anchor="middle" fill="#5b6577">{label}</text>')
    for i, (bar, colour) in enumerate(bars):
        y = TOP + i * STEP
        parts.append(f'<text x="24" y="{y + 12}" font-size="14" font-weight="600" fill="#1b2330">{escape(bar["label"])}</text>')
        parts.append(f'<text x="24" y="{y + 29}" font-size="12" fill="#5b6577">{escape(bar["where"])}</text>')
        parts.append(f'<rect x="{LEFT}" y="{y + 3}" width="{x(bar["rate"]) - LEFT:.1f}" height="{BAR}" rx="3" fill="{colour}"/>')
        parts.append(
            f'<text x="{x(bar["rate"]) + 8:.1f}" y="{y + 21}" font-size="14" font-weight="600" fill="#1b2330">{in_words(bar["rate"])}</text>'
        )
    return "\n".join(parts) + "\n</svg>\n"


def main():
    figures = json.loads(FIGURES.read_text())
    if "--measure" in sys.argv[1:]:
        measure(figures)
    CHART.write_text(chart(figures))


if __name__ == "__main__":
    main()

"""Compares distances between random strings with the results of rapidfuzz and of Spark's own ``levenshtein``."""

from __future__ import annotations

import random

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf
from rapidfuzz import distance

from bellman import functions as bf

ALPHABETS = ["ab", "acgt", "abcdefghijklmnopqrstuvwxyz ", "aä\u03b1\u4e2d\U0001f600", "".join(map(chr, range(1, 0x250)))]


def edited(text: str, alphabet: str, draw: random.Random) -> str:
    letters = list(text)
    for _ in range(draw.randrange(6)):
        place = draw.randrange(len(letters) + 1)
        letters[place : place + draw.randrange(2)] = draw.choices(alphabet, k=draw.randrange(2))
    return "".join(letters)


def random_pairs(count: int, seed: int) -> list[tuple[str, str]]:
    """Returns pairs of unrelated or similar strings, some of them empty. The first has at most 200 characters."""
    draw = random.Random(seed)

    def text(alphabet: str) -> str:
        return "".join(draw.choices(alphabet, k=draw.choice([0, 1, 8, 31, 32, 33, 63, 64, 65, 100, 200])))

    pairs = []
    for _ in range(count):
        alphabet = draw.choice(ALPHABETS)
        a = text(alphabet)
        pairs.append((a, edited(a, alphabet, draw) if draw.random() < 0.5 else text(alphabet)))
    return pairs


def test_distances(spark: SparkSession) -> None:
    pairs = random_pairs(3000, seed=19)
    rows = (
        spark.createDataFrame(pairs, "a string, b string")
        .select(
            "a",
            "b",
            bf.edit_distance("a", "b"),
            sf.levenshtein("a", "b"),
            bf.edit_distance("a", "b", 5),
            sf.levenshtein("a", "b", 5),
            bf.osa_distance("a", "b"),
            bf.damerau_levenshtein("a", "b"),
            bf.lcs_length("a", "b"),
            bf.try_hamming_distance("a", "b"),
            bf.jaro_winkler_similarity("a", "b"),
        )
        .collect()
    )

    assert sorted((row.a, row.b) for row in rows) == sorted(pairs)
    for a, b, edits, spark_edits, bounded, spark_bounded, osa, damerau, lcs, hamming, similarity in rows:
        expected = distance.Levenshtein.distance(a, b)
        assert (edits, spark_edits) == (expected, expected), (a, b)
        assert (bounded, spark_bounded) == ((expected, expected) if expected <= 5 else (-1, -1)), (a, b)
        assert osa == distance.OSA.distance(a, b), (a, b)
        assert damerau == distance.DamerauLevenshtein.distance(a, b), (a, b)
        assert lcs == distance.LCSseq.similarity(a, b), (a, b)
        assert hamming == (distance.Hamming.distance(a, b) if len(a) == len(b) else None), (a, b)
        assert similarity == pytest.approx(distance.JaroWinkler.similarity(a, b), rel=1e-14), (a, b)


def test_cigar_turns_one_text_into_the_other(spark: SparkSession) -> None:
    rows = (
        spark.createDataFrame(random_pairs(500, seed=20), "a string, b string")
        .select("a", "b", bf.edit_distance("a", "b"), bf.edit_cigar("a", "b"))
        .collect()
    )

    for a, b, edits, cigar in rows:
        i = j = cost = 0
        number = ""
        for letter in cigar:
            if letter.isdigit():
                number += letter
                continue
            count, number = int(number), ""
            if letter == "=":
                assert a[i : i + count] == b[j : j + count], (a, b, cigar)
            else:
                cost += count
            i += count if letter in "=XI" else 0
            j += count if letter in "=XD" else 0
        assert (i, j, cost) == (len(a), len(b), edits), (a, b, cigar)

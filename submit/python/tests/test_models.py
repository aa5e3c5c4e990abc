"""Fits models to all rows of a DataFrame, and compares them with the results of hmm_fit."""

from __future__ import annotations

import math

import pytest
from pyspark.errors import PySparkException, SparkRuntimeException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

import bellman
import bellman.functions as bf


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    sequences = "if(id = 7, NULL, transform(sequence(0, id % 6), i -> pmod(hash(id + i), 3))) AS symbols"
    return spark.range(60).selectExpr("id", sequences).repartition(3)


def test_fit_hmm(table: DataFrame) -> None:
    model = bellman.fit_hmm(table, "symbols", states=2, iterations=5, seed=3)
    row = table.agg(bf.hmm_fit(sf.collect_list("symbols"), 2, 5, 3).alias("m")).select("m.*").first()
    assert row is not None
    assert model == tuple(row)
    assert len(model.log_probabilities) == 5


def test_tolerance(table: DataFrame) -> None:
    logs = bellman.fit_hmm(table, "symbols", 2, iterations=40, tolerance=0.05).log_probabilities
    assert 2 <= len(logs) < 40
    assert [logs[i] - logs[i - 1] < 0.05 for i in range(1, len(logs))] == [False] * (len(logs) - 2) + [True]


def test_decodes(table: DataFrame) -> None:
    model = bellman.fit_hmm(table, "symbols", 2)
    path = bf.viterbi(model.start, model.transitions, model.emissions, "symbols")
    assert table.where(path["states"].isNotNull()).count() == 59


def test_numbers(spark: SparkSession) -> None:
    numbers = "transform(sequence(0, id % 5), i -> 10D * pmod(hash(id + i), 2) + rand(7)) AS readings"
    df = spark.createDataFrame(spark.range(40).selectExpr("id", numbers).collect()).repartition(3)
    model = bellman.fit_hmm(df, "readings", states=2, iterations=8, min_variance=0.01)
    row = df.agg(bf.hmm_fit(sf.collect_list("readings"), 2, 8, min_variance=0.01).alias("m")).select("m.*").first()
    assert row is not None
    assert model == tuple(row)
    assert sorted(round(mean / 10) for mean, _ in model.emissions) == [0, 1]
    path = bf.viterbi(model.start, model.transitions, model.emissions, "readings")
    assert df.where(path["states"].isNotNull()).count() == 40
    with pytest.raises(PySparkException, match="min_variance"):
        bellman.fit_hmm(df, "readings", 2, min_variance=0)


def test_points(spark: SparkSession) -> None:
    points = "transform(sequence(0, id % 5), i -> array(10D * pmod(hash(id + i), 2) + rand(7), rand(8))) AS readings"
    df = spark.createDataFrame(spark.range(40).selectExpr("id", points).collect()).repartition(3)
    model = bellman.fit_hmm(df, "readings", states=2, iterations=8)
    row = df.agg(bf.hmm_fit(sf.collect_list("readings"), 2, 8).alias("m")).select("m.*").first()
    assert row is not None
    assert model == tuple(row)
    assert [len(pairs) for pairs in model.emissions] == [4, 4]
    path = bf.viterbi(model.start, model.transitions, model.emissions, "readings")
    assert df.where(path["states"].isNotNull()).count() == 40
    literal = bf.forward(model.start, model.transitions, model.emissions, [[1.0, 2.0], [3.0, 4.0]])
    assert df.select(literal).first() is not None


def test_problems(table: DataFrame) -> None:
    with pytest.raises(PySparkException, match="ARRAY<INT>"):
        bellman.fit_hmm(table, "id", 2)
    with pytest.raises(PySparkException, match="states is 0"):
        bellman.fit_hmm(table, "symbols", 0)
    with pytest.raises(SparkRuntimeException, match="no sequences"):
        bellman.fit_hmm(table.where("id < 0"), "symbols", 2)
    for wrong in (math.nan, -1):
        with pytest.raises(PySparkException, match="the argument tolerance is"):
            bellman.fit_hmm(table, "symbols", 2, tolerance=wrong)
        with pytest.raises(PySparkException, match="the argument min_variance is"):
            bellman.fit_hmm(table, "symbols", 2, min_variance=wrong)
    assert len(bellman.fit_hmm(table, "symbols", 2, tolerance=math.inf).log_probabilities) == 2
    with pytest.raises(TypeError, match="float"):
        bellman.fit_hmm(table, "symbols", 2.5)  # type: ignore[arg-type]


def test_logarithms(table: DataFrame) -> None:
    """One of the calls omits the optional symbols, although it passes the argument after them."""
    start, moves, emissions = [0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.5, 0.1], [0.4, 0.3], [0.1, 0.6]]
    logs = [[[math.log(each) for each in row] for row in rows] for rows in ([start], moves, emissions)]
    path = bf.viterbi(logs[0][0], logs[1], logs[2], logarithms=True)
    of_symbols = bf.viterbi(logs[0][0], logs[1], list(map(list, zip(*logs[2]))), [0, 1, 2], logarithms=True)
    row = table.limit(1).select(path["states"], of_symbols["states"], bf.viterbi(start, moves, emissions)["states"]).first()
    assert row is not None
    assert list(row) == [[0, 0, 1]] * 3

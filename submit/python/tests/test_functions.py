"""The functions as they are called from Python: every example of the catalogue, NULL, pandas, errors."""

from __future__ import annotations

import contextlib
import doctest
import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as sf

import bellman
from bellman import functions as bf

EXAMPLES = {
    test.name.rpartition(".")[2]: test for test in doctest.DocTestFinder(exclude_empty=True).find(bf) if test.examples
}


def test_every_function_has_an_example() -> None:
    assert list(EXAMPLES) == sorted(bf.__all__)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(spark: SparkSession, name: str) -> None:
    test = EXAMPLES[name]
    test.globs = {"spark": spark}
    report = io.StringIO()

    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.write, clear_globs=False)

    assert report.getvalue() == ""


def test_null_gives_null(spark: SparkSession) -> None:
    def of_nulls(function: Callable[..., Column]) -> Column:
        for count in range(1, 8):
            with contextlib.suppress(TypeError):
                return function(*[sf.lit(None)] * count)
        raise AssertionError(function)

    row = spark.range(1).select(*(of_nulls(getattr(bf, name)).alias(name) for name in bf.__all__)).first()

    assert row is not None
    assert [name for name, value in row.asDict().items() if value is not None] == []


def test_columns_by_name_and_as_columns(spark: SparkSession) -> None:
    pairs = spark.createDataFrame([("kitten", "sitting"), ("flaw", "lawn"), ("", "x"), (None, "x")], "a string, b string")

    rows = pairs.select(
        bf.edit_distance("a", "b"),
        bf.edit_distance(pairs.a, sf.upper("b")),
        bf.edit_distance("a", "b", 2),
        bf.edit_distance("a", "b", max=sf.length("b")),
        bf.alignment("a", "b", "global", "match 1 mismatch -1 gap 1")["cigar"],
    ).collect()

    assert [tuple(row) for row in rows] == [
        (3, 7, -1, 3, "1X3=1X1=1D"),
        (2, 4, 2, 2, "1I3=1D"),
        (1, 1, 1, 1, "1D"),
        (None, None, None, None, None),
    ]


def test_values_for_arrays_and_numbers(spark: SparkSession) -> None:
    row = (
        spark.range(1)
        .select(
            bf.matrix_chain([40, 2, 30, 10, 8]).alias("chain"),
            bf.matrix_chain_cost(np.array([40, 2, 30, 10, 8])).alias("of_numpy"),
            bf.scs_all(["kitten", "sitting", "mitten"]).alias("texts"),
            bf.linear_solve([[4, 2], [2, 5]], [2, 9]).alias("solution"),
            bf.s_dp([1, 1], [2, 1], 8, sf.lit("sum")).alias("fibonacci"),
        )
        .first()
    )

    assert row is not None
    assert row.chain.asDict() == {"cost": 1400, "order": "(A1((A2A3)A4))", "splits": [1, 3, 2]}
    assert row.of_numpy == 1400
    assert row.texts == "mskittieng"
    assert row.solution == [-0.5, 2.0]
    assert row.fibonacci == [1, 1, 2, 3, 5, 8, 13, 21]


def test_overloads_by_name(spark: SparkSession) -> None:
    pair = (sf.lit("GATTACA"), sf.lit("GACA"), 2, -3)
    costs = [4, 5, 5, 6, 6, 6, 6]

    row = (
        spark.range(1)
        .select(
            bf.gap_alignment(*pair, costs)["score"],
            bf.gap_alignment(*pair, gap_costs=costs)["score"],
            bf.gap_alignment(*pair, costs, costs)["score"],
            bf.gap_alignment(*pair, a_gap_costs=costs, b_gap_costs=costs)["score"],
        )
        .first()
    )

    assert row is not None
    assert list(row) == [3, 3, 3, 3]


def test_pandas_in_and_out(spark: SparkSession) -> None:
    frame = pd.DataFrame(
        {
            "a": ["kitten", "h\u00e4user", "\U0001d11e clef", None],
            "b": ["sitting", "hauser", "clef", "x"],
            "dims": [[40, 2, 30, 10, 8], [5, 6], [1, 2, 3], None],
        }
    )

    answers = (
        spark.createDataFrame(frame, "a string, b string, dims array<bigint>")
        .select(
            bf.edit_distance("a", "b").alias("distance"),
            bf.jaro_winkler_similarity("a", "b").alias("similarity"),
            bf.matrix_chain_cost("dims").alias("cost"),
            bf.matrix_chain_order("dims").alias("order"),
        )
        .toPandas()
    )

    assert answers.distance.fillna(-1).tolist() == [3, 1, 2, -1]
    assert answers.similarity.isna().tolist() == [False, False, False, True]
    assert answers.similarity[1] == pytest.approx(0.9, abs=0.01)
    assert answers.cost.fillna(-1).tolist() == [1400, 0, 6, -1]
    assert answers.order.tolist() == ["(A1((A2A3)A4))", "A1", "(A1A2)", None]


def test_join_without_a_cross_product(spark: SparkSession) -> None:
    names = spark.createDataFrame([(1, "Jonson"), (2, "Johnson"), (3, "Jansen"), (4, "Smith")], "id int, name string")
    left, right = names.alias("l"), names.alias("r")

    pairs = left.join(right, (bf.edit_distance("l.name", "r.name") <= 1) & (sf.col("l.id") < sf.col("r.id")))
    plan = io.StringIO()
    with contextlib.redirect_stdout(plan):
        pairs.explain()

    assert "SimilarStrings" in plan.getvalue()
    assert [tuple(row) for row in pairs.select("l.id", "r.id").collect()] == [(1, 2)]


def test_rejected_row(spark: SparkSession) -> None:
    pairs = spark.createDataFrame([("karolin", "kathrin"), ("a", "bcd")], "a string, b string")

    assert [row[0] for row in pairs.select(bf.try_hamming_distance("a", "b")).collect()] == [3, None]
    with pytest.raises(bellman.BellmanError) as failure, bellman.errors():
        pairs.select(bf.hamming_distance("a", "b")).collect()
    assert failure.value.code == "BELLMAN_INPUT_VALUE"
    assert str(failure.value) == (
        "[BELLMAN_INPUT_VALUE] hamming_distance: a has 1 characters and b has 3; both must have the same number. "
        "Correct the row, or use try_hamming_distance, which returns NULL"
    )


def test_wrong_call(spark: SparkSession) -> None:
    pairs = spark.createDataFrame([("a", "b")], "a string, b string")

    for wrong in (bf.edit_distance("a", sf.array("b")), bf.alignment("a", "b", "globl", "match 1 mismatch -1 gap 1")):
        with pytest.raises(AnalysisException, match=r"\[BELLMAN_"):
            pairs.select(wrong).collect()
    with pytest.raises(bellman.BellmanError) as failure, bellman.errors():
        pairs.select(bf.edit_distance("a", sf.array("b"))).collect()
    assert failure.value.code == "BELLMAN_FUNCTION_ARGUMENTS"


def test_other_errors_pass_unchanged(spark: SparkSession) -> None:
    with pytest.raises(AnalysisException, match="UNRESOLVED_COLUMN"), bellman.errors():
        spark.range(1).select(bf.edit_distance("nowhere", "id")).collect()


def test_wrong_arguments_in_python(spark: SparkSession) -> None:
    with pytest.raises(TypeError, match=r"edit_distance: argument 2 is None; for SQL's NULL pass lit\(None\)"):
        bf.edit_distance("a", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="is no way to call it: it is gap_alignment"):
        bf.gap_alignment("a", "b", 1, -1, gap_cost=[1])  # type: ignore[call-overload]

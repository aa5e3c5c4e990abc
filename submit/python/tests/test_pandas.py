"""Tests pandas as input and output. ``check`` runs these tests with pandas 2 and 3. In pandas 3, missing strings are NaN."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

import bellman
from bellman import functions as bf

# PySpark's toPandas causes this warning with pandas 3
pytestmark = pytest.mark.filterwarnings("ignore:The copy keyword is deprecated")

ARROW = "spark.sql.execution.arrow.pyspark.enabled"


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
    assert answers.order.fillna("none").tolist() == ["(A1((A2A3)A4))", "A1", "(A1A2)", "none"]


def test_missing_text_is_null(spark: SparkSession) -> None:
    frame = pd.DataFrame({"id": [1, 2, 3], "name": ["kitten", None, "sitten"]})
    names = spark.createDataFrame(frame)

    found = names.select(bf.edit_distance("name", sf.lit("nan")).alias("distance")).toPandas()
    pairs = bellman.similar_pairs(names, "name", max=3).toPandas()
    clusters = bellman.cluster(names, "name", max=1).toPandas().set_index("id")

    assert found.distance.isna().tolist() == [False, True, False]
    assert sorted(zip(pairs.id_a, pairs.id_b)) == [(1, 3)]
    assert clusters.representative.isna().to_dict() == {1: False, 2: True, 3: False}
    assert clusters.cluster_size.to_dict() == {1: 2, 2: 1, 3: 2}


@pytest.mark.parametrize(
    ("pandas", "pyarrow", "set_"), [("2.3.3", "25.0.1", None), ("3.1.1", "25.0.1", "true"), ("3.1.1", None, None), (None, None, None)]
)
def test_arrow_for_pandas_3(monkeypatch: pytest.MonkeyPatch, pandas: str | None, pyarrow: str | None, set_: str | None) -> None:
    installed = metadata.version

    def version(name: str) -> str:
        if name not in ("pandas", "pyarrow"):
            return installed(name)
        found = pandas if name == "pandas" else pyarrow
        if found is None:
            raise metadata.PackageNotFoundError(name)
        return found

    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    monkeypatch.setattr(metadata, "version", version)
    made: Any = bellman.configure(SparkSession.Builder(), gpu=False)
    given: Any = bellman.configure(SparkSession.Builder().config(ARROW, "false"), gpu=False)

    assert made._options.get(ARROW) == set_
    assert given._options[ARROW] == "false"


COLUMNS = [
    pd.Series(["kitten", None]),
    pd.Series(["kitten", None], dtype=object),
    pd.Series(["kitten", None], dtype="string"),
    pd.Series(["kitten", None]).array,
    pd.Series(["kitten", "mitten"], index=["x", "y"]),
]


@pytest.mark.parametrize("texts", COLUMNS, ids=lambda texts: f"{type(texts).__name__} {texts.dtype}")
def test_columns_of_pandas(spark: SparkSession, texts: Any) -> None:
    answer = spark.range(1).select(bf.try_scs_all(texts)).first()

    assert answer is not None
    assert (answer[0] is None) == bool(texts.isna().any())


def test_numbers_of_pandas(spark: SparkSession) -> None:
    row = (
        spark.range(1)
        .select(
            bf.matrix_chain_cost(pd.Series([40, 2, 30, 10, 8], dtype="Int64")),
            bf.try_matrix_chain_cost(pd.Series([40, None, 30], dtype="Int64")),
            bf.try_linear_solve([[1.0]], pd.Series([float("nan")])).isNull(),
            bf.linear_solve([[2.0]], pd.Series([3.0], dtype="Float64")),
        )
        .first()
    )

    assert row is not None
    assert tuple(row) == (1400, None, True, [1.5])

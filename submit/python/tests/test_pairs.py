"""Compares the close pairs, clusters and nearest rows that a session finds with the results of a job and with the definition."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from rapidfuzz.distance import Levenshtein

import bellman

Name = tuple[int, str | None, str]


def names(count: int, seed: int) -> list[Name]:
    draw = random.Random(seed)
    return [
        (i, None if draw.random() < 0.05 else "".join(draw.choices("abc", k=draw.randrange(3, 8))), draw.choice("xy"))
        for i in range(count)
    ]


ROWS = names(200, seed=31)


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(ROWS, "id int, name string, land string").repartition(3)


def is_close(one: Name, other: Name, most: int) -> bool:
    return one[1] is not None and other[1] is not None and Levenshtein.distance(one[1], other[1]) <= most


def test_similar_pairs(table: DataFrame) -> None:
    pairs = bellman.similar_pairs(table, "name", max=1)
    grouped = bellman.similar_pairs(table, "name", max=2, block_on=["land"])

    assert pairs.columns == ["id_a", "name_a", "land_a", "id_b", "name_b", "land_b", "distance"]
    found = [(min(row.id_a, row.id_b), max(row.id_a, row.id_b)) for row in pairs.collect()]
    assert bellman.similar_pairs(table, "name", 1, block_on=None).count() == len(found)
    assert sorted(found) == [(a[0], b[0]) for a in ROWS for b in ROWS if a[0] < b[0] and is_close(a, b, 1)]
    expected = sum(a[0] < b[0] and a[2] == b[2] and is_close(a, b, 2) for a in ROWS for b in ROWS)
    assert grouped.count() == expected
    assert all(row.distance == Levenshtein.distance(row.name_a, row.name_b) for row in grouped.collect())


def test_as_jobs(table: DataFrame, classic_only: None, tmp_path: Path, spark: SparkSession) -> None:
    source = tmp_path / "names.parquet"
    table.write.parquet(str(source))
    within = {
        "problem": "edit_distance",
        "input": {"path": source},
        "pairing": "within",
        "maxDistance": 1,
        "blockOn": ["land"],
        "arguments": ["name"],
        "output": {"path": tmp_path / "pairs"},
    }
    clusters = {**within, "results": ["cluster"], "output": {"path": tmp_path / "clusters"}}
    nearest = {**within, "pairing": "nearest", "targets": {"path": source}, "top": 2, "maxDistance": 2, "output": {"path": tmp_path / "nearest"}}
    bellman.run(within, clusters, nearest, quiet=True)

    def rows(df: DataFrame) -> list[tuple[int, int, int]]:
        columns = (sf.least("id_a", "id_b"), sf.greatest("id_a", "id_b"), "distance")
        return sorted(tuple(row) for row in df.select(*columns).collect())

    def partition(df: DataFrame, column: str = "cluster") -> set[frozenset[int]]:
        members = df.where(sf.col(column).isNotNull()).groupBy(column).agg(sf.collect_list("id").alias("ids"))
        return {frozenset(row.ids) for row in members.collect()}

    pairs = bellman.similar_pairs(table, "name", max=1, block_on="land")
    assert rows(pairs) == rows(spark.read.parquet(str(tmp_path / "pairs")))
    of_job = partition(spark.read.parquet(str(tmp_path / "clusters")))
    found = partition(bellman.cluster(table, "name", max=1, block_on="land"))
    alone = {frozenset([row[0]]) for row in ROWS if row[1] is None}
    assert alone and found == of_job - alone
    components = spark.sql("SELECT * FROM connected_components(TABLE(SELECT id_a, id_b FROM {pairs}))", pairs=pairs)
    assert partition(components.toDF("id", "component", "neighbours"), "component") == {each for each in found if len(each) > 1}
    closest = bellman.nearest(table, table, "name", top=2, max=2, block_on="land")
    assert rows(closest) == rows(spark.read.parquet(str(tmp_path / "nearest")))


def test_clusters_by_linkage(table: DataFrame) -> None:
    for linkage in ("complete", "average", "single"):
        rows = bellman.cluster(table, "name", max=2, block_on="land", linkage=linkage).collect()
        named = [row for row in rows if row.cluster is not None]
        assert len(named) > 2
        for row in named:
            members = {each.name for each in named if each.cluster == row.cluster}
            distances = {text: [Levenshtein.distance(text, other) for other in members] for text in members}
            assert row.diameter == max(map(max, distances.values()))
            assert sum(distances[row.representative]) == min(map(sum, distances.values()))
            assert linkage != "complete" or row.diameter <= 2
    with pytest.raises(Exception, match="linkage is 'ward'; it must be single, complete or average"):
        bellman.cluster(table, "name", max=2, linkage="ward").collect()  # type: ignore[arg-type]


def test_clusters(table: DataFrame) -> None:
    rows = bellman.cluster(table, "name", max=1).collect()

    assert sorted(tuple(row)[:3] for row in rows) == ROWS
    sizes = Counter(row.cluster for row in rows)
    for row in rows:
        if row.name is None:
            assert (row.cluster, row.cluster_size, row.representative) == (None, 1, None)
            continue
        members = Counter(each.name for each in rows if each.cluster == row.cluster)
        assert row.cluster_size == sizes[row.cluster]
        assert members[row.representative] == max(members.values())
        assert {each[0] for each in ROWS if is_close((row.id, row.name, ""), each, 1)} <= {
            each.id for each in rows if each.cluster == row.cluster
        }
    assert len(sizes) > 10


def closest(row: Name, targets: list[Name], top: int, most: int, by: bool) -> list[int]:
    near = [
        (Levenshtein.distance(row[1] or "", target[1] or ""), target[0])
        for target in targets
        if is_close(row, target, most) and (not by or row[2] == target[2])
    ]
    return [number for _, number in sorted(near)[:top]]


@pytest.mark.parametrize("few_pairs", [0, 5_000_000])
@pytest.mark.parametrize(("top", "max", "by"), [(1, 2, None), (3, None, "land")])
def test_nearest(
    table: DataFrame, spark: SparkSession, top: int, max: int | None, by: str | None, few_pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if max is not None and few_pairs:
        pytest.skip("with max, there is always a single query")
    monkeypatch.setattr("bellman.pairs._FEW_PAIRS", few_pairs)
    known = [(1000, "aaaaaaaaaaaaaa", "x"), *names(30, seed=7)]
    targets = spark.createDataFrame(known, "id int, name string, land string")

    rows = bellman.nearest(table, targets, "name", top=top, max=max, block_on=by).collect()

    found: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        found.setdefault(row.id_a, []).append((row.distance, row.id_b))
    expected = {row[0]: closest(row, known, top, 100 if max is None else max, bool(by)) for row in ROWS}
    assert {row: [number for _, number in sorted(near)] for row, near in found.items()} == {
        row: near for row, near in expected.items() if near
    }


def test_in_sql(table: DataFrame, spark: SparkSession) -> None:
    table.createOrReplaceTempView("names_in_sql")
    pairs = spark.sql("SELECT * FROM similar_pairs(TABLE(names_in_sql), 'name', max => 1)")

    assert pairs.count() == bellman.similar_pairs(table, "name", max=1).count()


def test_wrong_column(table: DataFrame) -> None:
    with pytest.raises(AnalysisException, match="is 'nam', but the table has only the columns id, name, land"):
        bellman.cluster(table, "nam", max=1).collect()
    for max in (1, None):
        with pytest.raises(AnalysisException, match="is 'name', but the table has only the columns id, land"):
            bellman.nearest(table, table.drop("name"), "name", max=max)


@pytest.mark.parametrize("value", [0.9, "1", None])
def test_numbers_that_are_not_whole(table: DataFrame, value: Any) -> None:
    message = rf"max is {value!r}; it must be a whole number"
    with pytest.raises(TypeError, match=message):
        bellman.similar_pairs(table, "name", max=value)
    with pytest.raises(TypeError, match=message):
        bellman.cluster(table, "name", max=value)
    with pytest.raises(TypeError, match=message.replace("max", "top")):
        bellman.nearest(table, table, "name", top=value, max=1)
    with pytest.raises(TypeError, match=message.replace("max", "top")):
        bellman.nearest(table, table, "name", top=value)
    assert bellman.similar_pairs(table, "name", max=np.int64(1)).count() > 0


def test_tables_of_other_libraries(table: DataFrame) -> None:
    other: Any = pd.DataFrame({"name": ["x"]})
    message = r"df is of type pandas.DataFrame; it must be a Spark DataFrame, such as spark.createDataFrame\(df\)"
    for find in (bellman.similar_pairs, bellman.cluster):
        with pytest.raises(TypeError, match=message):
            find(other, "name", max=1)
    with pytest.raises(TypeError, match=message):
        bellman.nearest(other, table, "name")
    with pytest.raises(TypeError, match=message.replace("df", "other")):
        bellman.nearest(table, other, "name", max=1)


def test_names_that_are_not_strings(table: DataFrame) -> None:
    column: Any = sf.col("name")
    message = r"column is Column<'name'>; it must be the name of a column"
    for find in (bellman.similar_pairs, bellman.cluster):
        with pytest.raises(TypeError, match=message):
            find(table, column, max=1)
        names: Any
        for names in (column, [column]):
            with pytest.raises(TypeError, match=message.replace("column", "block_on", 1)):
                find(table, "name", max=1, block_on=names)
    for max in (1, None):
        with pytest.raises(TypeError, match=message):
            bellman.nearest(table, table, column, max=max)
    with pytest.raises(TypeError, match=message):
        bellman.fit_hmm(table, column, states=2)


@pytest.mark.parametrize("max", [2, None])
def test_nearest_in_batches(
    table: DataFrame, spark: SparkSession, classic_only: None, max: int | None, tmp_path: Path
) -> None:
    source, results = str(tmp_path / "names"), str(tmp_path / "results")
    table.write.parquet(source)

    def solve(batch: DataFrame, number: int) -> None:
        bellman.nearest(batch, table, "name", max=max).write.mode("append").parquet(results)

    stream = spark.readStream.schema(table.schema).parquet(source).writeStream.foreachBatch(solve)
    stream.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start().awaitTermination()

    pairs = [(row.id_a, row.id_b, row.distance) for row in spark.read.parquet(results).collect()]
    assert sorted(pairs) == sorted(
        (row.id_a, row.id_b, row.distance) for row in bellman.nearest(table, table, "name", max=max).collect()
    )


@pytest.mark.parametrize("call", ["similar_pairs", "cluster", "nearest"])
def test_streams(spark: SparkSession, call: str) -> None:
    stream = spark.readStream.format("rate").load().selectExpr("string(value) AS name")
    others = [spark.createDataFrame([("a",)], ["name"])] if call == "nearest" else []
    with pytest.raises(AnalysisException, match="is a stream; call the function for each batch, in foreachBatch"):
        getattr(bellman, call)(stream, *others, "name", max=1).schema

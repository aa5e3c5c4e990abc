"""Calls every function and its ``try_`` variant on DataFrames that Python created, and compares the results with SQL calls on the same rows."""

from __future__ import annotations

import inspect
import itertools
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import ArrayType, DataType, StructType

from bellman import _home
from bellman import functions as bf

Rows = list[dict[str, Any]]
MAKERS: dict[str, Callable[[SparkSession, Rows, StructType], DataFrame]] = {
    "list": lambda spark, rows, schema: spark.createDataFrame(rows, schema),
    "pandas": lambda spark, rows, schema: spark.createDataFrame(pd.DataFrame(rows, dtype=object), schema),
    "Arrow": lambda spark, rows, schema: spark.createDataFrame(pa.Table.from_pylist(rows, to_arrow_schema(schema))),
}


@dataclass
class Call:
    """A function's signature with rows of arguments: generated rows, and rows with NULL at every level of nesting."""

    number: int
    function: str
    rejects: bool
    schema: StructType
    rows: list[dict[str, Any]]

    def column(self, name: str) -> str:
        return f"c{self.number}_{name}"

    def of(self, row: int) -> dict[str, Any]:
        """Returns the call's columns in a row of the table. A call that has fewer rows than the table repeats them."""
        return {self.column(name): value for name, value in self.rows[row % len(self.rows)].items()}

    def answers(self) -> list[Column]:
        """Returns the results of the function, only for rows that it accepts, and of its ``try_`` variant."""
        columns = [sf.col(self.column(name)) for name in self.schema.names]
        answer = getattr(bf, self.function)(*columns)
        if not self.rejects:
            return [answer.alias(f"f{self.number}")]
        variant = getattr(bf, f"try_{self.function}")(*columns)
        return [
            sf.when(sf.col(f"ok{self.number}"), answer).alias(f"f{self.number}"),
            variant.alias(f"try{self.number}"),
        ]

    def in_sql(self) -> list[str]:
        """Returns SQL expressions for the same results.

        If the function rejects rows, both expressions call the ``try_`` variant, because a rejected row would fail the
        query.
        """
        arguments = ", ".join(map(self.column, self.schema.names))
        if not self.rejects:
            return [f"{self.function}({arguments}) AS f{self.number}"]
        return [f"try_{self.function}({arguments}) AS {name}{self.number}" for name in ("f", "try")]


def with_nulls(kind: DataType, value: Any) -> Iterator[Any]:
    """Returns NULL, and copies of the value with NULL in the first or last entry of an array or in a field, at every level of nesting."""
    yield None
    if isinstance(kind, ArrayType) and value:
        for i in {0, len(value) - 1}:
            for changed in with_nulls(kind.elementType, value[i]):
                yield [*value[:i], changed, *value[i + 1 :]]
    elif isinstance(kind, StructType) and value:
        for field in kind:
            for changed in with_nulls(field.dataType, value[field.name]):
                yield {**value, field.name: changed}


@pytest.fixture(scope="module")
def calls(spark: SparkSession) -> list[Call]:
    # use the launcher in the checkout, because the wheel lacks the checker's jar
    launch = [str(Path(__file__).parents[3] / "submit" / "bellman"), "instances"]
    environment = {key: value for key, value in _home.environment().items() if key != "BELLMAN_JAR"}
    lines = subprocess.run(launch, env=environment, check=True, capture_output=True, encoding="utf-8").stdout
    found = []
    for number, line in enumerate(map(json.loads, lines.strip().split("\n"))):
        schema = spark.createDataFrame([], line["arguments"]).schema
        # pandas and Arrow convert NaN to NULL
        rows = [row for row in line["rows"] if "NaN" not in json.dumps(row)]
        longest = max((row for row in rows if None not in row.values()), key=lambda row: len(json.dumps(row)))
        nulls = [{**longest, each.name: value} for each in schema for value in with_nulls(each.dataType, longest[each.name])]
        found.append(Call(number, line["function"], line["rejects"], schema, rows + nulls))
    return found


@dataclass
class Table:
    schema: StructType
    rows: list[dict[str, Any]]
    answers: dict[int, dict[str, str]]
    """For each row, the results of SQL by column name, as strings."""


@pytest.fixture(scope="module")
def table(spark: SparkSession, calls: list[Call]) -> Table:
    schema = StructType().add("id", "integer")
    for call in calls:
        schema = schema.add(f"ok{call.number}", "boolean")
        for field in call.schema:
            schema = schema.add(call.column(field.name), field.dataType)
    texts = []
    for number in range(max(len(call.rows) for call in calls)):
        row: dict[str, Any] = {"id": number}
        for call in calls:
            row.update(call.of(number))
        texts.append((json.dumps(row),))
    memory = spark.createDataFrame(texts, "text string").select(sf.from_json("text", schema).alias("row")).select("row.*")
    rows, answers = [], {}
    for found in memory.selectExpr("*", *(each for call in calls for each in call.in_sql())).collect():
        row = found.asDict(recursive=True)
        answers[found.id] = as_text(found)
        oks = {f"ok{call.number}": found[f"f{call.number}"] is not None for call in calls}
        rows.append({name: row[name] for name in schema.names} | oks)
    return Table(schema, rows, answers)


def as_text(row: Row) -> dict[str, str]:
    """Returns the results in a row as strings, by column name."""
    return {name: repr(value) for name, value in row.asDict().items() if re.fullmatch(r"(f|try)\d+", name)}


@pytest.fixture(params=["list", "pandas", "pandas with Arrow", "Arrow"])
def made(request: pytest.FixtureRequest, spark: SparkSession, is_connect: bool, table: Table) -> Iterator[DataFrame]:
    """Returns a DataFrame that Python created. Spark Connect sends all data as Arrow."""
    maker, _, with_arrow = request.param.partition(" with ")
    if is_connect and with_arrow:
        pytest.skip("Spark Connect always uses Arrow")
    with setting(spark, "spark.sql.execution.arrow.pyspark.enabled", str(bool(with_arrow)).lower()):
        yield MAKERS[maker](spark, table.rows, table.schema)


@contextmanager
def setting(spark: SparkSession, key: str, value: str) -> Iterator[None]:
    before = spark.conf.get(key)
    assert before is not None
    spark.conf.set(key, value)
    yield
    spark.conf.set(key, before)


def test_every_function_is_called(calls: list[Call]) -> None:
    called = {call.function for call in calls} | {f"try_{call.function}" for call in calls if call.rejects}
    assert called == set(bf.__all__)


def test_most_rows_have_answers(calls: list[Call], table: Table) -> None:
    for call in calls:
        answered = [row for row in range(len(call.rows)) if table.answers[row][f"f{call.number}"] != "None"]
        assert len(answered) > 10, call.function
        assert len(answered) < len(call.rows), call.function


def test_as_in_memory(made: DataFrame, calls: list[Call], table: Table) -> None:
    compare(made, calls, table)


@pytest.mark.parametrize("vectorized", ["true", "false"])
def test_from_parquet(spark: SparkSession, calls: list[Call], table: Table, tmp_path: Path, vectorized: str) -> None:
    MAKERS["list"](spark, table.rows, table.schema).coalesce(1).write.parquet(str(tmp_path / "table"))

    # a limit that allows a vectorized reader for all columns and their nested fields
    with (
        setting(spark, "spark.sql.codegen.maxFields", "1000"),
        setting(spark, "spark.sql.parquet.enableVectorizedReader", vectorized),
    ):
        compare(spark.read.parquet(str(tmp_path / "table")), calls, table)


def compare(df: DataFrame, calls: list[Call], table: Table) -> None:
    rows = df.select("id", *(each for call in calls for each in call.answers())).collect()

    assert sorted(row.id for row in rows) == sorted(table.answers)
    for row in rows:
        found, expected = as_text(row), table.answers[row.id]
        for call in calls:
            for name in (f"f{call.number}", f"try{call.number}"):
                assert found.get(name) == expected.get(name), (call.function, call.of(row.id))


def test_in_group_by(made: DataFrame, calls: list[Call], table: Table) -> None:
    answers = [each for call in calls for each in call.answers()]

    groups = made.unionAll(made).groupBy(*answers).agg(sf.collect_list("id").alias("ids")).collect()

    expected: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, texts in table.answers.items():
        expected[as_key(texts)] += [row, row]
    assert {as_key(as_text(group)): sorted(group.ids) for group in groups} == expected


def optional(call: Call) -> list[str]:
    """Returns the arguments with a default other than None, but no names if the call omits any argument."""
    signature = inspect.signature(getattr(bf, call.function))
    parameters = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    if [each.name for each in parameters] != call.schema.names:
        return []
    return [each.name for each in parameters if each.default not in (inspect.Parameter.empty, None)]


def test_every_subset_of_optional_arguments(spark: SparkSession, calls: list[Call], table: Table) -> None:
    in_python, in_sql = [], []
    for call in calls:
        names = optional(call)
        required = [name for name in call.schema.names if name not in names]
        for count in range(len(names)):
            for subset in itertools.combinations(names, count):
                for function in {call.function, f"try_{call.function}"} if call.rejects else {call.function}:
                    columns = {name: sf.col(call.column(name)) for name in required + list(subset)}
                    explicit = {name: None for name in names if name not in subset}
                    arguments = [call.column(name) for name in required]
                    arguments += [f"{name} => {call.column(name)}" for name in subset]
                    ok = f"ok{call.number}" if call.rejects else "true"
                    if call.rejects and function == call.function:
                        # a row may be valid with its own argument, but not with the default
                        ok += f" AND try_{function}({', '.join(arguments)}) IS NOT NULL"
                    for given in (columns, {**columns, **explicit}):
                        answer = getattr(bf, function)(**given)
                        in_python.append(sf.when(sf.expr(ok), answer).alias(f"f{len(in_python)}"))
                        in_sql.append(f"IF({ok}, {function}({', '.join(arguments)}), NULL) AS f{len(in_sql)}")
    made = MAKERS["list"](spark, table.rows, table.schema)

    assert len(in_python) > 50
    by_python = made.orderBy("id").select(*in_python).collect()
    assert list(map(as_text, by_python)) == list(map(as_text, made.orderBy("id").selectExpr(*in_sql).collect()))


def as_key(answers: dict[str, str]) -> tuple[str, ...]:
    """Returns the results in a fixed order, without the sign of -0.0, because Spark groups -0.0 with 0.0."""
    return tuple(re.sub(r"-0\.0\b", "0.0", answers[name]) for name in sorted(answers))

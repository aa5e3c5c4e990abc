"""Calls the functions from Python: every function's example, and calls with NULL, with pandas values and with invalid arguments."""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import logging
import pydoc
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import mypy.api
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyspark.errors import AnalysisException, SparkRuntimeException
from pyspark.logger import PySparkLogger
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as sf

import bellman
from bellman import _call, errors
from bellman import functions as bf
from bellman.errors import JavaError

EXAMPLES = {
    test.name.rpartition(".")[2]: test for test in doctest.DocTestFinder(exclude_empty=True).find(bf) if test.examples
}


def test_every_function_has_an_example() -> None:
    assert list(EXAMPLES) == sorted(bf.__all__)
    assert dir(bf) == sorted(bf.__all__)


def test_examples(spark: SparkSession) -> None:
    columns, expected = [], {}
    for name, test in EXAMPLES.items():
        [example] = test.examples
        columns.append(eval(example.source, {"bf": bf, "sf": sf}).cast("string").alias(name))
        expected[name] = example.want.rstrip("\n")

    row = spark.range(1).select(*columns).first()

    assert row is not None
    assert row.asDict() == expected


VALUES: dict[str, Any] = {
    "int": 2,
    "float": 0.5,
    "bool": True,
    "Integers": [1],
    "Numbers": [0.5],
    "IntegerMatrix": [[1]],
    "Matrix": [[0.5]],
    "Matrices": [[[0.5]]],
    "Texts": ["a"],
    "Edges": [(0, 1, 0.5)],
}


def test_types_allow_what_can_be_planned(spark: SparkSession) -> None:
    def calls(name: str) -> Iterator[Column]:
        parameters = inspect.signature(getattr(bf, name)).parameters
        for given, parameter in parameters.items():
            for kind in VALUES.keys() & set(parameter.annotation.split(" | ")):
                required = [each.name for each in parameters.values() if each.default is inspect.Parameter.empty]
                yield getattr(bf, name)(**{**dict.fromkeys(required, sf.lit(None)), given: VALUES[kind]})

    columns = [call.alias(str(number)) for number, call in enumerate(each for name in bf.__all__ for each in calls(name))]

    assert len(spark.range(1).select(*columns).schema) > 100


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


def test_optional_by_name(spark: SparkSession) -> None:
    pair = (sf.lit("GATTACA"), sf.lit("GACA"), 2, -3)
    costs = [4, 5, 5, 6, 6, 6, 6]

    row = (
        spark.range(1)
        .select(
            bf.gap_alignment(*pair, costs)["score"],
            bf.gap_alignment(*pair, gap_costs=costs)["score"],
            bf.gap_alignment(*pair, costs, costs)["score"],
            bf.gap_alignment(*pair, gap_costs=costs, b_gap_costs=costs)["score"],
        )
        .first()
    )

    assert row is not None
    assert list(row) == [3, 3, 3, 3]


@pytest.mark.parametrize("name", ["dtw", "try_dtw"])
def test_skipped_by_name(spark: SparkSession, name: str) -> None:
    dtw, a, b = getattr(bf, name), [1, 2, 9, 9], [3, 5, 1, 0]

    row = (
        spark.range(1)
        .select(
            dtw(a, b, power=1),
            dtw(a, b, None, power=1),
            dtw(a, b, 1000, power=1),
            dtw(a, b, None, None, 1),
            dtw(power=1, b=b, a=a),
            dtw(a, b, max=5),
            dtw(a, b, max=30, power=1),
            dtw(a, b, power=2) == dtw(a, b),
        )
        .first()
    )

    assert row is not None
    assert list(row) == [22.0, 22.0, 22.0, 22.0, 22.0, float("inf"), 22.0, True]


def test_join_without_a_cross_product(spark: SparkSession) -> None:
    names = spark.createDataFrame([(1, "Jonson"), (2, "Johnson"), (3, "Jansen"), (4, "Smith")], "id int, name string")
    left, right = names.alias("l"), names.alias("r")

    pairs = left.join(right, (bf.edit_distance("l.name", "r.name") <= 1) & (sf.col("l.id") < sf.col("r.id")))
    plan = io.StringIO()
    with contextlib.redirect_stdout(plan):
        pairs.explain()

    assert "SimilarStrings" in plan.getvalue()
    assert [tuple(row) for row in pairs.select("l.id", "r.id").collect()] == [(1, 2)]


def test_rejected_row(spark: SparkSession, tmp_path: Path) -> None:
    pairs = spark.createDataFrame([("karolin", "kathrin"), ("a", "bcd")], "a string, b string")

    assert [row[0] for row in pairs.select(bf.try_hamming_distance("a", "b")).collect()] == [3, None]
    rejected = pairs.select(bf.hamming_distance("a", "b").alias("distance"))
    folder = str(tmp_path / "distances")
    # the row fails in the driver, in a task, and in a task that writes
    for action in (rejected.collect, rejected.repartition(2).toArrow, lambda: rejected.repartition(2).write.parquet(folder)):
        with pytest.raises(SparkRuntimeException) as failure:
            action()
        assert str(failure.value) == (
            "[BELLMAN_INPUT_VALUE] hamming_distance: a has 1 characters and b has 3; the two lengths must be equal. "
            "Correct the row, or use try_hamming_distance, which returns NULL"
        )
        parameters = failure.value.getMessageParameters()
        assert parameters is not None
        assert parameters["code"] == "BELLMAN_INPUT_VALUE"
        assert parameters["function"] == "hamming_distance"
        assert parameters["value"] == "a has 1 characters and b has 3"
        assert parameters["allowed"] == "the two lengths must be equal"
        java = failure.value.__cause__
        assert isinstance(java, JavaError)
        assert str(java).startswith("dev.bellman.plan.catalyst.RowError")
        assert "\n\tat org.apache.spark." in str(java)
        assert failure.value.__cause__ is java
        assert str(java) in "".join(traceback.format_exception(failure.value))


def test_other_failures_are_as_before(spark: SparkSession) -> None:
    bf.edit_distance("a", "b")
    failing = spark.sql("SELECT raise_error('none') AS x")

    with pytest.raises(SparkRuntimeException, match="none") as failure:
        failing.collect()
    assert failure.value.__cause__ is None
    with pytest.raises(SparkRuntimeException) as caused:
        raise failure.value from ValueError("first")
    assert isinstance(caused.value.__cause__, ValueError)


def test_wrong_call(spark: SparkSession) -> None:
    pairs = spark.createDataFrame([("a", "b")], "a string, b string")

    for wrong in (bf.edit_distance("a", sf.array("b")), bf.alignment("a", "b", "globl", "match 1 mismatch -1 gap 1")):
        with pytest.raises(AnalysisException, match=r"^\[BELLMAN_") as failure:
            pairs.select(wrong).collect()
        assert "\n" not in str(failure.value)
    with pytest.raises(AnalysisException, match=r"\[BELLMAN_FUNCTION_ARGUMENTS\]"):
        pairs.select(bf.edit_distance("a", sf.array("b"))).collect()


def test_wrong_call_is_one_line(spark: SparkSession, capfd: pytest.CaptureFixture[str]) -> None:
    """Without Bellman's log filter, PySpark would print JSON with Java's stack trace."""
    row = spark.createDataFrame([("a", "b")], ["a", "b"])
    for wrong in (
        lambda: row.select(bf.qgram_similarity("a", "b", 0, "dice")).collect(),
        lambda: row.select(bf.alignment_score("a", "b", "locale", "blosum62 open 11 extend 1")).collect(),  # type: ignore[arg-type]
        lambda: row.selectExpr("edit_distance(a)").collect(),
    ):
        with pytest.raises(AnalysisException) as failure:
            wrong()
        assert str(failure.value).splitlines()[0].startswith("[BELLMAN_")
        assert len(str(failure.value).splitlines()) == 1
    out, err = capfd.readouterr()
    assert '{"ts"' not in out + err and "\tat " not in out + err


@pytest.mark.parametrize(
    ("message", "is_logged"),
    [
        ("[BELLMAN_INPUT_VALUE] alignment: the mode is 'locale'", False),
        ("[USER_RAISED_EXCEPTION] [BELLMAN_INPUT_VALUE] alignment: the mode is 'locale'", False),
        ("[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `[BELLMAN_` cannot be resolved.", True),
    ],
)
def test_log_of_wrong_calls(message: str, is_logged: bool) -> None:
    """The form in which PySpark logs the message of an invalid call depends on PySpark's version."""
    errors.keep_stack_of_java()
    record = logging.LogRecord("test", logging.ERROR, __file__, 1, message, None, None)
    assert bool(PySparkLogger.getLogger("DataFrameQueryContextLogger").filter(record)) == is_logged


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (_call.Coefficient, lambda name: bf.qgram_similarity("a", "b", 2, name)),
        (_call.Similarity, lambda name: bf.monge_elkan("a", "b", name)),
        (_call.Metric, lambda name: bf.pairwise_min(["a"], ["b"], name)),
        (_call.Linkage, lambda name: bf.text_clusters(["a"], 1, name)),
        (_call.Algorithm, lambda name: bf.profile_score("a", "b", name)),
        (_call.Mode, lambda name: bf.alignment_score("a", "b", name, "blosum62 open 11 extend 1")),
    ],
)
def test_named_values(spark: SparkSession, kind: Any, call: Any) -> None:
    """The Python type of an argument contains exactly the values that the error message for an invalid value lists."""
    names = [name for each in get_args(kind) for name in (get_args(each) or [each])]
    row = spark.createDataFrame([("a", "b")], ["a", "b"])
    with pytest.raises(AnalysisException) as failure:
        row.select(call("none of them")).collect()
    allowed = str(failure.value).split("must be ")[1].removeprefix("one of ")
    assert sorted(re.findall(r"[a-z]\w+", allowed.replace(" or ", ", "))) == sorted(names)


def test_docstrings_tell_texts_from_columns() -> None:
    page = Path(__file__).parents[3] / "docs" / "python.md"
    words: set[str] = set()
    for name in bf.__all__:
        doc = " ".join((getattr(bf, name).__doc__ or "").split())
        parameters = inspect.signature(getattr(bf, name)).parameters.values()
        own = [each.name for each in parameters if _call._is_word(each)]
        words |= set(own)
        told = re.search(r"``str`` names a column(.*?)\.(?= |$)", doc)
        assert told, name
        assert re.findall(r"``(\w+)``", told[1].partition("; for ")[2]) == own, name
    told = re.search(r"for the arguments (.*?), the `str` is the value", page.read_text(encoding="utf-8").replace("\n", " "))
    assert told and set(re.findall(r"`(\w+)`", told[1])) == words


def test_wrong_arguments_in_python() -> None:
    with pytest.raises(TypeError, match=r"edit_distance: b is None; for SQL's NULL, pass lit\(None\)"):
        bf.edit_distance("a", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="gap_alignment: missing a required argument: 'gap_costs'; the signature is gap_alignment.a, b"):
        bf.gap_alignment("a", "b", 1, -1, gap_cost=[1])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="matrix_chain_cost: dims is of type dict; it must be a column, a column name or whole numbers$"):
        bf.matrix_chain_cost({"a": 1})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"each of the edges must be a tuple \(source, target, weight\)"):
        bf.shortest_paths(2, [(0, 1)])  # type: ignore[list-item]
    for huge in ([2**63, 3], np.array([2**63, 3], "uint64"), [3, -(2**70)]):
        with pytest.raises(ValueError, match=r"matrix_chain_cost: dims contains -?\d{19,}; whole numbers must be from -2\^63"):
            bf.matrix_chain_cost(huge)
    with pytest.raises(ValueError, match="edit_distance: max contains 1180591620717411303424; whole numbers must be"):
        bf.edit_distance("a", "b", 2**70)
    with pytest.raises(TypeError, match="edit_distance: a contains the string 'x' and the number 1; its entries must be"):
        bf.edit_distance(["x", 1], ["y"])  # type: ignore[list-item]
    for entry, kind in ((1j, "complex"), ({"x": 1}, "dict"), ({"x"}, "set")):
        with pytest.raises(TypeError, match=rf"edit_distance: a contains .* of type {kind}; a must be a column, a column name"):
            bf.edit_distance(["x", entry], ["y"])  # type: ignore[list-item]


def test_values_where_other_strings_are_columns(spark: SparkSession) -> None:
    series = spark.createDataFrame([([1.0, 1.0, 2.0, 1.0, 8.0, 9.0, 8.0, 8.0], 0.0)], ["values", "bic"])
    calls = [bf.change_points("values", "bic"), bf.change_points("values", penalty="bic"), bf.change_points("values", sf.col("bic"))]

    assert list(series.select(*calls).first() or ()) == [[4], [4], [2, 4, 6]]


CHAINS = [
    [40, 2, 30, 10, 8],
    (40, 2, 30, 10, 8),
    np.array([40, 2, 30, 10, 8]),
    pd.Series([40, 2, 30, 10, 8]),
    pa.array([40, 2, 30, 10, 8]),
    pa.chunked_array([[40, 2], [30, 10, 8]]),
    [np.int64(40), 2, 30, 10, 8],
]


@pytest.mark.parametrize("dims", CHAINS, ids=lambda dims: type(dims).__name__)
def test_sequences_of_every_kind(spark: SparkSession, dims: Any) -> None:
    assert spark.range(1).select(bf.matrix_chain_cost(dims)).first() == (1400,)


def test_sequences_of_columns(spark: SparkSession) -> None:
    row = spark.createDataFrame([(1, 2.5, "kitten")], "vertex bigint, weight double, text string").select(
        bf.edit_distance([sf.col("text"), sf.lit("x"), "y"], ["kitten", "y"]),
        bf.dtw((sf.col("weight"), 4), [sf.col("weight"), sf.col("vertex")]),
        bf.determinant([[sf.col("weight"), 0], [2, sf.col("vertex")]]),
        bf.shortest_paths(2, [(0, sf.col("vertex"), 3), (sf.col("vertex"), 0, sf.col("vertex"))]),
        bf.shortest_paths(2, [(0, 1, 3), (sf.col("vertex"), 0, sf.col("weight"))]),
        bf.edit_distance([pd.NA, "x"], ["y", "x"]),
    )
    assert row.first() == (1, 3.0, 2.5, [[0, 3], [1, 0]], [[0.0, 3.0], [2.5, 0.0]], 1)
    with pytest.raises(SparkRuntimeException, match="the source of edge 1 .counted from 1. is 3"):
        spark.range(3, 4).select(bf.shortest_paths(2, [(sf.col("id"), 0, 1)])).collect()


def test_edges_with_decimals(spark: SparkSession) -> None:
    edges = [(0, 1, Decimal("1.5")), (1, 2, 1)]
    row = spark.range(1).select(
        bf.shortest_paths(3, edges), bf.join_order([10, 20], [(0, 1, Decimal("0.5"))])["cost"]
    )
    assert row.first() == ([[0.0, 1.5, 2.5], [None, 0.0, 1.0], [None, None, 0.0]], 100.0)


@pytest.mark.parametrize("vertex", [1.7, float("nan"), float("inf"), 2**32, "1"])
def test_vertices_are_whole_numbers(spark: SparkSession, vertex: object) -> None:
    with pytest.raises(TypeError, match="shortest_paths: the edges contain the vertex .*; it must be a 32-bit whole number"):
        bf.shortest_paths(3, [(0, vertex, 1)])  # type: ignore[list-item]


def test_matrices_and_edges(spark: SparkSession) -> None:
    matrix = [[4, 2.5], [2, 5]]
    paths = [[0, 4, 3], [None, 0, -1], [None, None, 0]]
    edges = [(0, 1, 4), (1, 2, -1)]

    row = (
        spark.range(1)
        .select(
            bf.determinant(matrix),
            bf.determinant(np.array(matrix)),
            bf.determinant(tuple(map(np.array, matrix))),
            bf.linear_solve(np.array([[4, 2], [2, 5]]), pd.Series([2, 9])),
            bf.shortest_paths(3, edges),
            bf.shortest_paths(np.int64(3), np.array(edges)),
            bf.shortest_paths(3, [(0, 1, 4.5), (1, 2, -1)]),
            bf.shortest_paths(2, []),
            bf.s_dp((1, 1), np.array([2, 1]), 4, "sum"),
            bf.s_dp([1, 1], [2, 1], 4, sf.lit("sum")),
            bf.scs_all(np.array(["kitten", "mitten"])),
        )
        .first()
    )

    assert row is not None
    assert list(row)[:3] == [15, 15, 15]
    assert row[3] == [-0.5, 2.0]
    assert list(row)[4:6] == [paths, paths]
    assert row[6] == [[0, 4.5, 3.5], [None, 0, -1], [None, None, 0]]
    assert row[7] == [[0, None], [None, 0]]
    assert row[8] == row[9] == [1, 1, 2, 3]
    assert len(row[10]) == 7


def test_alternative_arguments(spark: SparkSession) -> None:
    model = ([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.0, 1.0], [3.0, 0.5]])
    points = [[value, value] for value in [0.0, 3.0, 4.0]]
    of_points = (*model[:2], [[0.0, 1.0, 0.0, 1.0], [3.0, 0.5, 3.0, 0.5]])
    numbers = spark.createDataFrame([([0.0, 3.0, 4.0], [0, 3, 4])], "numbers array<double>, integers array<int>")
    in_logarithms = (sf.array(*map(sf.log, map(sf.lit, model[0]))), [[-0.4, -1.2], [-0.9, -0.5]], model[2])

    row = numbers.select(
        *(getattr(bf, name)(*model, [0.0, 3.0, 4.0]) for name in ("viterbi", "forward", "posterior")),
        *(getattr(bf, name)(*model, values=[0, 3, 4]) for name in ("viterbi", "forward", "posterior")),
        *(bf.try_forward(*model, values=values) for values in ("numbers", sf.col("numbers"), np.array([0, 3, 4]))),
        bf.forward(*of_points, points),
        bf.forward(*of_points, values=np.array(points).astype(int)),
        *(bf.try_forward(*model, values=values) for values in ("integers", sf.col("integers"))),
        *(bf.forward(*in_logarithms, values=values, logarithms=True) for values in ("numbers", "integers")),
    ).first()

    assert row is not None
    assert row[:3] == row[3:6]
    assert set(row[6:9]) == {row[1]}
    assert row[9] == row[10]
    assert set(row[11:13]) == {row[1]}
    assert row[13] == row[14] != row[1]
    with pytest.raises(TypeError, match="^forward: found both symbols and values; pass only one of them$"):
        bf.forward(*model, [0.0], values=[0.0])


def test_signatures() -> None:
    shown = pydoc.render_doc(bf.gap_alignment, renderer=pydoc.plaintext)
    assert "gap_alignment(a: 'ColumnOrName', b: 'ColumnOrName', match: 'ColumnOrName | int'" in shown
    assert "b_gap_costs: 'ColumnOrName | Integers | None' = None" in shown
    assert inspect.signature(bf.try_alignment) == inspect.signature(bf.alignment)
    assert bf.try_alignment.__name__ == "try_alignment"
    assert (bf.try_alignment.__doc__ or "").startswith("Like :func:`alignment`, but returns NULL for rejected values.")


TYPED = """
import numpy as np
import pandas as pd
from pyspark.sql import functions as sf
from bellman import functions as bf

bf.alignment("a", "b", "local", "blosum62 open 11 extend 1", min_score=50)
bf.try_alignment("a", "b", sf.col("mode"), "blosum62 open 11 extend 1")
bf.viterbi([1], [[1]], [[0, 1]], values=np.array([0.5])), bf.try_forward("start", "moves", "emissions", values="values")
bf.matrix_chain_cost((40, 2, 30)), bf.matrix_chain_cost(np.array([40, 2])), bf.matrix_chain_cost(pd.Series([40, 2]))
bf.shortest_paths(3, [(0, 1, 4), (1, 2, -1)])
bf.determinant([[1, 2], [3, 4.5]])
bf.s_dp([1, 1], [2, 1], 8, "sum")
bf.edit_distance("a", sf.col("b"), max=3)
bf.alignment("a", "b", "lokal", "blosum62 open 11 extend 1")  # wrong
bf.try_s_dp_weighted([1], [1], [1], 8, "sum")  # wrong
bf.edit_distance("a", 7)  # wrong
bf.edit_distance("a")  # wrong
bf.gap_alignment("a", "b", 1, -1, gap_cost=[1])  # wrong
"""


@pytest.mark.filterwarnings("ignore")
def test_types(classic_only: None, tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(TYPED)

    arguments = ["--strict", "--no-incremental", "--ignore-missing-imports", str(tmp_path / "calls.py")]
    out, _, _ = mypy.api.run([*arguments, "--python-executable", sys.executable])

    wrong = [number for number, line in enumerate(TYPED.splitlines(), 1) if line.endswith("# wrong")]
    assert sorted({int(line.split(":")[1]) for line in out.splitlines() if ": error:" in line}) == wrong, out

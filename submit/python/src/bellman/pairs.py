"""Finds close pairs, clusters and nearest rows in DataFrames, in the DataFrame's session."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, SupportsIndex

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from bellman._call import Linkage

#: Up to this number of pairs, comparing all of them is faster than searching for close pairs.
_FEW_PAIRS = 5_000_000


def similar_pairs(df: DataFrame, column: str, max: SupportsIndex, block_on: str | Sequence[str] | None = None) -> DataFrame:
    """Returns the pairs of rows whose strings are at most ``max`` edits apart, each pair once.

    >>> bellman.similar_pairs(names, "name", max=2).show()

    Like a join on :func:`bellman.functions.edit_distance`, this function compares only strings that may be close enough.

    Parameters
    ----------
    df : DataFrame
    column : str
        The column with the strings.
    max : int
        The maximum number of edits.
    block_on : str or list of str, optional
        Columns that must be equal in both rows.

    Returns
    -------
    DataFrame
        The columns ``x_a`` and ``x_b`` for each column ``x``, and ``distance``.
    """
    return _select(f"similar_pairs(TABLE({{df}}), :column, {_whole('max', max)}{_equal(block_on)})", df, column)


def cluster(
    df: DataFrame,
    column: str,
    max: SupportsIndex,
    block_on: str | Sequence[str] | None = None,
    linkage: Linkage | None = None,
) -> DataFrame:
    """Assigns each row to a cluster. By default, rows whose strings are at most ``max`` edits apart are in the same cluster.

    >>> bellman.cluster(names, "name", max=2).where("cluster_size > 1").show()

    Parameters
    ----------
    df, column, max, block_on
        See :func:`similar_pairs`.
    linkage : str, optional
        ``"complete"``: no two strings in a cluster are more than ``max`` edits apart. ``"average"``: clusters merge while
        their strings are at most ``max`` edits apart on average. ``"single"``: any two strings in a cluster are linked by
        a chain of close strings, as by default.

    Returns
    -------
    DataFrame
        All columns of ``df``; ``cluster``, the cluster's number; ``cluster_size``, the number of rows in the cluster; and
        ``representative``, the most frequent string in the cluster. For a NULL string, ``cluster`` is NULL and ``cluster_size`` is 1. With ``linkage``,
        ``representative`` is the string with the smallest sum of distances to the others, and the result also has ``diameter``,
        the largest distance within the cluster.
    """
    call = f"similar_clusters(TABLE({{df}}), :column, {_whole('max', max)}{_equal(block_on) or ', NULL'}, :linkage)"
    arguments = {"column": column_name("column", column), "linkage": linkage}
    return session_of("df", df).sql(f"SELECT * FROM {call}", args=arguments, df=df)


def nearest(
    df: DataFrame,
    other: DataFrame,
    column: str,
    top: SupportsIndex = 1,
    max: SupportsIndex | None = None,
    block_on: str | Sequence[str] | None = None,
) -> DataFrame:
    """Returns, for each row, the ``top`` rows of another DataFrame with the closest strings.

    >>> bellman.nearest(typed, known, "name", top=3, max=4).show()

    With ``max``, the result is an ordinary lazy query. Without ``max``, this function immediately runs queries with increasing
    distances, and checkpoints their results (``DataFrame.localCheckpoint``).

    Parameters
    ----------
    df, other : DataFrame
    column : str
        The column with the strings, in both DataFrames.
    top : int
        The maximum number of rows of ``other`` for each row of ``df``. Among equally close rows, those with the smallest values are
        returned; columns are compared from left to right.
    max : int, optional
        The maximum number of edits. By default, there is no limit.
    block_on : str or list of str, optional
        Columns that must be equal in both rows.

    Returns
    -------
    DataFrame
        The columns of ``df`` as ``x_a``, the columns of ``other`` as ``x_b``, and ``distance``. Rows without a target are omitted.
    """
    other = _in_session(session_of("df", df), other)
    if max is not None:
        return _nearest(df, other, column, top, max, block_on)
    from pyspark.sql import functions as sf

    # checks the arguments, but runs no query
    _nearest(df, other, column, top, 0, block_on)
    groups = _list(block_on)
    number, wanted = "__bellman_row", "__bellman_wanted"
    text = sf.col(_quoted(column_name("column", column)))
    targets = other.where(text.isNotNull()).localCheckpoint()
    counts = targets.groupBy(*map(_quoted, groups)).agg(sf.least(sf.count(sf.lit(1)), sf.lit(top)).alias(wanted))
    numbered = df.where(text.isNotNull()).withColumn(number, sf.monotonically_increasing_id())
    # remove rows without targets, so that each remaining row eventually finds the wanted number of targets
    left = (numbered.join(counts, groups) if groups else numbered.crossJoin(counts.where(sf.col(wanted) > 0))).select(
        *map(_quoted, numbered.columns), wanted
    )
    left = left.localCheckpoint()
    size, longest = sf.count(sf.lit(1)), sf.coalesce(sf.max(sf.length(text)), sf.lit(0))
    many, longest_target = _first(targets.select(size, longest))
    found: list[DataFrame] = []
    within = 1
    while True:
        rows, longest_row = _first(left.select(size, longest))
        # within this distance, every row finds every target
        last = builtins.max(longest_row, longest_target)
        if rows * many <= _FEW_PAIRS:
            within = last
        pairs = _nearest(left, targets, column, top, within, groups).localCheckpoint()
        if within >= last:
            found.append(pairs)
            return reduce(type(df).union, found).drop(f"{number}_a", f"{wanted}_a")
        done = (
            pairs.groupBy(f"{number}_a", f"{wanted}_a")
            .count()
            .where(sf.col("count") == sf.col(f"{wanted}_a"))
            .select(sf.col(f"{number}_a").alias(number))
            .localCheckpoint()
        )
        of_done = pairs.join(done.withColumnRenamed(number, f"{number}_a"), f"{number}_a", "left_semi")
        found.append(of_done.select(*map(_quoted, pairs.columns)))
        left = left.join(done, number, "left_anti").select(*map(_quoted, left.columns)).localCheckpoint()
        within *= 2


def _nearest(
    df: DataFrame,
    other: DataFrame,
    column: str,
    top: SupportsIndex,
    max: SupportsIndex,
    block_on: str | Sequence[str] | None,
) -> DataFrame:
    call = f"nearest(TABLE({{df}}), TABLE({{other}}), :column, {_whole('max', max)}, {_whole('top', top)}{_equal(block_on)})"
    return _select(call, df, column, other=other)


def _select(call: str, df: DataFrame, column: str, **tables: DataFrame) -> DataFrame:
    arguments = {"column": column_name("column", column)}
    return session_of("df", df).sql(f"SELECT * FROM {call}", args=arguments, df=df, **tables)


def _in_session(spark: SparkSession, df: DataFrame) -> DataFrame:
    """Returns a DataFrame in a session, because SQL finds only the DataFrames of its own. ``foreachBatch`` has its own session."""
    return df if session_of("other", df) is spark else spark.range(0, 1, 1, 1).select().crossJoin(df)


def session_of(parameter: str, df: DataFrame) -> SparkSession:
    """Returns the session of a DataFrame. Raises an error for the DataFrames of other libraries, such as pandas."""
    if not hasattr(df, "sparkSession"):
        raise TypeError(
            f"{parameter} is of type {type(df).__module__.split('.')[0]}.{type(df).__name__}; it must be a Spark DataFrame,"
            f" such as spark.createDataFrame({parameter})"
        )
    return df.sparkSession


def column_name(parameter: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{parameter} is {value!r}; it must be the name of a column")
    return value


def _whole(name: str, value: SupportsIndex) -> int:
    """Returns a whole number, such as NumPy's. Raises an error for others, because ``int`` would drop their fractions."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it must be a whole number") from None


def _list(names: str | Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    each = [names] if isinstance(names, str) or not hasattr(names, "__len__") else names
    return [column_name("block_on", name) for name in each]


def _equal(names: str | Sequence[str] | None) -> str:
    """Returns the SQL text of the last argument with its comma, or an empty string if there are no names."""
    quoted = ["'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'" for name in _list(names)]
    return f", array({', '.join(quoted)})" if quoted else ""


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _first(df: DataFrame) -> Any:
    row = df.first()
    assert row is not None
    return row

"""Converts calls to :mod:`bellman.functions` into calls to Spark SQL functions."""

from __future__ import annotations

import datetime
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Literal, ParamSpec, Protocol, TypeAlias, cast, get_args

from pyspark.sql import Column
from pyspark.sql import functions as sf

from bellman.errors import keep_stack_of_java


class _Array(Protocol):
    """A NumPy array, or a pandas or Arrow column."""

    def tolist(self) -> Any: ...


class _ArrowArray(Protocol):
    def to_pylist(self) -> list[Any]: ...


#: A column or a column name.
ColumnOrName: TypeAlias = Column | str
#: A value that is the same for all rows, or a column.
Setting: TypeAlias = Column | str
Integers: TypeAlias = Sequence[int | Column] | _Array | _ArrowArray
Numbers: TypeAlias = Sequence[float | Column] | _Array | _ArrowArray
Matrix: TypeAlias = Sequence[Sequence[float | Column] | _Array] | _Array
Matrices: TypeAlias = Sequence[Matrix] | _Array
IntegerMatrix: TypeAlias = Sequence[Sequence[int | Column] | _Array] | _Array
Texts: TypeAlias = Sequence[str | Column] | _Array | _ArrowArray
#: The edges of a graph, as tuples of source, target and weight.
Edges: TypeAlias = Sequence[tuple[int | Column, int | Column, float | Column]] | _Array
Mode: TypeAlias = Literal["global", "local", "overlap", "fit_a_in_b", "fit_b_in_a", "extension"]
Op: TypeAlias = Literal["min", "max", "sum", "first", "last", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or"]
WeightedOp: TypeAlias = Literal["min", "max"]
Algorithm: TypeAlias = Literal["forward", "viterbi"]
Coefficient: TypeAlias = Literal["jaccard", "dice", "cosine"]
#: A value of a parameter for which other strings are column names.
Criterion: TypeAlias = Literal["bic"]
Linkage: TypeAlias = Literal["single", "complete", "average"]
Similarity: TypeAlias = Literal[
    "jaro_similarity",
    "jaro_winkler_similarity",
    "ratio",
    "partial_ratio",
    "token_sort_ratio",
    "token_set_ratio",
    "weighted_ratio",
]
Metric: TypeAlias = Literal["edit_distance", "osa_distance", "damerau_levenshtein"] | Similarity

#: The types of entries of a sequence that PySpark converts.
_ENTRIES = (type(None), Column, str, bytes, bool, int, float, Decimal, datetime.date, datetime.time, datetime.timedelta)

#: The pandas types in which NaN is a number, as in NumPy.
_FRACTIONS = {"float32", "float64"}

#: Descriptions of the parameter types for messages. All other types are strings.
_IN_WORDS = {
    "Column": ["a column"],
    "ColumnOrName": ["a column", "a column name"],
    "Setting": ["a column", "a string"],
    "int": ["a whole number"],
    "float": ["a number"],
    "bool": ["True or False"],
    "Integers": ["whole numbers"],
    "Numbers": ["numbers"],
    "IntegerMatrix": ["rows of whole numbers"],
    "Matrix": ["rows of numbers"],
    "Matrices": ["arrays of rows of numbers"],
    "Texts": ["strings"],
    "Edges": ["edges"],
}

P = ParamSpec("P")
#: The parameter types for which a string is the value, not a column name.
_WORDS = {
    "Setting",
    *(f"{kind} | Column" for kind in "Algorithm Coefficient Linkage Metric Mode Op Similarity WeightedOp".split()),
}


def alternatives(**names: str) -> Callable[[Callable[P, Column]], Callable[P, Column]]:
    """Declares keyword arguments that replace others: with ``values="symbols"``, ``values`` replaces ``symbols``."""

    def marked(declared: Callable[P, Column]) -> Callable[P, Column]:
        setattr(declared, "alternatives", names)
        return declared

    return marked


def function(declared: Callable[P, Column]) -> Callable[P, Column]:
    """Returns a function that calls the SQL function of the same name as ``declared``."""
    return _calling(declared.__name__, declared)


def try_variant(declared: Callable[P, Column]) -> Callable[P, Column]:
    """Returns the variant of a function that returns NULL for rejected values."""
    variant = _calling("try_" + declared.__name__, declared)
    variant.__doc__ = f"Like :func:`{declared.__name__}`, but returns NULL for rejected values.\n\n    {declared.__doc__}"
    return variant


def _calling(name: str, declared: Callable[P, Column]) -> Callable[P, Column]:
    signature = inspect.signature(declared)
    replaced: dict[str, str] = getattr(declared, "alternatives", {})
    parameters = [each for each in signature.parameters.values() if each.name not in replaced]

    @functools.wraps(declared)
    def call(*arguments: P.args, **named: P.kwargs) -> Column:
        try:
            bound = signature.bind(*arguments, **named)
        except TypeError as wrong:
            raise TypeError(f"{name}: {wrong}; the signature is {name}({', '.join(signature.parameters)})") from None
        values = {each.name: _argument(name, each, bound.arguments.get(each.name)) for each in parameters}
        names = {each.name: each.name for each in parameters}
        for other, replacing in replaced.items():
            argument = _argument(name, signature.parameters[other], bound.arguments.get(other))
            if argument is not None:
                if values[replacing] is not None:
                    raise TypeError(f"{name}: found both {replacing} and {other}; pass only one of them")
                values[replacing] = argument
                names[replacing] = other
        given = list(values.values())
        while given and given[-1] is None:
            given.pop()
        keep_stack_of_java()
        return sf.call_function(name, *_in_order(parameters, given, list(names.values())))

    call.__name__ = call.__qualname__ = name
    return call


def _in_order(
    parameters: Iterable[inspect.Parameter], given: list[ColumnOrName | None], names: list[str]
) -> Iterator[ColumnOrName]:
    """Yields the arguments. Positional SQL arguments that are omitted before the last are replaced with defaults.

    A parameter whose default is None does not occur in the SQL signature for calls that omit it. Arguments from the
    first alternative on are named, because the name selects the signature.
    """
    is_named = False
    for parameter, argument, name in zip(parameters, given, names):
        is_named = is_named or name != parameter.name
        if argument is not None:
            yield _named(name, argument) if is_named else argument
        elif parameter.default is not None and not is_named:
            yield sf.lit(parameter.default)


def _named(name: str, argument: ColumnOrName) -> Column:
    """Returns a named argument, like ``name => argument`` in SQL, for which PySpark has no public function."""
    column: Any = sf.col(argument) if isinstance(argument, str) else argument
    if type(column).__module__.startswith("pyspark.sql.connect"):
        from pyspark.sql.connect.column import Column as ConnectColumn
        from pyspark.sql.connect.expressions import NamedArgumentExpression

        return cast(Column, ConnectColumn(NamedArgumentExpression(name, column._expr)))
    from pyspark.core.context import SparkContext
    from pyspark.sql.classic.column import Column as ClassicColumn

    jvm: Any = SparkContext._jvm
    return ClassicColumn(jvm.PythonSQLUtils.namedArgumentExpression(name, column._jc))


def _argument(name: str, parameter: inspect.Parameter, value: Any) -> ColumnOrName | None:
    if value is None:
        if parameter.default is inspect.Parameter.empty:
            raise TypeError(f"{name}: {parameter.name} is None; for SQL's NULL, pass lit(None)")
        return None
    if isinstance(value, Column) or isinstance(value, str) and not _is_word(parameter, value):
        return value
    plain = _plain(value)
    if "Edges" in parameter.annotation:
        return _edges(name, parameter.name, plain)
    if isinstance(plain, (str, bool, int, float, list)):
        _check(name, parameter, plain)
        return _array(plain) if isinstance(plain, list) else sf.lit(plain)
    raise TypeError(
        f"{name}: {parameter.name} is of type {type(value).__name__}; it must be {_in_words(parameter.annotation)}"
    )


def _in_words(annotation: str) -> str:
    kinds = annotation.removesuffix(" | None").split(" | ")
    *first, last = [word for kind in kinds for word in _IN_WORDS.get(kind, ["a string"])]
    return f"{', '.join(first)} or {last}"


def _is_word(parameter: inspect.Parameter, value: str = "") -> bool:
    annotation = parameter.annotation.removesuffix(" | None")
    return annotation in _WORDS or annotation.endswith(" | Criterion") and value in get_args(Criterion)


def _plain(value: Any) -> Any:
    """Converts a NumPy, pandas, Arrow or Python value to numbers, strings, and lists of them, with None for NULL."""
    if isinstance(value, Column):  # a column seems to have every attribute
        return value
    if type(value).__name__ == "NAType":
        return None
    if hasattr(value, "isna") and hasattr(value, "dtype") and str(value.dtype) not in _FRACTIONS:
        # depending on the version and the type, a missing value is None, NaN or NA
        value = [None if missing else each for each, missing in zip(value, value.isna())]
    for method in ("to_pylist", "tolist"):
        if hasattr(value, method):
            value = getattr(value, method)()
            break
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_plain(each) for each in value]
    return value


def _check(name: str, declared: inspect.Parameter, value: Any) -> None:
    """Rejects what PySpark cannot convert, or what Spark would report without the name of the argument."""
    parameter = declared.name
    leaves = list(_leaves(value))
    for leaf in leaves:
        if not isinstance(leaf, _ENTRIES):
            raise TypeError(
                f"{name}: {parameter} contains {leaf!r} of type {type(leaf).__name__}; {parameter} must be"
                f" {_in_words(declared.annotation)}"
            )
    strings = [leaf for leaf in leaves if isinstance(leaf, str)]
    numbers = [leaf for leaf in leaves if isinstance(leaf, (int, float))]
    if strings and numbers:
        raise TypeError(
            f"{name}: {parameter} contains the string {strings[0]!r} and the number {numbers[0]!r}; its entries must be"
            " of the same type"
        )
    # if any number is a float, all become floats
    if all(isinstance(number, int) for number in numbers):
        for number in numbers:
            if not -(2**63) <= number < 2**63:
                raise ValueError(f"{name}: {parameter} contains {number}; whole numbers must be from -2^63 to 2^63 - 1")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _array(values: list[Any]) -> Column:
    """Returns an array column, with nested arrays for lists. If any number is a float, converts all to floats: Spark uses the type of the first."""
    if any(isinstance(leaf, float) for leaf in _leaves(values)):
        values = [_fractions(each) for each in values]
    return sf.array(*(_array(each) if isinstance(each, list) else sf.lit(each) for each in values))


def _fractions(value: Any) -> Any:
    if isinstance(value, list):
        return [_fractions(each) for each in value]
    return float(value) if isinstance(value, int) else value


def _edges(name: str, parameter: str, edges: Any) -> Column:
    if not isinstance(edges, list) or any(not isinstance(edge, list) or len(edge) != 3 for edge in edges):
        raise TypeError(f"{name}: each of the {parameter} must be a tuple (source, target, weight)")
    for vertex in (vertex for edge in edges for vertex in edge[:2]):
        if not (vertex is None or isinstance(vertex, Column) or _is_int(vertex)):
            raise TypeError(f"{name}: the {parameter} contain the vertex {vertex!r}; it must be a 32-bit whole number")
    # a cast to BIGINT would drop the digits of a Decimal after the point
    weight = "bigint" if all(isinstance(edge[2], (type(None), Column, int)) for edge in edges) else "double"
    kinds = {"source": "int", "target": "int", "weight": weight}
    structs = [
        sf.struct(*(_cast(field, kind).alias(each) for field, (each, kind) in zip(edge, kinds.items()))) for edge in edges
    ]
    return sf.array(*structs) if structs else sf.array().cast(f"array<struct<source: int, target: int, weight: {weight}>>")


def _cast(value: Any, kind: str) -> Column:
    """Returns a literal of a type. A column keeps its own type, because a cast might lose values silently."""
    return value if isinstance(value, Column) else sf.lit(value).cast(kind)


def _is_int(value: Any) -> bool:
    try:
        return bool(value == int(value)) and -(2**31) <= value < 2**31
    except (TypeError, ValueError, OverflowError):
        return False

"""How the functions of :mod:`bellman.functions` call Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as sf

#: A column, or the name of one.
ColumnOrName: TypeAlias = Column | str
#: An argument that is the same for all rows: its value, or a column.
Setting: TypeAlias = Column | str


def setting(value: Setting) -> Column:
    """A ``str`` as the value that it is, not as the name of a column."""
    return sf.lit(value) if isinstance(value, str) else value


def call(name: str, required: Sequence[Any], *optional: Any) -> Column:
    """Calls an SQL function; trailing optional arguments that are ``None`` are left out."""
    given = list(optional)
    while given and given[-1] is None:
        given.pop()
    arguments = [*required, *given]
    for place, argument in enumerate(arguments, start=1):
        if argument is None:
            raise TypeError(f"{name}: argument {place} is None; for SQL's NULL pass lit(None)")
    return sf.call_function(name, *(a if isinstance(a, (Column, str)) else sf.lit(a) for a in arguments))


def call_overloaded(
    name: str, signatures: Sequence[Sequence[str]], arguments: Sequence[Any], named: Mapping[str, Any]
) -> Column:
    """Calls an SQL function whose signatures differ in the names of their parameters."""
    for parameters in signatures:
        rest = parameters[len(arguments) :]
        if len(arguments) <= len(parameters) and set(rest) == set(named):
            return call(name, [*arguments, *(named[parameter] for parameter in rest)])
    calls = " or ".join(f"{name}({', '.join(parameters)})" for parameters in signatures)
    given = ", ".join([*("..." for _ in arguments), *(f"{key}=..." for key in named)])
    raise TypeError(f"{name}({given}) is no way to call it: it is {calls}")

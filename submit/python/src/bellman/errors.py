"""What Bellman raises and warns of in Python."""

from __future__ import annotations

import functools
import re
import sys
from typing import Any

_CODED = re.compile(r"\[(BELLMAN_[A-Z_]+)\] ([^\n]*)")
_SQLSTATE = re.compile(r"\.? SQLSTATE: \w+$")
#: The Java class that fails a query because a function rejects a row.
_ROW_ERROR = "dev.bellman.function.RowError"
#: The code of a query that Spark cannot plan, because of a wrong call or for other reasons.
_WRONG_CALL = "org.apache.spark.sql.AnalysisException"


class BellmanError(Exception):
    """A failure with one of Bellman's stable codes.

    Attributes
    ----------
    code : str
        Such as ``BELLMAN_INPUT_SCHEMA``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"[{code}] {message}")
        self.code = code

    @staticmethod
    def found_in(text: str) -> BellmanError | None:
        """The first of Bellman's errors in a string, such as the message of Spark's exception."""
        found = _CODED.search(text)
        return BellmanError(found[1], _SQLSTATE.sub("", found[2].rstrip())) if found else None


class JobError(BellmanError):
    """A job that failed, or was not started.

    Attributes
    ----------
    exit_code : int
        1 wrong usage; 2 bad job file, input or configuration; 3 internal error; 4 a GPU was required but not used. Any
        other is the code of ``spark-submit``, or the negative number of the signal that ended the job.
    """

    def __init__(self, code: str, message: str, exit_code: int) -> None:
        super().__init__(code, message)
        self.exit_code = exit_code


class RowsQuarantinedWarning(UserWarning):
    """A job has completed, but quarantined rows that a function rejects."""


class JavaError(Exception):
    """The Java stack trace of an error of a row, as its ``__cause__``."""


#: Where every exception keeps its cause.
_GIVEN: Any = BaseException.__dict__["__cause__"]


def keep_stack_of_java() -> None:
    """Gives the error of a row its stack of Java as its cause, and not as a part of its message.

    PySpark raises it ``from None``, and the client of Spark Connect prints the stack of the server, also for a wrong call. PySpark also
    logs a wrong call as JSON with its stack; of one whose message has our code, the exception says enough.
    """
    _silence_wrong_calls()
    for name in ("captured", "connect"):
        exceptions: Any = sys.modules.get(f"pyspark.errors.exceptions.{name}")
        if exceptions is None or "__cause__" in vars(exceptions.SparkRuntimeException):
            continue
        kind = exceptions.SparkRuntimeException
        kind.__cause__ = property(_cause, lambda error, cause: _GIVEN.__set__(error, cause))
        if name == "connect":
            exceptions.EXCEPTION_CLASS_MAPPING[_ROW_ERROR] = functools.partial(_without_stack, kind)
            exceptions.EXCEPTION_CLASS_MAPPING[_WRONG_CALL] = functools.partial(_without_our_stack, exceptions.AnalysisException)


@functools.cache
def _silence_wrong_calls() -> None:
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        return
    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(name).addFilter(lambda record: not _CODED.match(record.getMessage()))


def _cause(error: Any) -> Any:
    stack = getattr(error, "_stackTrace", None) or getattr(error, "_stacktrace", None)
    if _GIVEN.__get__(error) is None and stack and stack.startswith(_ROW_ERROR):
        # the same each time
        _GIVEN.__set__(error, JavaError(stack))
    return _GIVEN.__get__(error)


def _without_stack(kind: Any, message: str, **details: Any) -> Any:
    return kind(message, **{**details, "display_server_stacktrace": False})


def _without_our_stack(kind: Any, message: str, **details: Any) -> Any:
    return _without_stack(kind, message, **details) if _CODED.match(message) else kind(message, **details)

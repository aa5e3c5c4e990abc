"""Bellman's exceptions and warnings in Python."""

from __future__ import annotations

import functools
import re
import sys
from typing import Any

_CODED = re.compile(r"\[(BELLMAN_[A-Z_]+)\] ([^\n]*)")
#: The start of PySpark's log message for an invalid call; in some versions, Spark's error condition precedes the code.
_OUR_CALL = re.compile(r"(\[[A-Z_.]+\] )?\[BELLMAN_")
_SQLSTATE = re.compile(r"\.? SQLSTATE: \w+$")
#: The Java exception for a row that a function rejects.
_ROW_ERROR = "dev.bellman.plan.catalyst.RowError"
#: The Java exception for a query that Spark cannot plan, for example because of an invalid call.
_WRONG_CALL = "org.apache.spark.sql.AnalysisException"


class BellmanError(Exception):
    """An error with one of Bellman's stable codes.

    Attributes
    ----------
    code : str
        The code, such as ``BELLMAN_INPUT_SCHEMA``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"[{code}] {message}")
        self.code = code

    @staticmethod
    def found_in(text: str) -> BellmanError | None:
        """Returns the first Bellman error in a string, such as the message of a Spark exception."""
        found = _CODED.search(text)
        return BellmanError(found[1], _SQLSTATE.sub("", found[2].rstrip())) if found else None


class JobError(BellmanError):
    """A job failed or was not started.

    Attributes
    ----------
    exit_code : int
        1: invalid usage; 2: invalid job file, input, output or configuration; 3: failed write, failed executors,
        failed verification or internal error; 4: a GPU was required but not used. All other values are exit codes of
        ``spark-submit``, or the negative number of the signal that ended the job.
    """

    def __init__(self, code: str, message: str, exit_code: int) -> None:
        super().__init__(code, message)
        self.exit_code = exit_code


class RowsQuarantinedWarning(UserWarning):
    """A job completed, but quarantined some rows."""


class JavaError(Exception):
    """The ``__cause__`` of a row error: its Java stack trace."""


#: The descriptor of the attribute ``__cause__``, which reads and sets the cause of any exception.
_GIVEN: Any = BaseException.__dict__["__cause__"]


def keep_stack_of_java() -> None:
    """Moves the Java stack trace of a row error from its message to its cause, and shortens the output for invalid calls.

    PySpark raises row errors ``from None``, and the Spark Connect client prints the server's stack trace, even for
    invalid calls. PySpark also logs invalid calls as JSON with their stack traces. If the message has a Bellman code,
    this log is suppressed, because the exception is sufficient.
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
        PySparkLogger.getLogger(name).addFilter(lambda record: not _OUR_CALL.match(record.getMessage()))


def _cause(error: Any) -> Any:
    stack = getattr(error, "_stackTrace", None) or getattr(error, "_stacktrace", None)
    if _GIVEN.__get__(error) is None and stack and stack.startswith(_ROW_ERROR):
        # return the same object each time
        _GIVEN.__set__(error, JavaError(stack))
    return _GIVEN.__get__(error)


def _without_stack(kind: Any, message: str, **details: Any) -> Any:
    return kind(message, **{**details, "display_server_stacktrace": False})


def _without_our_stack(kind: Any, message: str, **details: Any) -> Any:
    return _without_stack(kind, message, **details) if _CODED.match(message) else kind(message, **details)

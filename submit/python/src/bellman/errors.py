"""What Bellman raises and warns of in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_CODED = re.compile(r"\[(BELLMAN_[A-Z_]+)\] ([^\n]*)")
_SQLSTATE = re.compile(r"\.? SQLSTATE: \w+$")
# hamming_distance: a has 1 characters and b has 3; both must have the same number. Correct the row, or ...
_OF_FUNCTION = re.compile(r"(?P<function>[a-z_]+): (?P<value>[^;]+); (?P<allowed>.*?)(?:\. Correct the row.*)?$", re.DOTALL)


class BellmanError(Exception):
    """A failure with one of Bellman's stable codes.

    Attributes
    ----------
    code : str
        Such as ``BELLMAN_INPUT_SCHEMA``.
    function, value, allowed : str or None
        Of an error of a row: the function, the value that it found, and the values that it allows.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"[{code}] {message}")
        self.code = code
        parts = _OF_FUNCTION.match(message)
        self.function: str | None = parts["function"] if parts else None
        self.value: str | None = parts["value"] if parts else None
        self.allowed: str | None = parts["allowed"] if parts else None

    @staticmethod
    def found_in(text: str) -> BellmanError | None:
        """The first error of Bellman that a text tells of: the message of Spark's exception, for example."""
        found = _CODED.search(text)
        return BellmanError(found[1], _SQLSTATE.sub("", found[2].rstrip())) if found else None


class JobError(BellmanError):
    """A job that failed, or was not started.

    Attributes
    ----------
    exit_code : int
        1 wrong usage; 2 bad job file, input or configuration; 3 failure inside; 4 a GPU was required and not used. Any
        other is that of ``spark-submit``, or the negative number of the signal that ended the job.
    """

    def __init__(self, code: str, message: str, exit_code: int) -> None:
        super().__init__(code, message)
        self.exit_code = exit_code


class RowsSetAsideWarning(UserWarning):
    """A job is done, but has set aside rows that a function rejects."""


@contextmanager
def errors() -> Iterator[None]:
    """Within this context, an error of a Bellman function is a :class:`BellmanError`: its code and one line.

    Spark wraps the error of a row in exceptions of its own, with pages of Java stack traces: that is the ``__cause__`` of
    the new one. Other errors pass unchanged.

    >>> with bellman.errors():
    ...     pairs.select(bf.hamming_distance("a", "b")).show()
    Traceback (most recent call last):
    bellman.errors.BellmanError: [BELLMAN_INPUT_VALUE] hamming_distance: a has 6 characters and b has 7; ...
    """
    try:
        yield
    except BellmanError:
        raise
    except Exception as failure:
        found = BellmanError.found_in(str(failure))
        if found is None:
            raise
        raise found from failure

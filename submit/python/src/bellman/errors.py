"""What Bellman raises and warns of in Python."""

from __future__ import annotations

import re

_CODED = re.compile(r"\[(BELLMAN_[A-Z_]+)\] ([^\n]*)")
_SQLSTATE = re.compile(r"\.? SQLSTATE: \w+$")


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
        """The first error of Bellman that a text tells of: the message of Spark's exception, for example."""
        found = _CODED.search(text)
        return BellmanError(found[1], _SQLSTATE.sub("", found[2].rstrip())) if found else None


class JobError(BellmanError):
    """A job that failed, or was not started.

    Attributes
    ----------
    exit_code : int
        1 wrong usage; 2 bad job file, input or configuration; 3 internal error; 4 a GPU was required and not used. Any
        other is that of ``spark-submit``, or the negative number of the signal that ended the job.
    """

    def __init__(self, code: str, message: str, exit_code: int) -> None:
        super().__init__(code, message)
        self.exit_code = exit_code


class RowsSetAsideWarning(UserWarning):
    """A job is done, but has set aside rows that a function rejects."""

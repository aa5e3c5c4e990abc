"""The command ``bellman``: runs ``submit/bellman`` with the Spark at ``SPARK_HOME`` or in the installed PySpark."""

from __future__ import annotations

import os
import sys

from bellman._home import command, environment
from bellman.errors import BellmanError


def main() -> None:
    """Replaces this process with the launcher."""
    try:
        run, with_spark = command(*sys.argv[1:]), environment()
    except BellmanError as error:
        sys.exit(f"error: {error}")
    os.execvpe(run[0], run, with_spark)


if __name__ == "__main__":
    main()

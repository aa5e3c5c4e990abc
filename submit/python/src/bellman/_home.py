"""Where the jar, the launcher and Spark's settings are: in the wheel, or in the checkout that the package is used from."""

from __future__ import annotations

import os
from pathlib import Path

from bellman.errors import BellmanError

_PACKAGED = Path(__file__).parent / "home"


def home() -> Path:
    """The folder that has ``submit`` and ``conf``."""
    return _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[4]


def jar() -> Path:
    """The application jar: the one that ``BELLMAN_JAR`` names, or that of this package.

    Raises
    ------
    BellmanError
        ``BELLMAN_CONFIGURATION`` if there is none.
    """
    given = os.environ.get("BELLMAN_JAR")
    if given:
        if not Path(given).is_file():
            raise BellmanError("BELLMAN_CONFIGURATION", f"BELLMAN_JAR is {given}, which is not a file")
        return Path(given).absolute()
    folder = home() if _PACKAGED.is_dir() else home() / "spark-job" / "target"
    jars = [each for each in folder.glob("bellman-spark-*.jar") if not each.stem.endswith(("-sources", "-javadoc", "-tests"))]
    if len(jars) != 1:
        raise BellmanError(
            "BELLMAN_CONFIGURATION",
            f"{folder} has {len(jars)} application jars; it must have one. "
            "Build it with submit/bellman --version, or set BELLMAN_JAR",
        )
    return jars[0]


def spark_home() -> Path | None:
    """The Spark that ``SPARK_HOME`` names, or that of the installed PySpark."""
    given = os.environ.get("SPARK_HOME")
    if given:
        return Path(given)
    try:
        import pyspark
    except ImportError:
        return None
    # the client of Spark Connect alone has no Spark
    folder = Path(pyspark.__file__).parent
    return folder if (folder / "bin" / "spark-submit").is_file() else None

"""Where the jar, the launcher and Spark's settings are: in the wheel, or in the checkout that the package is used from."""

from __future__ import annotations

import os
from pathlib import Path

from bellman.errors import BellmanError

# of a session of PySpark in this process, and not for the one of a job
_OF_THIS_SESSION = (
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_GATEWAY_SECRET",
    "SPARK_API_MODE",
    "SPARK_CONNECT_MODE",
    "SPARK_CONNECT_MODE_ENABLED",
    "SPARK_LOCAL_REMOTE",
    "SPARK_REMOTE",
)
_PACKAGED = Path(__file__).parent / "home"


def home() -> Path:
    """The folder that has ``submit`` and ``conf``."""
    return _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[4]


def jar() -> Path:
    """The application jar: the one that ``BELLMAN_JAR`` names, or this package's.

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
    jars = [each for each in folder.glob("bellman-spark-*.jar") if not each.stem.endswith(("-bench", "-check", "-sources", "-javadoc", "-tests"))]
    if len(jars) != 1:
        raise BellmanError(
            "BELLMAN_CONFIGURATION",
            f"{folder} has {len(jars)} application jars; it must have one. "
            "Build it with submit/bellman --version, or set BELLMAN_JAR",
        )
    return jars[0]


def spark_home() -> Path | None:
    """The Spark that ``SPARK_HOME`` names, or the one in the installed PySpark."""
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


def command(*arguments: str) -> list[str]:
    """The launcher with these arguments."""
    return ["bash", str(home() / "submit" / "bellman"), *arguments]


def environment() -> dict[str, str]:
    """The environment of the launcher."""
    variables = {key: value for key, value in os.environ.items() if key not in _OF_THIS_SESSION}
    variables["BELLMAN_JAR"] = str(jar())
    # in help and messages
    variables["BELLMAN_COMMAND"] = "bellman"
    spark = spark_home()
    if spark is not None:
        variables["SPARK_HOME"] = str(spark)
    return variables

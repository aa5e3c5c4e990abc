"""Finds the jar, the launcher and the Spark settings in the wheel or in the checkout."""

from __future__ import annotations

import os
from pathlib import Path

from bellman.errors import BellmanError

# variables of a PySpark session in this process, which must not affect the session of a job
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
    """Returns the folder that contains ``submit`` and ``conf``."""
    return _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[4]


def jar() -> Path:
    """Returns the path of the application jar, from ``BELLMAN_JAR``, from the wheel or from the checkout.

    Raises
    ------
    BellmanError
        ``BELLMAN_CONFIGURATION`` if ``BELLMAN_JAR`` is not a file, or if it is not set and the wheel or the checkout
        does not contain exactly one application jar.
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
            f"{folder} has {len(jars)} application jars; it must contain exactly one. "
            "Set BELLMAN_JAR or, in a checkout, delete old jars and build one with submit/bellman --version",
        )
    return jars[0]


def spark_home() -> Path | None:
    """Returns Spark's folder, from ``SPARK_HOME`` or from the installed PySpark, or None if neither is available."""
    given = os.environ.get("SPARK_HOME")
    if given:
        return Path(given)
    try:
        import pyspark
    except ImportError:
        return None
    # the package of the Spark Connect client contains no Spark
    folder = Path(pyspark.__file__).parent
    return folder if (folder / "bin" / "spark-submit").is_file() else None


def command(*arguments: str) -> list[str]:
    """Returns the command that runs the launcher with these arguments."""
    return ["bash", str(home() / "submit" / "bellman"), *arguments]


def environment() -> dict[str, str]:
    """Returns the environment variables for the launcher."""
    variables = {key: value for key, value in os.environ.items() if key not in _OF_THIS_SESSION}
    variables["BELLMAN_JAR"] = str(jar())
    # the name of the command in help and messages
    variables["BELLMAN_COMMAND"] = "bellman"
    spark = spark_home()
    if spark is not None:
        variables["SPARK_HOME"] = str(spark)
    return variables

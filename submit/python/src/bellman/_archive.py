"""Provides settings with which a session's driver starts from an archive of classes (``submit/class-archive.sh``)."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bellman._home import home, spark_home

_OPTIONS = Path("spark-job/target/classes/dev/bellman/job/spark-jvm.options")
_CLASS_PATH = "spark.driver.extraClassPath"
_JAVA = "spark.driver.defaultJavaOptions"
#: Matches configuration with which a session uses no archive: settings that the archive's settings would replace,
#: settings that add jars or properties files, changes of SPARK_HOME, and the Java options that class-archive.sh
#: excludes.
_OTHERS = re.compile(
    rf"{re.escape(_CLASS_PATH)}|{re.escape(_JAVA)}|spark\.jars|--driver-class-path|--jars|--packages|--properties-file"
    r"|SPARK_HOME[\"']?\]? *=|unset .*SPARK_HOME"
    r"|-javaagent:|-agent(lib|path):|FlightRecord|-Xshare|Shared(Archive|ClassList)File|ArchiveClassesAtExit"
)


def settings(given: Mapping[str, object], jar: Path) -> dict[str, str]:
    """Returns the settings for the archive, or none if the session cannot use an archive.

    Parameters
    ----------
    given : mapping
        The session's other settings.
    jar : path
        The application jar.
    """
    spark = spark_home()
    if spark is None:
        return {}
    command = ["bash", *map(str, (home() / "submit" / "class-archive.sh", os.getpid(), spark, jar, home() / _OPTIONS))]
    try:
        if _OTHERS.search(_configuration(given, spark)):
            return {}
        # an interrupt of this process must not reach the process that writes the archive later
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True, encoding="utf-8", errors="surrogateescape"
        )
    except OSError:
        return {}
    lines = done.stdout.splitlines()
    return dict(zip((_CLASS_PATH, _JAVA), lines)) if done.returncode == 0 and len(lines) == 2 else {}


def _configuration(given: Mapping[str, object], spark: Path) -> str:
    """Returns one string with the session's settings and all files and variables that may contain driver settings."""
    folder = Path(os.environ.get("SPARK_CONF_DIR") or spark / "conf")
    files = [*(folder / name for name in ("spark-defaults.conf", "spark-env.sh", "java-opts")), spark / "bin" / "spark-submit"]
    variables = [os.environ.get(name, "") for name in ("SPARK_SUBMIT_OPTS", "PYSPARK_SUBMIT_ARGS")]
    return "\n".join(
        [
            *(f"{key}={value}" for key, value in given.items()),
            *variables,
            *(file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()),
        ]
    )

"""Sessions of Spark with Bellman's functions."""

from __future__ import annotations

import functools
import os
import subprocess
import warnings
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bellman._home import home, jar, spark_home
from bellman.errors import BellmanError, keep_stack_of_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ARROW = "spark.sql.execution.arrow.pyspark.enabled"
EXTENSION = "dev.bellman.function.BellmanExtensions"


def register(spark: SparkSession) -> None:
    """Adds Bellman to an existing session: the functions, and the planning of joins on edit distance.

    >>> bellman.register(spark)

    A second call changes nothing. Sessions created from this one also have the functions and the planning.

    Raises
    ------
    BellmanError
        ``BELLMAN_CONFIGURATION`` if the session is a client of Spark Connect whose server lacks the functions: only who
        starts the server can add them.
    """
    keep_stack_of_java()
    if _is_connect(spark):
        if not _has_functions(spark):
            raise BellmanError("BELLMAN_CONFIGURATION", _for_the_server("this server of Spark Connect has no functions of Bellman"))
        return
    jvm, context = spark._jvm, spark.sparkContext
    assert jvm is not None
    path = str(jar())
    try:
        jvm.java.lang.Class.forName(EXTENSION, False, jvm.java.lang.Thread.currentThread().getContextClassLoader())
    except Exception:
        # as Spark does with spark.jars when its JVM starts
        jvm.java.lang.Thread.currentThread().getContextClassLoader().addURL(jvm.java.io.File(path).toURI().toURL())
        context._jsc.addJar(path)
    jvm.dev.bellman.function.Bellman.register(spark._jsparkSession)


def _is_connect(spark: SparkSession) -> bool:
    return type(spark).__module__.startswith("pyspark.sql.connect")


def _has_functions(spark: SparkSession) -> bool:
    return bool(spark.catalog.functionExists("edit_distance"))


def _for_the_server(problem: str) -> str:
    return (
        f"{problem}, and no client can add them. An administrator must start it with "
        f"--jars {jar().name} --conf spark.sql.extensions={EXTENSION}"
    )


def configure(
    builder: SparkSession.Builder | None = None, gpu: bool | Literal["auto"] = "auto"
) -> SparkSession.Builder:
    """Adds Bellman's functions to the session that the builder creates.

    Sets ``spark.jars`` and ``spark.sql.extensions``, and on a GPU the settings of ``conf/gpu.conf`` that the builder
    does not set. Values of these two in the builder are kept, values only in ``spark-defaults.conf`` are replaced. With
    pandas 3 and PyArrow, sets ``spark.sql.execution.arrow.pyspark.enabled`` unless the builder does: otherwise Spark
    converts a missing string to the string ``nan``. If a session exists, ``getOrCreate`` registers the functions in
    it, as :func:`register` does.

    >>> spark = bellman.configure().getOrCreate()
    >>> spark = bellman.configure(SparkSession.builder.appName("names"), gpu=False).getOrCreate()

    With Spark Connect the functions come from the server, which no client can change: ``getOrCreate`` then warns if the
    server has none. A server that PySpark starts itself, with ``remote("local[*]")``, gets the functions.

    Parameters
    ----------
    builder : SparkSession.Builder, optional
        ``SparkSession.builder`` if it is left out. Set a master other than ``local[*]`` before this call.
    gpu : bool or "auto"
        ``True`` uses the GPUs of the executors through the RAPIDS Accelerator, and fails where the jar of RAPIDS, or on
        a local master the GPU, is missing. ``"auto"`` uses the GPU of this machine if the master is local and RAPIDS is
        there. RAPIDS is the jar that ``RAPIDS_JAR`` names, or one among Spark's own jars.

    Returns
    -------
    SparkSession.Builder
        The builder, with the settings.

    Raises
    ------
    BellmanError
        ``BELLMAN_CONFIGURATION`` if a jar is missing, or if Spark runs in this process without RAPIDS, and is to use it;
        ``BELLMAN_GPU_REQUIRED`` if ``gpu`` is ``True`` and there is none.
    """
    if builder is None:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder
    options: dict[str, Any] = builder._options
    remote = options.get("spark.remote") or os.environ.get("SPARK_REMOTE", "")
    if remote and not remote.startswith("local"):
        return _registering(builder)
    if _ARROW not in options and _needs_arrow():
        builder.config(_ARROW, "true")
    jars = [str(jar())]
    master = remote or options.get("spark.master") or "local[*]"
    if _uses_gpu(gpu, is_local=master.startswith("local"), is_connect=bool(remote)):
        rapids = _rapids()
        if rapids is not None and rapids.parent != (spark_home() or Path()) / "jars":
            jars.append(str(rapids))
        for key, value in _gpu_settings(master).items():
            if key not in options:
                builder.config(key, value)
    _require_in_jvm(jars[1:])
    builder.config("spark.jars", _with(options.get("spark.jars"), *jars))
    builder.config("spark.sql.extensions", _with(options.get("spark.sql.extensions"), EXTENSION))
    return _registering(builder)


def _needs_arrow() -> bool:
    """Without Arrow, Spark converts a missing string of pandas 3, which is a NaN, to a string."""
    try:
        return int(metadata.version("pandas").split(".")[0]) >= 3 and bool(metadata.version("pyarrow"))
    except metadata.PackageNotFoundError:
        return False


def _registering(builder: SparkSession.Builder) -> SparkSession.Builder:
    """A builder may find an existing session, which lacks its settings."""
    create = builder.getOrCreate
    if getattr(create, "registers", False):
        return builder

    @functools.wraps(create)
    def get_or_create() -> SparkSession:
        with warnings.catch_warnings():
            # the server that PySpark starts for a local remote has them; then PySpark tries to set them once more
            warnings.filterwarnings("ignore", r"Failed to set (spark\.jars|spark\.sql\.extensions) ")
            spark = create()
        keep_stack_of_java()
        if not _is_connect(spark):
            register(spark)
        elif not _has_functions(spark):
            warnings.warn(_for_the_server("this server of Spark Connect has no functions of Bellman"), stacklevel=2)
        return spark

    get_or_create.registers = True  # type: ignore[attr-defined]
    builder.getOrCreate = get_or_create  # type: ignore[method-assign]
    return builder


def _with(given: str | None, *more: str) -> str:
    values = [value for value in (given or "").split(",") if value]
    return ",".join([*values, *(value for value in more if value not in values)])


def _uses_gpu(gpu: bool | Literal["auto"], *, is_local: bool, is_connect: bool) -> bool:
    if gpu is False:
        return False
    if is_connect:
        # PySpark overwrites spark.plugins for the server that it starts
        if gpu is True:
            raise BellmanError(
                "BELLMAN_GPU_REQUIRED",
                "gpu is True, but the Spark Connect server that PySpark starts for a local remote cannot load RAPIDS. "
                "Start a server with the settings of conf/gpu.conf, or use a classic session",
            )
        return False
    if gpu == "auto" and not is_local:
        return False
    if is_local and not _has_gpu():
        if gpu is True:
            raise BellmanError("BELLMAN_GPU_REQUIRED", "gpu is True, but nvidia-smi finds no NVIDIA GPU here")
        return False
    if _rapids() is None:
        wanted = "no jar of the RAPIDS Accelerator is here: set RAPIDS_JAR to it, or add it to Spark's jars"
        if gpu is True:
            raise BellmanError("BELLMAN_CONFIGURATION", f"gpu is True, but {wanted}")
        warnings.warn(f"this machine has a GPU, which remains unused: {wanted}", stacklevel=3)
        return False
    return True


def _has_gpu() -> bool:
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0
    except OSError:
        return False


def _rapids() -> Path | None:
    given = os.environ.get("RAPIDS_JAR")
    if given:
        if not Path(given).is_file():
            raise BellmanError("BELLMAN_CONFIGURATION", f"RAPIDS_JAR is {given}, which is not a file")
        return Path(given).absolute()
    spark = spark_home()
    return next(iter(sorted((spark / "jars").glob("rapids-4-spark_*.jar"))), None) if spark else None


def _gpu_settings(master: str) -> dict[str, str]:
    lines = (home() / "conf" / "gpu.conf").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#"))
    if master.startswith("local"):
        return {**settings, "spark.driver.memory": "8g"}
    settings |= {"spark.executor.resource.gpu.amount": "1", "spark.task.resource.gpu.amount": "0.001"}
    discovery = "spark.executor.resource.gpu.discoveryScript"
    if master.startswith("k8s"):
        # an executor looks for its GPU before it fetches files: the script is in the image of submit/kubernetes
        script = "/opt/bellman/submit/get-gpu-resources.sh"
        return {**settings, "spark.executor.resource.gpu.vendor": "nvidia.com", discovery: script}
    return {
        **settings,
        "spark.files": str(home() / "submit" / "get-gpu-resources.sh"),
        discovery: "./get-gpu-resources.sh",
    }


def _require_in_jvm(jars: list[str]) -> None:
    """Spark's JVM loads plugins only when it starts."""
    if not jars:
        return
    try:
        from pyspark.conf import SparkConf
        from pyspark.core.context import SparkContext
    except ImportError:
        return  # the client of Spark Connect alone starts no JVM
    under_submit = "PYSPARK_GATEWAY_PORT" in os.environ
    if SparkContext._gateway is None:
        if not under_submit:
            return
        SparkContext._ensure_initialized()
    # what the JVM was started with
    names = {Path(each).name for each in SparkConf().get("spark.jars", "").split(",")}
    missing = [each for each in jars if Path(each).name not in names]
    if missing:
        raise BellmanError(
            "BELLMAN_CONFIGURATION",
            f"Spark runs in this process already, without {', '.join(missing)}. "
            + (
                f"Give spark-submit --jars {','.join(missing)}"
                if under_submit
                else "Restart Python, and call configure before the first session"
            ),
        )

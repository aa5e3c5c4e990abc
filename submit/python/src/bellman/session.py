"""Adds Bellman's functions to Spark sessions."""

from __future__ import annotations

import functools
import os
import subprocess
import warnings
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bellman import _archive
from bellman._home import home, jar, spark_home
from bellman.errors import BellmanError, keep_stack_of_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ARROW = "spark.sql.execution.arrow.pyspark.enabled"
EXTENSION = "dev.bellman.function.BellmanExtensions"


def register(spark: SparkSession) -> None:
    """Adds Bellman's functions, and its planning of joins on edit distance, to an existing session.

    >>> bellman.register(spark)

    A second call has no effect. Sessions created from this session also have the functions and the planning.

    Raises
    ------
    BellmanError
        ``BELLMAN_CONFIGURATION`` if the session is a Spark Connect client whose server lacks the functions. They can only
        be added when the server is started.
    """
    keep_stack_of_java()
    if _is_connect(spark):
        if not _has_functions(spark):
            raise BellmanError("BELLMAN_CONFIGURATION", _for_the_server("this Spark Connect server lacks Bellman's functions"))
        return
    jvm, context = spark._jvm, spark.sparkContext
    assert jvm is not None
    path = str(jar())
    try:
        jvm.java.lang.Class.forName(EXTENSION, False, jvm.java.lang.Thread.currentThread().getContextClassLoader())
    except Exception:
        # add the jar to the class loader, as Spark does with spark.jars when its JVM starts
        jvm.java.lang.Thread.currentThread().getContextClassLoader().addURL(jvm.java.io.File(path).toURI().toURL())
        context._jsc.addJar(path)
    jvm.dev.bellman.function.Bellman.register(spark._jsparkSession)


def _is_connect(spark: SparkSession) -> bool:
    return type(spark).__module__.startswith("pyspark.sql.connect")


def _has_functions(spark: SparkSession) -> bool:
    return bool(spark.catalog.functionExists("edit_distance"))


def _for_the_server(problem: str) -> str:
    return (
        f"{problem}, and no client can add them. An administrator must start the server with "
        f"--jars {jar().name} --conf spark.sql.extensions={EXTENSION}"
    )


def configure(
    builder: SparkSession.Builder | None = None, gpu: bool | Literal["auto"] = "auto"
) -> SparkSession.Builder:
    """Adds Bellman's functions to the session that the builder creates.

    Sets ``spark.jars`` and ``spark.sql.extensions`` and, on a GPU, the settings of ``conf/gpu.conf`` that the builder
    does not set. Keeps the builder's values of the first two settings, but replaces values in ``spark-defaults.conf``. With
    pandas 3 and PyArrow, also sets ``spark.sql.execution.arrow.pyspark.enabled`` unless the builder sets it; without this
    setting, Spark converts a missing string to the string ``nan``. On a CPU, the driver starts with the archive
    of classes that ``docs/configuration.md`` describes, unless other settings conflict with it. If a session exists,
    ``getOrCreate`` registers the functions in it, like :func:`register`.

    >>> spark = bellman.configure().getOrCreate()
    >>> spark = bellman.configure(SparkSession.builder.appName("names"), gpu=False).getOrCreate()

    With Spark Connect, the server provides the functions, and a client cannot add them: ``getOrCreate`` warns if the
    server lacks them. A server that PySpark itself starts, with ``remote("local[*]")``, gets the functions.

    Parameters
    ----------
    builder : SparkSession.Builder, optional
        The default is ``SparkSession.builder``. Set a master other than ``local[*]`` before this call.
    gpu : bool or "auto"
        ``True`` uses the executors' GPUs through the RAPIDS Accelerator, and fails if the RAPIDS jar or, with a local
        master, the GPU is missing. ``"auto"`` uses the GPU of this machine if the master is local and the RAPIDS jar is
        found. The RAPIDS jar is at ``RAPIDS_JAR`` or among Spark's own jars. Has no effect on a remote Spark Connect
        server.

    Returns
    -------
    SparkSession.Builder
        The builder with the settings.

    Raises
    ------
    BellmanError
        ``BELLMAN_CONFIGURATION`` if a jar is missing, or if Spark is already running in this process without RAPIDS;
        ``BELLMAN_GPU_REQUIRED`` if ``gpu`` is ``True`` and either PySpark starts a Spark Connect server, or the master
        is local and this machine has no GPU.
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
        settings = _gpu_settings(master)
        # for the driver's JVM, as in submit/bellman
        os.environ.setdefault("GLIBC_TUNABLES", settings["spark.executorEnv.GLIBC_TUNABLES"])
        os.environ.setdefault("RMM_DEBUG_LOG_FILE", os.devnull)
        for key, value in settings.items():
            if key not in options:
                builder.config(key, value)
    _require_in_jvm(jars[1:])
    builder.config("spark.jars", _with(options.get("spark.jars"), *jars))
    builder.config("spark.sql.extensions", _with(options.get("spark.sql.extensions"), EXTENSION))
    return _registering(builder)


def _needs_arrow() -> bool:
    """Returns whether Arrow is needed: without it, Spark converts missing strings in pandas 3, which are NaN, to the string ``nan``."""
    try:
        return int(metadata.version("pandas").split(".")[0]) >= 3 and bool(metadata.version("pyarrow"))
    except metadata.PackageNotFoundError:
        return False


def _registering(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Makes ``getOrCreate`` register the functions, because an existing session lacks the builder's settings."""
    create = builder.getOrCreate
    if getattr(create, "registers", False):
        return builder

    @functools.wraps(create)
    def get_or_create() -> SparkSession:
        _use_archive(builder)
        with warnings.catch_warnings():
            # PySpark starts the server of a local remote with these settings, and then tries to set them again
            warnings.filterwarnings("ignore", r"Failed to set (spark\.jars|spark\.sql\.extensions) ")
            spark = create()
        keep_stack_of_java()
        if not _is_connect(spark):
            register(spark)
        elif not _has_functions(spark):
            warnings.warn(_for_the_server("this Spark Connect server lacks Bellman's functions"), stacklevel=2)
        return spark

    get_or_create.registers = True  # type: ignore[attr-defined]
    builder.getOrCreate = get_or_create  # type: ignore[method-assign]
    return builder


def _use_archive(builder: SparkSession.Builder) -> None:
    """Adds settings for the archive of classes, if the builder will start a driver with no jar other than Bellman's."""
    options: dict[str, Any] = builder._options
    if options.get("spark.jars") != str(jar()) or options.get("spark.remote") or os.environ.get("SPARK_REMOTE") or _has_jvm():
        return
    others = {key: value for key, value in options.items() if key != "spark.jars"}
    for key, value in _archive.settings(others, jar()).items():
        builder.config(key, value)


def _with(given: str | None, *more: str) -> str:
    values = [value for value in (given or "").split(",") if value]
    return ",".join([*values, *(value for value in more if value not in values)])


def _uses_gpu(gpu: bool | Literal["auto"], *, is_local: bool, is_connect: bool) -> bool:
    if gpu is False:
        return False
    if is_connect:
        # PySpark overwrites spark.plugins of a server that it starts
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
            raise BellmanError("BELLMAN_GPU_REQUIRED", "gpu is True, but nvidia-smi finds no NVIDIA GPU on this machine")
        return False
    if _rapids() is None:
        wanted = "the RAPIDS Accelerator jar is missing: set RAPIDS_JAR to its path, or add it to Spark's jars"
        if gpu is True:
            raise BellmanError("BELLMAN_CONFIGURATION", f"gpu is True, but {wanted}")
        warnings.warn(f"this machine has a GPU, but Bellman does not use it: {wanted}", stacklevel=3)
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
        # an executor looks for its GPU before it fetches files, so the image must contain the script, as the image of submit/kubernetes does
        script = "/opt/bellman/submit/get-gpu-resources.sh"
        return {**settings, "spark.executor.resource.gpu.vendor": "nvidia.com", discovery: script}
    return {
        **settings,
        "spark.files": str(home() / "submit" / "get-gpu-resources.sh"),
        discovery: "./get-gpu-resources.sh",
    }


def _has_jvm() -> bool:
    """Returns whether this process already has a driver."""
    try:
        from pyspark.core.context import SparkContext
    except ImportError:
        return True  # the Spark Connect client starts no JVM
    return SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ


def _require_in_jvm(jars: list[str]) -> None:
    """Checks that a running JVM has the jars, because Spark loads plugins only when its JVM starts."""
    if not jars:
        return
    try:
        from pyspark.conf import SparkConf
        from pyspark.core.context import SparkContext
    except ImportError:
        return  # the Spark Connect client starts no JVM
    under_submit = "PYSPARK_GATEWAY_PORT" in os.environ
    if SparkContext._gateway is None:
        if not under_submit:
            return
        SparkContext._ensure_initialized()
    # the jars with which the JVM was started
    names = {Path(each).name for each in SparkConf().get("spark.jars", "").split(",")}
    missing = [each for each in jars if Path(each).name not in names]
    if missing:
        raise BellmanError(
            "BELLMAN_CONFIGURATION",
            f"Spark is already running in this process without {', '.join(missing)}. "
            + (
                f"Pass --jars {','.join(missing)} to spark-submit"
                if under_submit
                else "Restart Python, and call configure before the first session"
            ),
        )

"""Tests the settings of ``configure`` on machines with and without a GPU, and the contents of the package."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import bellman
from bellman import _archive, _home

EXTENSION = "dev.bellman.function.BellmanExtensions"
POM = Path(__file__).parents[3] / "pom.xml"


def options(builder: Any) -> dict[str, Any]:
    return dict(builder._options)


@pytest.fixture
def no_jvm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates a process that has not started a session yet, and whose pandas does not need Arrow."""
    monkeypatch.setattr("pyspark.core.context.SparkContext._gateway", None)
    # test_pandas.py tests the setting that pandas 3 needs
    monkeypatch.setattr("bellman.session._needs_arrow", lambda: False)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    # no folder for an archive of classes
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)


@pytest.fixture
def gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_jvm: None) -> Path:
    """Simulates a machine with a GPU. Returns the path of the RAPIDS jar."""
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    rapids = tmp_path / "rapids-4-spark_2.13-26.08.1.jar"
    rapids.touch()
    monkeypatch.setenv("RAPIDS_JAR", str(rapids))
    for variable in ("GLIBC_TUNABLES", "RMM_DEBUG_LOG_FILE"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    return rapids


def test_functions_on_a_cpu(no_jvm: None) -> None:
    assert options(bellman.configure(SparkSession.builder, gpu=False)) == {
        "spark.jars": str(bellman.jar()),
        "spark.sql.extensions": EXTENSION,
    }


def test_archive_of_classes(no_jvm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    core = tmp_path / "jars" / "spark-core_2.13-4.1.3.jar"
    core.parent.mkdir()
    core.touch()
    (tmp_path / "conf").mkdir()
    defaults = tmp_path / "conf" / "spark-defaults.conf"
    class_path, java = "spark.driver.extraClassPath", "spark.driver.defaultJavaOptions"
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def stop(builder: Any) -> None:
        raise InterruptedError

    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", stop)

    def started(**later: str) -> dict[str, Any]:
        """Returns the settings with which a session would start if the caller added ``later`` after ``configure``."""
        builder = bellman.configure(SparkSession.builder, gpu=False).config(map=later)
        with pytest.raises(InterruptedError):
            builder.getOrCreate()
        return options(builder)

    for line in (f"{class_path} mine.jar", f"{java} -Dmine", "spark.driver.extraJavaOptions -javaagent:agent.jar"):
        defaults.write_text(line + "\n")
        assert not {class_path, java} & started().keys()
    defaults.unlink()
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--properties-file mine.conf pyspark-shell")
    assert not {class_path, java} & started().keys()
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    assert started(**{class_path: "mine.jar"})[class_path] == "mine.jar"
    assert not {class_path, java} & started(**{"spark.jars.packages": "io.delta:delta-spark_4.1_2.13:4.3.1"}).keys()
    assert not {class_path, java} & started(**{"spark.remote": "local"}).keys()
    assert not (tmp_path / "cache").exists()

    first = started()
    assert first[class_path] == f"{bellman.jar()}:{core}"
    assert f"-XX:DumpLoadedClassList={tmp_path}/cache/bellman/spark-" in first[java]
    # this process is already listing its classes, so the settings are not added again
    assert not {class_path, java} & started().keys()


def test_archive_is_optional(no_jvm: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file of settings cannot be read, only Spark reports it."""

    def unreadable(path: Path, **_: str) -> str:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "read_text", unreadable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _archive.settings({}, bellman.jar()) == {}


def test_settings_of_the_builder_are_kept(gpu: Path) -> None:
    builder = SparkSession.builder.config(
        map={"spark.jars": "a.jar,b.jar", "spark.sql.extensions": "a.B", "spark.rapids.sql.batchSizeBytes": "1g"}
    )

    once = options(bellman.configure(builder))
    twice = options(bellman.configure(builder))

    assert once["spark.jars"] == f"a.jar,b.jar,{bellman.jar()},{gpu}"
    assert once["spark.sql.extensions"] == f"a.B,{EXTENSION}"
    assert once["spark.rapids.sql.batchSizeBytes"] == "1g"
    assert once == twice


def test_gpu_of_this_machine(gpu: Path) -> None:
    set_ = options(bellman.configure(SparkSession.builder.master("local[4]")))

    assert set_["spark.plugins"] == "com.nvidia.spark.SQLPlugin"
    assert set_["spark.driver.memory"] == "8g"
    assert "spark.executor.resource.gpu.amount" not in set_
    assert os.environ["GLIBC_TUNABLES"] == set_["spark.executorEnv.GLIBC_TUNABLES"]


def test_gpus_of_a_cluster(gpu: Path) -> None:
    cluster = "spark://example"

    assert "spark.plugins" not in options(bellman.configure(SparkSession.builder.master(cluster)))
    set_ = options(bellman.configure(SparkSession.builder.master(cluster), gpu=True))
    assert set_["spark.plugins"] == "com.nvidia.spark.SQLPlugin"
    assert set_["spark.executor.resource.gpu.amount"] == "1"
    assert os.access(set_["spark.files"], os.X_OK)
    assert set_["spark.executor.resource.gpu.discoveryScript"] == f"./{Path(set_['spark.files']).name}"


def test_gpus_of_kubernetes(gpu: Path) -> None:
    set_ = options(bellman.configure(SparkSession.builder.master("k8s://https://example"), gpu=True))

    assert set_["spark.executor.resource.gpu.vendor"] == "nvidia.com"
    assert set_["spark.executor.resource.gpu.discoveryScript"] == "/opt/bellman/submit/get-gpu-resources.sh"
    assert "spark.files" not in set_


@pytest.mark.parametrize("master", ["local[4]", "spark://example:7077", "k8s://https://example"])
def test_settings_are_those_of_the_launcher(
    gpu: Path, master: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = tmp_path / "bin" / "spark-submit"
    submit.parent.mkdir()
    submit.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    submit.chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))

    set_ = options(bellman.configure(SparkSession.builder.master(master), gpu=True))
    launcher = [str(_home.home() / "submit" / "bellman"), "run", "none.yaml", "--engine", "gpu", "--master", master]
    environment = {**os.environ, "BELLMAN_JAR": str(bellman.jar())}
    launched = subprocess.run(launcher, env=environment, check=True, capture_output=True, text=True).stdout.splitlines()

    names = {"--master": "spark.master", "--driver-memory": "spark.driver.memory", "--jars": "spark.jars", "--files": "spark.files"}
    expected = {"spark.sql.extensions": EXTENSION}
    for option, value in zip(launched, launched[1:]):
        if option == "--conf":
            expected.update([value.split("=", 1)])
        elif option == "--properties-file":
            assert Path(value).name == "gpu.conf"
            expected.update(re.findall(r"(?m)^(spark\.\S+)\s+(.+)$", Path(value).read_text()))
        elif option in names:
            expected[names[option]] = value
    expected["spark.jars"] = f"{bellman.jar()},{expected['spark.jars']}"
    assert set_ == expected


def test_gpu_without_rapids(gpu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAPIDS_JAR")

    with pytest.warns(UserWarning, match="set RAPIDS_JAR"):
        assert "spark.plugins" not in options(bellman.configure(SparkSession.builder))
    with pytest.raises(bellman.BellmanError, match="BELLMAN_CONFIGURATION.*set RAPIDS_JAR"):
        bellman.configure(SparkSession.builder, gpu=True)


def test_no_gpu(gpu: Path) -> None:
    (gpu.parent / "nvidia-smi").write_text("#!/bin/sh\nexit 9\n")

    assert "spark.plugins" not in options(bellman.configure(SparkSession.builder))
    with pytest.raises(bellman.BellmanError, match="BELLMAN_GPU_REQUIRED"):
        bellman.configure(SparkSession.builder, gpu=True)


def test_local_server_of_spark_connect(gpu: Path) -> None:
    set_ = options(bellman.configure(SparkSession.builder.remote("local[2]")))

    assert set_["spark.jars"] == str(bellman.jar())
    with pytest.raises(bellman.BellmanError, match="BELLMAN_GPU_REQUIRED"):
        bellman.configure(SparkSession.builder.remote("local[2]"), gpu=True)


def test_spark_that_runs_without_rapids(gpu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.core.context.SparkContext._gateway", object())

    with pytest.raises(bellman.BellmanError, match="without .*rapids-4-spark.*. Restart Python"):
        bellman.configure(SparkSession.builder, gpu=True)


LIVE = """
import bellman
from bellman import functions as bf
from pyspark.sql import SparkSession, functions as sf

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
assert not spark.catalog.functionExists("edit_distance")
{register}
names = spark.createDataFrame([(1, "kitten"), (2, "sitten"), (3, "x")], "id int, name string").repartition(2)
l, r = names.alias("l"), names.alias("r")
pairs = l.join(r, (bf.edit_distance("l.name", "r.name") <= 1) & (sf.col("l.id") < sf.col("r.id")))
assert "SimilarStrings" in pairs._jdf.queryExecution().toString()
spark.conf.set("spark.bellman.levenshtein.replace", "true")
replaced = names.select(sf.levenshtein("name", sf.upper("name")))
assert "edit_distance" in replaced._jdf.queryExecution().optimizedPlan().toString()
assert replaced.count() == 3
other = spark.newSession()
assert other.catalog.functionExists("edit_distance")
print(pairs.select("l.id", "r.id").collect(), bellman.cluster(names, "name", max=1).where("cluster_size = 2").count())
"""


@pytest.mark.parametrize(
    "register", ["bellman.register(spark); bellman.register(spark)", "assert bellman.configure().getOrCreate() is spark"]
)
def test_session_that_is_there(classic_only: None, register: str) -> None:
    run = subprocess.run([sys.executable, "-c", LIVE.format(register=register)], capture_output=True, text=True)

    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "[Row(id=1, id=2)] 2"


def test_client_of_spark_connect(spark: SparkSession, is_connect: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    bellman.register(spark)
    if not is_connect:
        return
    monkeypatch.setattr("bellman.session._has_functions", lambda session: False)
    with pytest.raises(bellman.BellmanError, match="An administrator must start the server with --jars bellman-.* --conf spark.sql"):
        bellman.register(spark)
    with pytest.warns(UserWarning, match="this Spark Connect server lacks Bellman's functions") as warned:
        assert bellman.configure(SparkSession.builder.remote("sc://localhost")).getOrCreate() is spark
    assert warned[0].filename == __file__


def test_import_without_classic_context() -> None:
    """The package that contains only the Spark Connect client does not export ``SparkContext``."""
    code = "import pyspark.sql.functions, pyspark; del pyspark.SparkContext; import bellman, bellman.functions"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert run.returncode == 0, run.stderr


def test_local_remote_is_quiet(is_connect: bool) -> None:
    """PySpark starts a server with the builder's settings and then tries to set them again, which would cause warnings."""
    if not is_connect:
        pytest.skip("a Spark Connect server is already running")
    code = (
        "import bellman; from pyspark.sql import SparkSession\n"
        "builder = SparkSession.builder.remote('local[1]')\n"
        "spark = bellman.configure(builder, gpu=False).getOrCreate()\n"
        "print(spark.sql(\"SELECT edit_distance('kitten', 'sitting')\").first()[0]); spark.stop()"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert run.stdout.split() == ["3"], run.stderr
    assert "Failed to set" not in run.stderr


def test_version() -> None:
    assert bellman.__version__ == metadata.version("bellman")


def test_jar_of_the_package() -> None:
    jar = bellman.jar()

    with zipfile.ZipFile(jar) as files:
        assert "dev/bellman/function/BellmanExtensions.class" in files.namelist()
    [built] = [each for each in (POM.parent / "spark-job" / "target").glob(jar.name)]
    assert jar.stat().st_size == built.stat().st_size, "the package is older than the build: run submit/python/check --install"
    assert jar.stat().st_size < 36e6


def test_jar_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.jar").touch()
    monkeypatch.setenv("BELLMAN_JAR", str(tmp_path / "other.jar"))
    assert bellman.jar() == tmp_path / "other.jar"

    monkeypatch.setenv("BELLMAN_JAR", str(tmp_path / "none.jar"))
    with pytest.raises(bellman.BellmanError, match="BELLMAN_JAR is .*none.jar, which is not a file"):
        bellman.jar()


def test_version_is_that_of_maven() -> None:
    found = re.search(r"<artifactId>bellman</artifactId>\s*<version>(.+?)</version>", POM.read_text())
    assert found is not None
    assert metadata.version("bellman") == found[1].replace("-SNAPSHOT", ".dev0")


def test_package_is_typed() -> None:
    assert (Path(bellman.__file__).parent / "py.typed").is_file()

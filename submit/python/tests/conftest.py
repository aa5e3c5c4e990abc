"""Runs every test that uses ``spark`` with classic PySpark or, if ``--spark=connect`` is set, with Spark Connect."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import bellman
from bellman import _home

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
SETTINGS = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--spark", choices=["classic", "connect"], default="classic")


def pytest_report_header(config: pytest.Config) -> str:
    return f"spark: {config.getoption('--spark')}, bellman from {Path(bellman.__file__).parent}"


@pytest.fixture(scope="session")
def is_connect(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--spark") == "connect")


@pytest.fixture
def classic_only(is_connect: bool) -> None:
    """Skips a test with Spark Connect: the test does not depend on Connect, and takes long or needs a classic session."""
    if is_connect:
        pytest.skip("does not depend on Spark Connect")


@pytest.fixture(scope="session")
def spark(is_connect: bool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    if is_connect:
        with _server(tmp_path_factory.mktemp("server")) as remote:
            builder = SparkSession.builder.remote(remote)
            session = bellman.configure(builder).getOrCreate()
            yield session
            session.stop()
    else:
        builder = SparkSession.builder.master("local[2]")
        for key, value in SETTINGS.items():
            builder.config(key, value)
        session = bellman.configure(builder).getOrCreate()
        yield session
        session.stop()


class _server:
    """Starts a Spark Connect server as docs/python.md does, but without ``sbin``, which PySpark from PyPI lacks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> str:
        with socket.create_server(("localhost", 0)) as free:
            port = free.getsockname()[1]
        settings = {
            **SETTINGS,
            "spark.connect.grpc.binding.port": str(port),
            "spark.sql.extensions": "dev.bellman.function.BellmanExtensions",
        }
        home = _home.spark_home()
        assert home is not None
        command = [str(home / "bin" / "spark-submit"), "--master", "local[2]", "--class", SERVER]
        command += ["--jars", str(bellman.jar())]
        for key, value in settings.items():
            command += ["--conf", f"{key}={value}"]
        log = self.folder / "server.log"
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [*command, "spark-internal"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        for _ in range(3000):
            with socket.socket() as probe:
                if probe.connect_ex(("localhost", port)) == 0:
                    return f"sc://localhost:{port}"
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError(f"the Spark Connect server does not run:\n{log.read_text()}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(60)

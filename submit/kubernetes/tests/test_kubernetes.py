"""Checks the manifests against the Kubernetes schemas, and tests the image's files without a container: the entry point runs a job, and Spark creates pods
from the templates and sends them to a fake API server.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import kubernetes_validate
import pyarrow.parquet as pq
import pyspark
import pytest
import yaml

HERE = Path(__file__).parents[1]
ROOT = HERE.parents[1]
MANIFESTS = sorted(path.name for path in HERE.glob("*.yaml"))


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((HERE / name).read_text()))


@pytest.mark.parametrize("version", ["1.31", "1.37"])
@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_has_the_schema(name: str, version: str) -> None:
    for document in documents(name):
        kubernetes_validate.validate(document, version, strict=True)


def test_schema_is_strict() -> None:
    [job] = documents("cronjob.yaml")
    job["spec"]["jobTemplate"]["spec"]["backofLimit"] = 3

    with pytest.raises(kubernetes_validate.ValidationError, match="backofLimit"):
        kubernetes_validate.validate(job, "1.37", strict=True)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder like the image's root: it contains the files that the Dockerfile copies, and PySpark's Spark."""
    root = tmp_path_factory.mktemp("image")
    spark = root / "opt" / "spark"
    (spark / "jars").mkdir(parents=True)
    for file in Path(pyspark.__file__).parent.iterdir():
        if file.name != "jars":
            (spark / file.name).symlink_to(file)
    for jar in (Path(pyspark.__file__).parent / "jars").iterdir():
        (spark / "jars" / jar.name).symlink_to(jar)
    (root / "opt" / "entrypoint.sh").write_text('#!/bin/sh\necho "Spark: $*"\n')
    (root / "opt" / "entrypoint.sh").chmod(0o755)
    rapids = Path((ROOT / "spark-job" / "target" / "rapids.classpath").read_text().strip())
    copies = re.findall(r"(?m)^COPY (.+) (/\S+)$", (HERE / "Dockerfile").read_text())
    for sources, target in copies:
        for pattern in sources.split():
            files = [rapids] if rapids.match(Path(pattern).name) else list(ROOT.glob(pattern))
            assert files, pattern
            for file in files:
                to = root / target.strip("/")
                to = to / file.name if target.endswith("/") else to
                to.parent.mkdir(parents=True, exist_ok=True)
                if file.suffix == ".jar":
                    to.symlink_to(file)
                else:
                    shutil.copy(file, to)
    return root


@pytest.fixture
def work(tmp_path: Path) -> Path:
    partition = tmp_path / "incoming" / "day=2026-01-31"
    partition.mkdir(parents=True)
    (partition / "part-0.tsv").write_text("id\ta\tb\n1\tkarolin\tkathrin\n2\ta\tbcd\n")
    (tmp_path / "incoming" / "day=2026-02-01").mkdir()
    (tmp_path / "incoming" / "day=2026-02-01" / "part-0.tsv").write_text("id\ta\tb\n3\tabc\tabd\n")
    (tmp_path / "nightly.yaml").write_text("problem: hamming_distance\ninput: {format: tsv}\nonBadRow: quarantine\n")
    return tmp_path


def environment(image: Path, work: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "SPARK_HOME": str(image / "opt" / "spark"),
        "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1",
        "TERMINATION_LOG": str(work / "termination-log"),
        **more,
    }


def entrypoint(image: Path, work: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(image / "opt/bellman/submit/kubernetes/entrypoint.sh"), *arguments],
        cwd=work,
        env=environment(image, work, **more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_job_of_a_day(image: Path, work: Path) -> None:
    (work / "termination-log").touch()
    scheduled = 1769911200 // 60  # 2026-02-01 02:00 UTC
    arguments = ["--input=incoming", "--input-where=day = '{day}'", "--output=out/day={day}", "--master=local[2]"]

    run = entrypoint(image, work, "run", "nightly.yaml", *arguments, JOB_NAME=f"bellman-nightly-{scheduled}")

    assert run.returncode == 0, run.stdout
    message = (work / "termination-log").read_text()
    assert message == "done; quarantined rows: 1; see _bellman/quarantine in the output\n"
    rows = pq.read_table(work / "out" / "day=2026-01-31", columns=["id", "hamming_distance"])
    assert rows.to_pylist() == [{"id": "1", "hamming_distance": 3}]


def test_job_that_fails(image: Path, work: Path) -> None:
    run = entrypoint(image, work, "run", "nightly.yaml", "--output=out/{day}")
    assert (run.returncode, "set BELLMAN_DAY" in run.stdout) == (1, True), run.stdout

    run = entrypoint(image, work, "run", "none.yaml", "--output=out/{day}", "--engine=cpu", BELLMAN_DAY="2026-01-31")
    assert (run.returncode, "[BELLMAN_JOB_FILE]" in run.stdout) == (2, True), run.stdout


def test_other_commands(image: Path, work: Path) -> None:
    assert entrypoint(image, work, "executor", "a b").stdout == "Spark: executor a b\n"
    assert entrypoint(image, work, "--version").stdout.startswith("bellman ")


class ApiServer:
    """A fake Kubernetes API server that responds to Spark's requests and stores the pods that Spark creates."""

    def __init__(self) -> None:
        self.pods: Queue[dict[str, Any]] = Queue()
        pods = self.pods
        stopped = self.stopped = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if "watch=true" in self.path:
                    stopped.wait()
                elif re.search(r"/pods/[^/?]+$", self.path):
                    self.answer({"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "driver", "uid": "1"}})
                else:
                    self.answer({"kind": "List", "apiVersion": "v1", "metadata": {}, "items": []})

            def do_POST(self) -> None:
                created = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if created["kind"] == "Pod":
                    pods.put(created)
                created["metadata"]["uid"] = "2"
                self.answer(created)

            def do_DELETE(self) -> None:
                self.answer({"kind": "Status", "apiVersion": "v1", "status": "Success"})

            do_PATCH = do_PUT = do_POST

            def answer(self, body: dict[str, Any]) -> None:
                text = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.master = f"k8s://http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def api() -> Iterator[ApiServer]:
    server = ApiServer()
    yield server
    server.close()


def first_pod(api: ApiServer, image: Path, work: Path, command: list[str], **more: str) -> tuple[dict[str, Any], str]:
    """Runs a command until it creates its first pod, and then terminates it. Returns the pod and the command's log."""
    with (work / "log").open("w+") as log:
        process = subprocess.Popen(
            command,
            cwd=work,
            env=environment(image, work, **more),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            pod = api.pods.get(timeout=120)
            process.terminate()
            process.wait(60)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            print((work / "log").read_text())
            raise
    return pod, (work / "log").read_text()


def test_executors_of_the_cron_job(api: ApiServer, image: Path, work: Path) -> None:
    [job] = documents("cronjob.yaml")
    [container] = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    variables = {"POD_NAMESPACE": "default", "POD_NAME": "driver", "POD_IP": "127.0.0.1"}
    arguments = [re.sub(r"\$\((\w+)\)", lambda found: variables[found[1]], each) for each in container["args"]]
    here = {
        "s3a://bucket/": f"{work}/",
        "k8s://https://kubernetes.default.svc": api.master,
        "/opt/bellman/submit/kubernetes/": f"{image}/opt/bellman/submit/kubernetes/",
    }
    for place, there in here.items():
        assert any(place in each for each in arguments), place
        arguments = [each.replace(place, there) for each in arguments]

    command = [str(image / "opt/bellman/submit/kubernetes/entrypoint.sh"), *arguments]
    pod, log = first_pod(api, image, work, command, JOB_NAME="bellman-nightly-29498520")

    [executor] = pod["spec"]["containers"]
    assert executor["image"] == container["image"] == "bellman:0.3.0"
    assert executor["args"] == ["executor"]
    assert executor["resources"]["limits"]["nvidia.com/gpu"] in (1, "1")
    assert executor["resources"]["limits"]["memory"] == f"{(16 + 6) * 1024}Mi"
    assert pod["spec"]["tolerations"][0]["key"] == "nvidia.com/gpu"
    assert pod["spec"]["securityContext"]["runAsUser"] == 185


def test_pods_of_plain_spark_submit(api: ApiServer, image: Path, work: Path) -> None:
    spark = image / "opt" / "spark"
    templates = image / "opt" / "bellman" / "submit" / "kubernetes"
    command = [str(spark / "bin" / "spark-submit"), "--master", api.master, "--deploy-mode", "cluster"]
    command += ["--class", "dev.bellman.job.Main", "--properties-file", str(image / "opt/bellman/conf/gpu.conf")]
    for key, value in {
        "spark.kubernetes.container.image": "bellman:0.3.0",
        "spark.kubernetes.driver.podTemplateFile": f"{templates}/driver.yaml",
        "spark.kubernetes.executor.podTemplateFile": f"{templates}/executor.yaml",
    }.items():
        command += ["--conf", f"{key}={value}"]

    pod, _ = first_pod(api, image, work, [*command, "local:///opt/bellman/bellman.jar", "run", "s3a://bucket/nightly.yaml"])

    [driver] = pod["spec"]["containers"]
    assert driver["args"][:1] == ["driver"]
    assert driver["args"][-3:] == ["local:///opt/bellman/bellman.jar", "run", "s3a://bucket/nightly.yaml"]
    assert "nvidia.com/gpu" not in driver["resources"]["limits"]
    assert pod["spec"]["securityContext"]["runAsUser"] == 185

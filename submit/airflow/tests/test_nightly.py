"""Runs the DAG: twice on each of two days, one of them with quarantined rows; without the required GPU; and with an invalid job file."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pyspark
import pytest

ROOT = Path(__file__).parents[3]
DAYS = {
    "2026-01-30": [("1", "karolin", "kathrin"), ("2", "GATTACA", "GACTATA")],
    "2026-01-31": [("3", "abc", "abd"), ("4", "a", "bcd"), ("5", "x", "y")],
}


class Airflow:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.job = folder / "nightly.yaml"
        self.output = folder / "distances"
        spark = Path(pyspark.__file__).parent
        [jar] = (
            jar
            for jar in (ROOT / "spark-job" / "target").glob("bellman-spark-*.jar")
            if not jar.stem.endswith(("-bench", "-check", "-sources", "-javadoc", "-tests"))
        )
        places = {
            "jar": jar,
            "settings": ROOT / "conf" / "cpu.conf",
            "job": self.job,
            "input": folder / "incoming",
            "output": self.output,
        }
        for day, rows in DAYS.items():
            partition = folder / "incoming" / f"day={day}"
            partition.mkdir(parents=True)
            pq.write_table(pa.table(dict(zip(("id", "a", "b"), zip(*rows)))), partition / "part-0.parquet")
        (folder / "dags").mkdir()
        shutil.copy(ROOT / "submit" / "airflow" / "bellman_nightly.py", folder / "dags")
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("AIRFLOW")},
            "AIRFLOW_HOME": str(self.home),
            "AIRFLOW__CORE__DAGS_FOLDER": str(folder / "dags"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__DEFAULT_TASK_RETRY_DELAY": "1",
            "AIRFLOW_VAR_BELLMAN_NIGHTLY": json.dumps({key: str(place) for key, place in places.items()}),
            "AIRFLOW_CONN_SPARK_DEFAULT": json.dumps({"conn_type": "spark", "host": "local[2]"}),
            "SPARK_HOME": str(spark),
            # with this option, Spark starts faster
            "SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1",
            "PATH": f"{spark / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }

    def __call__(self, *arguments: str) -> tuple[int, str]:
        run = subprocess.run(
            [sys.executable, "-m", "airflow", *arguments],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return run.returncode, run.stdout

    def run(self, day: str) -> Run:
        exit_code, log = self("dags", "test", "bellman_nightly", day)
        [(state, tries)] = self.of_day(day, "SELECT task_instance.state, try_number FROM task_instance")
        assert exit_code == (0 if state == "success" else 1), log
        pushed = self.of_day(day, "SELECT value FROM xcom")
        return Run(log, state, tries, json.loads(pushed[0][0]) if pushed else None, self.rows())

    def of_day(self, day: str, select: str) -> list[tuple[Any, ...]]:
        """Returns the rows of a query on Airflow's database that belong to a day's run."""
        with contextlib.closing(sqlite3.connect(self.home / "airflow.db")) as database:
            return database.execute(f"{select} JOIN dag_run USING (run_id) WHERE date(logical_date) = ?", (day,)).fetchall()

    def rows(self) -> list[tuple[str, str, int]]:
        if not self.output.exists():
            return []
        table = ds.dataset(self.output, partitioning=ds.partitioning(pa.schema([("day", pa.string())]), flavor="hive"))
        return sorted((row["day"], row["id"], row["hamming_distance"]) for row in table.to_table().to_pylist())


@dataclass(frozen=True)
class Run:
    log: str
    state: str
    tries: int
    #: The summary in Airflow's XCom, if the task succeeded.
    summary: dict[str, Any] | None
    #: All rows of the output after the run.
    rows: list[tuple[str, str, int]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], list[Run]]]:
    """Returns the runs of a case. Each case has a separate Airflow, and two cases run at the same time."""
    migrated = Airflow(tmp_path_factory.mktemp("airflow"))
    exit_code, log = migrated("db", "migrate")
    assert exit_code == 0, log

    def run(job: str, days: list[str]) -> list[Run]:
        airflow = Airflow(tmp_path_factory.mktemp("case"))
        airflow.home.mkdir()
        shutil.copy(migrated.home / "airflow.db", airflow.home)
        airflow.job.write_text(job)
        return [airflow.run(day) for day in days]

    with ThreadPoolExecutor(2) as pool:
        cases = {
            "twice": pool.submit(run, "problem: hamming_distance\nonBadRow: quarantine\n", [*DAYS, *DAYS]),
            "no GPU": pool.submit(run, "problem: hamming_distance\nengine: gpu\n", ["2026-01-30"]),
            "wrong": pool.submit(run, "problem: hamming_distanc\n", ["2026-01-30"]),
        }
        yield lambda case: cases[case].result()


def test_days_run_twice(runs: Callable[[str], list[Run]]) -> None:
    first = [("2026-01-30", "1", 3), ("2026-01-30", "2", 2)]
    both = [*first, ("2026-01-31", "3", 1), ("2026-01-31", "5", 1)]

    done = runs("twice")

    assert [(run.state, run.tries) for run in done] == [("success", 1)] * 4, done[-1].log
    assert [run.rows for run in done] == [first, both, both, both]
    for day, run in zip([*DAYS, *DAYS], done):
        assert run.summary is not None
        assert run.summary["output"].endswith(f"/distances/day={day}")
        assert run.summary["functions"]["hamming_distance"]["engine"] == "cpu"
        counts = (run.summary["rowsIn"], run.summary["rowsOut"], run.summary["rowsQuarantined"])
        if day == "2026-01-30":
            assert counts == (2, 2, 0)
            assert "quarantined" not in run.log
        else:
            assert counts == (3, 2, 1)
            assert f"quarantined rows: 1; see {run.summary['output']}/_bellman/quarantine" in run.log


def test_no_retry_without_the_gpu(runs: Callable[[str], list[Run]]) -> None:
    [run] = runs("no GPU")

    assert (run.state, run.tries, run.summary, run.rows) == ("failed", 1, None, []), run.log
    assert "[BELLMAN_GPU_REQUIRED]" in run.log
    assert "the job requires a GPU but found none" in run.log


def test_other_failures_are_retried(runs: Callable[[str], list[Run]]) -> None:
    [run] = runs("wrong")

    assert (run.state, run.tries, run.summary, run.rows) == ("failed", 3, None, []), run.log
    assert "[BELLMAN_JOB_FILE]" in run.log

"""The DAG on two days of rows: it runs each twice, with rows set aside, without the GPU that it requires, and failing otherwise."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
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
        self.job = folder / "nightly.yaml"
        self.output = folder / "distances"
        spark = Path(pyspark.__file__).parent
        [jar] = (
            jar
            for jar in (ROOT / "spark-job" / "target").glob("bellman-spark-*.jar")
            if not jar.stem.endswith(("-sources", "-javadoc", "-tests"))
        )
        places = {
            "jar": jar,
            "settings": ROOT / "conf" / "cpu.conf",
            "job": self.job,
            "input": folder / "incoming",
            "output": self.output,
        }
        (folder / "dags").mkdir()
        shutil.copy(ROOT / "submit" / "airflow" / "bellman_nightly.py", folder / "dags")
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("AIRFLOW")},
            "AIRFLOW_HOME": str(folder / "home"),
            "AIRFLOW__CORE__DAGS_FOLDER": str(folder / "dags"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__DEFAULT_TASK_RETRY_DELAY": "1",
            "AIRFLOW_VAR_BELLMAN_NIGHTLY": json.dumps({key: str(place) for key, place in places.items()}),
            "AIRFLOW_CONN_SPARK_DEFAULT": json.dumps({"conn_type": "spark", "host": "local[2]"}),
            "SPARK_HOME": str(spark),
            # Spark starts in less time
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

    def solve(self, day: str, job: str) -> tuple[str, str, int]:
        """Runs the DAG for a day. What it logged, how its task ended, and after how many tries."""
        self.job.write_text(job)
        exit_code, log = self("dags", "test", "bellman_nightly", day)
        state, tries = self.of_day(day, "SELECT task_instance.state, try_number FROM task_instance")
        assert exit_code == (0 if state == "success" else 1), log
        return log, state, tries

    def summary(self, day: str) -> dict[str, Any]:
        (value,) = self.of_day(day, "SELECT value FROM xcom")
        return dict(json.loads(value))

    def of_day(self, day: str, select: str) -> tuple[Any, ...]:
        """The row of Airflow's database for a day's run."""
        with contextlib.closing(sqlite3.connect(self.folder / "home" / "airflow.db")) as database:
            [row] = database.execute(f"{select} JOIN dag_run USING (run_id) WHERE date(logical_date) = ?", (day,))
        return tuple(row)

    def rows(self) -> list[tuple[str, str, int]]:
        table = ds.dataset(self.output, partitioning=ds.partitioning(pa.schema([("day", pa.string())]), flavor="hive"))
        return sorted((row["day"], row["id"], row["hamming_distance"]) for row in table.to_table().to_pylist())


@pytest.fixture(scope="module")
def airflow(tmp_path_factory: pytest.TempPathFactory) -> Airflow:
    folder = tmp_path_factory.mktemp("airflow")
    for day, rows in DAYS.items():
        partition = folder / "incoming" / f"day={day}"
        partition.mkdir(parents=True)
        pq.write_table(pa.table(dict(zip(("id", "a", "b"), zip(*rows)))), partition / "part-0.parquet")
    airflow = Airflow(folder)
    exit_code, log = airflow("db", "migrate")
    assert exit_code == 0, log
    return airflow


def test_days_run_twice(airflow: Airflow) -> None:
    job = "problem: hamming_distance\nbadRows: quarantine\n"
    first = [("2026-01-30", "1", 3), ("2026-01-30", "2", 2)]
    both = [*first, ("2026-01-31", "3", 1), ("2026-01-31", "5", 1)]

    for day, rows in [("2026-01-30", first), ("2026-01-31", both), ("2026-01-30", both), ("2026-01-31", both)]:
        log, state, tries = airflow.solve(day, job)
        summary = airflow.summary(day)

        assert (state, tries) == ("success", 1), log
        assert airflow.rows() == rows
        assert summary["output"] == f"{airflow.output}/day={day}"
        assert summary["functions"] == {"hamming_distance": {"engine": "cpu", "strategy": "auto"}}
        counts = (summary["rowsIn"], summary["rowsOut"], summary["rowsSetAside"])
        if day == "2026-01-30":
            assert counts == (2, 2, 0)
            assert "set aside" not in log
        else:
            assert counts == (3, 2, 1)
            assert f"1 rows were set aside, see {airflow.output}/day={day}/_bellman/bad_rows" in log


def test_no_retry_without_the_gpu(airflow: Airflow) -> None:
    log, state, tries = airflow.solve("2026-01-29", "problem: hamming_distance\nengine: gpu\n")

    assert (state, tries) == ("failed", 1), log
    assert "BELLMAN_GPU_REQUIRED" in log
    assert "the job requires a GPU and found none" in log


def test_other_failures_are_retried(airflow: Airflow) -> None:
    log, state, tries = airflow.solve("2026-01-28", "problem: hamming_distanc\n")

    assert (state, tries) == ("failed", 3), log
    assert "BELLMAN_JOB_FILE" in log

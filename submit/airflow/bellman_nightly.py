"""Runs a Bellman job each night on the partition of the previous day.

The input has a partition folder for each day, such as ``day=2026-01-31``. Each run reads only the folder of its day, and
replaces the same folder in the output, so repeated, retried and backfilled runs write the same rows. The variable
``bellman_nightly`` contains all paths, and the connection ``spark_default`` selects the Spark cluster::

    airflow variables set bellman_nightly '{
      "jar": "s3a://bucket/bellman-spark-4.1_2.13-0.3.0.jar", "job": "s3a://bucket/nightly.yaml", "settings": "/opt/bellman/conf/cpu.conf",
      "input": "s3a://bucket/incoming", "output": "s3a://bucket/distances"}'

Tested with Airflow 3.3 and its Spark provider 6.3. See docs/pipelines.md for details.
"""

from __future__ import annotations

import json
from typing import Any

import pendulum
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import DAG, CronDataIntervalTimetable, ObjectStoragePath
from airflow.sdk.exceptions import AirflowException, AirflowFailException

GPU_REQUIRED = 4
ROWS_QUARANTINED = 5


class BellmanOperator(SparkSubmitOperator):
    """Runs one job and returns the summary of its report, so that later tasks can read it from XCom.

    If a required GPU is missing (exit code 4), the task fails without a retry. If rows were quarantined (exit code 5), the task
    succeeds with a warning. Any other failure is retried as configured in the task.

    The exit code of the job is known in deploy mode ``client`` and on Kubernetes. In deploy mode ``cluster``, YARN and Spark's
    standalone manager report only that a job failed, so 4 and 5 are treated like any other failure.

    :param job: path of the job file, which contains one job (templated)
    :param output_path: path of the output (templated), from which ``ObjectStoragePath`` reads the report
    :param arguments: additional arguments of ``submit/bellman run`` (templated)
    """

    template_fields = (*SparkSubmitOperator.template_fields, "output_path")

    def __init__(self, *, job: str, output_path: str, arguments: list[str] | None = None, **kwargs: Any) -> None:
        super().__init__(
            java_class="dev.bellman.job.Main",
            application_args=["run", job, "--output", output_path, *(arguments or [])],
            **kwargs,
        )
        self.output_path = output_path

    def execute(self, context: Any) -> dict[str, Any]:
        try:
            super().execute(context)
        except AirflowException as failure:
            code = self._exit_code()
            if code == GPU_REQUIRED:
                raise AirflowFailException(f"the job requires a GPU but found none, and a retry would not help: {failure}") from failure
            if code != ROWS_QUARANTINED:
                raise
        summary = self._summary()
        aside = summary.get("rowsQuarantined", 0)
        if aside:
            self.log.warning("quarantined rows: %s; see %s/_bellman/quarantine", f"{aside:,}", self.output_path)
        return summary

    def _exit_code(self) -> int | None:
        """Returns the exit code of the job, from spark-submit or from the driver pod."""
        hook = self._hook
        if hook is None or hook._submit_sp is None:
            return None
        return hook._spark_exit_code or hook._submit_sp.returncode

    def _summary(self) -> dict[str, Any]:
        report = json.loads((ObjectStoragePath(self.output_path) / "_bellman" / "report.json").read_text())
        return {
            "output": self.output_path,
            "seconds": round(sum(report["seconds"].values()), 3),
            **{key: report[key] for key in ("rowsIn", "rowsOut", "rowsQuarantined", "functions") if key in report},
        }


with DAG(
    dag_id="bellman_nightly",
    description=(__doc__ or "").partition("\n")[0],
    doc_md=__doc__,
    # runs at 2:00 UTC, when the rows of the previous day are complete; {{ ds }} is the previous day
    schedule=CronDataIntervalTimetable("0 2 * * *", timezone="UTC"),
    start_date=pendulum.datetime(2026, 1, 1, tz="UTC"),
    catchup=True,
    max_active_runs=1,
    default_args={"retries": 2},
    tags=["bellman"],
):
    place = "{{ var.json.bellman_nightly.%s }}"
    BellmanOperator(
        task_id="solve",
        name="bellman-{{ ds }}",
        application=place % "jar",
        properties_file=place % "settings",
        # keep the log short: by default, Spark logs a line for each stage
        conf={"spark.log.level": "WARN"},
        job=place % "job",
        output_path=place % "output" + "/day={{ ds }}",
        arguments=["--input", place % "input", "--input-where", "day = '{{ ds }}'", "--output-mode", "overwrite"],
    )

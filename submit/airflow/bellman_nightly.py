"""Runs a Bellman job on the partition of each day.

The input has a partition folder for each day, ``day=2026-01-31``. Each run reads the folder of its day alone, and replaces
``day=2026-01-31`` of the output: a run that is repeated, retried or backfilled leaves the same rows. The variable
``bellman_nightly`` says where everything is, and the connection ``spark_default`` which Spark runs it::

    airflow variables set bellman_nightly '{
      "jar": "s3a://bucket/bellman-spark-4.1_2.13-0.3.0.jar", "job": "s3a://bucket/nightly.yaml", "settings": "/opt/bellman/conf/cpu.conf",
      "input": "s3a://bucket/incoming", "output": "s3a://bucket/distances"}'

Tested with Airflow 3.3 and its Spark provider 6.3. docs/pipelines.md has the rest.
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
    """Runs one job and returns the summary of its report, so that later tasks find it in XCom.

    The job fails for good without the GPU that it requires (exit code 4). It succeeds with a warning if it is done but has
    quarantined rows (5). Any other failure is retried as the task says.

    In deploy mode ``client`` and on Kubernetes the exit code of the job is known. YARN and Spark's standalone manager in deploy
    mode ``cluster`` tell only that a job failed, so there 4 and 5 are failures like any other.

    :param job: path of the job file, with one job (templated)
    :param output_path: path of the output (templated). ``ObjectStoragePath`` reads the report there
    :param arguments: further arguments of ``submit/bellman run`` (templated)
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
                raise AirflowFailException(f"the job requires a GPU and found none; a retry will not: {failure}") from failure
            if code != ROWS_QUARANTINED:
                raise
        summary = self._summary()
        aside = summary.get("rowsQuarantined", 0)
        if aside:
            self.log.warning("%s rows were quarantined, see %s/_bellman/quarantine", f"{aside:,}", self.output_path)
        return summary

    def _exit_code(self) -> int | None:
        """The exit code of the job: spark-submit's, or the driver's pod's if that is what ran it."""
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
    # at 2:00 for the day before: {{ ds }} is the day whose rows are complete
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
        # the log has what the job says; Spark writes a line for each of its stages otherwise
        conf={"spark.log.level": "WARN"},
        job=place % "job",
        output_path=place % "output" + "/day={{ ds }}",
        arguments=["--input", place % "input", "--input-where", "day = '{{ ds }}'", "--output-mode", "overwrite"],
    )

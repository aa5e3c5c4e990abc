"""Runs job files from Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bellman

JOBS = """
name: pairs <1>
problem: edit_distance
input: {{path: "{folder}/pairs.tsv"}}
output: {{path: "{folder}/distances"}}
---
name: equal lengths
problem: hamming_distance
input: {{path: "{folder}/pairs.tsv"}}
onBadRow: quarantine
output: {{path: "{folder}/hamming"}}
---
name: clusters
problem: edit_distance
results: [cluster]
input: {{path: "{folder}/pairs.tsv"}}
pairing: within
maxDistance: 6
arguments: [b]
output: {{path: "{folder}/clusters"}}
"""


@pytest.fixture
def jobs(tmp_path: Path, classic_only: None) -> Path:
    (tmp_path / "pairs.tsv").write_text("id\ta\tb\n1\tkitten\tsitting\n2\tkarolin\tkathrin\n")
    job = tmp_path / "jobs.yaml"
    job.write_text(JOBS.format(folder=tmp_path))
    return job


def test_reports(jobs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(bellman.RowsQuarantinedWarning, match=r"\(equal lengths: 1\)"):
        reports = bellman.run(jobs)

    assert [report.name for report in reports] == ["pairs <1>", "equal lengths", "clusters"]
    distances, hamming, _ = reports
    assert (distances["rowsIn"], distances["rowsOut"], distances.rows_quarantined) == (2, 2, 0)
    assert (hamming["rowsIn"], hamming["rowsOut"], hamming.rows_quarantined) == (2, 1, 1)
    assert distances.output == f"{jobs.parent}/distances"
    assert (Path(distances.output) / "_bellman" / "report.html").is_file()
    assert repr(distances).startswith("pairs <1>: 2 rows in ")
    html = reports._repr_html_()
    assert html.count("<table>") == 3
    assert "<caption>pairs &lt;1&gt;</caption>" in html
    assert "2 read, 1 written, 1 quarantined" in html
    assert "edit_distance on CPU, strategy auto" in html
    assert "join on CPU" in html
    assert "1, of which 0 have one row<br>2 rows: kathrin, sitting" in html
    assert "equal lengths: 2 rows (1 quarantined)" in capsys.readouterr().out


def test_failures(jobs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(bellman.JobError) as failure:
        bellman.run(jobs, "--on-bad-row", "fail", quiet=True)
    assert (failure.value.code, failure.value.exit_code) == ("BELLMAN_INPUT_VALUE", 2)
    assert "[BELLMAN_INPUT_VALUE] equal lengths: " in str(failure.value)
    assert capsys.readouterr().out == ""

    with pytest.raises(bellman.JobError) as wrong:
        bellman.run(jobs, "--egnine", "gpu", quiet=True)
    assert (wrong.value.code, wrong.value.exit_code) == ("BELLMAN_USAGE", 1)


def test_job_that_cannot_start(jobs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_HOME", str(jobs.parent))

    with pytest.raises(bellman.JobError, match="SPARK_HOME is .*lacks bin/spark-submit") as unfit:
        bellman.run(jobs)
    assert (unfit.value.code, unfit.value.exit_code) == ("BELLMAN_CONFIGURATION", 2)

    submit = jobs.parent / "bin" / "spark-submit"
    submit.parent.mkdir()
    submit.write_text("#!/bin/sh\necho no room on the disk\nexit 7\n")
    submit.chmod(0o755)
    with pytest.raises(bellman.JobError, match="the job failed with exit code 7:\nno room on the disk") as failure:
        bellman.run(jobs)
    assert (failure.value.code, failure.value.exit_code) == ("BELLMAN_INTERNAL", 7)


def test_job_as_dict(jobs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    job = {
        "problem": "edit_distance",
        "input": {"path": jobs.parent / "pairs.tsv"},
        "output": {"path": str(jobs.parent / "of a dict \u00e9")},
    }

    [report] = bellman.run(job, "--on-bad-row", "null", quiet=True)

    assert (report["rowsOut"], report.output) == (2, f"{jobs.parent}/of a dict \u00e9")


def test_report_of_a_table() -> None:
    report = bellman.Report({"job": {"name": "pairs", "output": {"table": "lake.pairs"}}, "seconds": {}, "rowsOut": 2})

    assert report.output == "lake.pairs"
    assert "<code>lake.pairs</code> (table)" in report._repr_html_()


def test_command(classic_only: None) -> None:
    command = Path(sys.executable).parent / "bellman"

    run = subprocess.run([command, "functions", "edit_distance"], capture_output=True, text=True)
    unknown = subprocess.run([sys.executable, "-m", "bellman", "rnu"], capture_output=True, text=True)

    assert run.returncode == 0, run.stderr
    assert "edit_distance(a, b, max = no limit)" in run.stdout
    assert unknown.returncode == 1
    assert "rnu" in unknown.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["run", "--help-keys"]])
def test_command_has_the_name_that_was_typed(classic_only: None, arguments: list[str]) -> None:
    command = Path(sys.executable).parent / "bellman"

    run = subprocess.run([command, *arguments], capture_output=True, text=True)

    assert run.returncode == 0, run.stderr
    assert "submit/bellman" not in run.stdout
    assert "bellman" in run.stdout


def test_messages_have_the_name_that_was_typed(classic_only: None, tmp_path: Path) -> None:
    job = tmp_path / "job.yaml"
    job.write_text("input:\n  path: pairs.tsv\noutput:\n  path: out\n")

    run = subprocess.run([sys.executable, "-m", "bellman", "run", job], capture_output=True, text=True)

    assert run.returncode == 2
    assert "problem is missing: the problem to solve, or one of its functions; bellman functions lists both" in run.stderr

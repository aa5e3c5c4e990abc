"""Runs job files and returns their reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from bellman._home import command, environment
from bellman.errors import BellmanError, JobError, RowsQuarantinedWarning

_QUARANTINED = 5


class Report(Mapping[str, Any]):
    """A job's report: a mapping with the contents of ``_bellman/report.json``. Notebooks display it as a table."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def name(self) -> str:
        """The job's name."""
        return str(self["job"]["name"])

    @property
    def output(self) -> str:
        """The path of the results, or the name of their table."""
        output = self["job"]["output"]
        return str(output["table"] if "table" in output else output["path"])

    @property
    def rows_quarantined(self) -> int:
        """The number of quarantined rows."""
        return int(self.get("rowsQuarantined", 0))

    def __repr__(self) -> str:
        return f"{self.name}: {self.get('summary', '{:,} rows written'.format(self['rowsOut']))}"

    def _repr_html_(self) -> str:
        rows = [
            ("rows", ", ".join(self._counts())),
            ("seconds", ", ".join(f"{phase} {seconds:.2f}" for phase, seconds in self._phases())),
            ("ran", ", ".join(self._engines())),
            ("results", f"<code>{escape(self.output)}</code> ({escape(self._format())})"),
        ]
        if "clusters" in self:
            rows.append(("clusters", _clusters(self["clusters"])))
        if "results" in self:
            rows += [(escape(each["name"]), _distribution(each)) for each in self["results"] if each.get("bins")]
        cells = "".join(
            f'<tr><th style="text-align: left">{name}</th><td style="text-align: left">{value}</td></tr>'
            for name, value in rows
            if value
        )
        return f"<table><caption>{escape(self.name)}</caption>{cells}</table>"

    def _format(self) -> str:
        output = self["job"]["output"]
        return str(output.get("format", "table" if "table" in output else "parquet"))

    def _counts(self) -> Iterator[str]:
        names = {
            "rowsIn": "read",
            "rowsOut": "written",
            "rowsFiltered": "filtered",
            "rowsQuarantined": "quarantined",
            "rowsWithNull": "with a NULL argument",
        }
        for key, name in names.items():
            if key in self and (self[key] or key in ("rowsIn", "rowsOut")):
                yield f"{self[key]:,} {name}"

    def _phases(self) -> Iterator[tuple[str, float]]:
        return ((escape(phase), seconds) for phase, seconds in self["seconds"].items() if seconds >= 0.005)

    def _engines(self) -> Iterator[str]:
        for function, how in self.get("functions", {}).items():
            yield f"{escape(function)} on {escape(how['engine'].upper())}, strategy {escape(how['strategy'])}"
        for join in self.get("joins", []):
            yield f"join on {escape(join['engine'].upper())}"
        if "engine" in self:
            yield f"on {escape(self['engine'].upper())}, strategy {escape(self['strategy'])}"


def _clusters(clusters: Mapping[str, Any]) -> str:
    """Returns HTML with the number of clusters, and the most connected strings of up to three of the largest."""
    lines = [f"{clusters['clusters']:,}, of which {clusters['single']:,} have one row"]
    for each in clusters["largest"][:3]:
        hubs = ", ".join(escape(hub["text"]) for hub in each["hubs"])
        lines.append(f"{each['rows']:,} rows: {hubs}" + (", ..." if each["strings"] > len(each["hubs"]) else ""))
    return "<br>".join(lines)


def _distribution(result: Mapping[str, Any]) -> str:
    """Returns a histogram of a result, drawn in the text colour, with the minimum, maximum and median."""
    bins, height = result["bins"], 32
    width = max(2, 180 // len(bins))
    bars = "".join(
        f'<rect x="{i * width}" y="{height - count / max(bins) * height:.1f}" '
        f'width="{width - 1}" height="{count / max(bins) * height:.1f}"/>'
        for i, count in enumerate(bins)
    )
    svg = f'<svg width="{width * len(bins)}" height="{height}" fill="currentColor" fill-opacity="0.6">{bars}</svg>'
    lowest, median, highest = (f"{result[key]:,g}" for key in ("min", "median", "max"))
    return f"{svg}<br>{lowest} to {highest}, median {median}"


class Reports(tuple[Report, ...]):
    """The reports of the jobs that wrote an output, in the order of the jobs."""

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        return "".join(report._repr_html_() for report in self)


def run(*arguments: str | os.PathLike[str] | Mapping[str, Any], quiet: bool = False) -> Reports:
    """Runs the jobs of a job file in a separate Spark application.

    >>> bellman.run("job.yaml")
    >>> bellman.run("job.yaml", "--output", "out/names", "--master", "local[4]")
    >>> bellman.run({"problem": "edit_distance", "input": {"path": "pairs.tsv"}, "output": {"path": "out/names"}})

    Uses the Spark installation at ``SPARK_HOME`` or, if this variable is not set, the installed PySpark package.

    Parameters
    ----------
    *arguments : str, path or dict
        The arguments of ``submit/bellman run``: the job file, flags, and ``spark-submit`` options. A dict is a job with the keys of
        a job file; several dicts are allowed. Relative paths are resolved against the working directory.
    quiet : bool
        Whether to print nothing: neither progress nor results. A job that fails raises an exception in any case.

    Returns
    -------
    Reports
        The reports of the jobs that wrote an output. A job that had nothing to do has no report.

    Raises
    ------
    JobError
        If a job fails. The error has Bellman's code, message and exit code.

    Warns
    -----
    RowsQuarantinedWarning
        If a job completed but quarantined rows (exit code 5).
    """
    with tempfile.TemporaryDirectory(prefix="bellman-") as folder:
        reports = Path(folder) / "reports.json"
        given = [os.fspath(each) for each in arguments if not isinstance(each, Mapping)]
        jobs = [each for each in arguments if isinstance(each, Mapping)]
        if jobs:
            given.insert(0, _file(jobs, Path(folder)))
        launch = command("run", *given, "--reports", str(reports), *(["--quiet"] if quiet else []))
        exit_code, output, error = _execute(launch, environment(), quiet)
        if exit_code not in (0, _QUARANTINED):
            raise _failure(exit_code, output, error)
        done = Reports(map(Report, json.loads(reports.read_text(encoding="utf-8"))))
    if exit_code == _QUARANTINED:
        aside = ", ".join(f"{each.name}: {each.rows_quarantined:,}" for each in done if each.rows_quarantined)
        warnings.warn(f"rows were quarantined ({aside}); see _bellman/quarantine", RowsQuarantinedWarning, stacklevel=2)
    return done


def _file(jobs: list[Mapping[str, Any]], folder: Path) -> str:
    """Writes the jobs to a file and returns its path. The file contains JSON, which is also valid YAML."""
    path = folder / "job.yaml"
    path.write_text("\n---\n".join(json.dumps(job, default=os.fspath, ensure_ascii=False) for job in jobs), encoding="utf-8")
    return str(path)


def _execute(launch: list[str], variables: Mapping[str, str], quiet: bool) -> tuple[int, list[str], list[str]]:
    """Runs the launcher. Returns its exit code, the lines before the error message, and the lines of the error message."""
    output: list[str] = []
    error: list[str] = []
    with subprocess.Popen(
        launch,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if error or line.startswith("error: ["):
                    error.append(line)
                elif "Using incubator modules" not in line:
                    output.append(line)
                    if not quiet:
                        sys.stdout.write(line)
                        sys.stdout.flush()
        except BaseException:
            process.terminate()  # the job then undoes its changes
            raise
    return process.returncode, output, error


def _failure(exit_code: int, output: list[str], error: list[str]) -> JobError:
    found = BellmanError.found_in("".join(error))
    if found is not None:
        first, *rest = "".join(error).strip().removeprefix("error: ").splitlines()
        message = "\n".join([first.removeprefix(f"[{found.code}] "), *rest])
        return JobError(found.code, message, exit_code)
    how = f"exit code {exit_code}" if exit_code >= 0 else f"signal {signal.Signals(-exit_code).name}"
    last = "".join(output[-20:]).strip()
    return JobError("BELLMAN_INTERNAL", f"the job failed with {how}:\n{last}", exit_code)

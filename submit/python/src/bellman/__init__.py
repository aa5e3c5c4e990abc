"""Bellman in Python: millions of independent dynamic-programming problems as one Apache Spark job.

>>> import bellman, bellman.functions as bf
>>> spark = bellman.configure().getOrCreate()
>>> spark.read.parquet("pairs").select("id", bf.edit_distance("a", "b")).show()
>>> bellman.run("job.yaml")
"""

from bellman._home import jar
from bellman.errors import BellmanError, JobError, RowsSetAsideWarning, errors
from bellman.job import Report, Reports, run
from bellman.session import configure

__all__ = [
    "BellmanError",
    "JobError",
    "Report",
    "Reports",
    "RowsSetAsideWarning",
    "configure",
    "errors",
    "jar",
    "run",
]

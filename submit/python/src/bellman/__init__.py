"""Bellman for Python: solves millions of independent dynamic-programming problems in one Apache Spark job.

>>> import bellman, bellman.functions as bf
>>> spark = bellman.configure().getOrCreate()
>>> spark.read.parquet("pairs").select("id", bf.edit_distance("a", "b")).show()
>>> bellman.cluster(spark.table("names"), "name", max=2).show()
>>> bellman.run("job.yaml")
"""

from importlib.metadata import version as _version

from bellman._home import jar
from bellman.errors import BellmanError, JobError, RowsQuarantinedWarning
from bellman.job import Report, Reports, run
from bellman.models import HiddenMarkovModel, fit_hmm
from bellman.pairs import cluster, nearest, similar_pairs
from bellman.session import configure, register

__version__ = _version("bellman")

__all__ = [
    "BellmanError",
    "HiddenMarkovModel",
    "JobError",
    "Report",
    "Reports",
    "RowsQuarantinedWarning",
    "cluster",
    "configure",
    "fit_hmm",
    "jar",
    "nearest",
    "register",
    "run",
    "similar_pairs",
]

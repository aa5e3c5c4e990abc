"""Uses Bellman with the current PySpark as users do, and compares the results with expected ones that do not depend on the Spark version."""

import re
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as sf

import bellman
import bellman.functions as bf

ROOT = Path(__file__).parents[2]


def check(what, found, expected):
    if found != expected:
        raise SystemExit(f"versions: {what} is {found}, expected {expected}")


def call_every_function(spark):
    """Runs the example that DESCRIBE FUNCTION shows for each function, and compares the result with the shown one, which other tests check."""
    names = bf.__all__
    described = " ".join(
        row[0] for name in names for row in spark.sql(f"DESCRIBE FUNCTION EXTENDED {name}").collect() if "> SELECT" in row[0]
    )
    examples = sorted(set(re.findall(r"> SELECT (.+);\n +(.+)\n", described)))
    check("the existence of functions with examples", len(names) > 40 and len(examples) > 30, True)
    calls = ", ".join(f"string({call}) AS f{i}" for i, (call, _) in enumerate(examples))
    # without a table, and for each of two rows
    for query in f"SELECT {calls}", f"SELECT {calls} FROM (SELECT explode(array(1, 1)))":
        for row in spark.sql(query).collect():
            for (call, expected), found in zip(examples, row):
                check(call, str(found), expected)


def join(spark):
    words = ["kitten", "sitting", "mitten", "sittin", "bitten", "unlike"]
    expected = [("bitten", "kitten", 1), ("bitten", "mitten", 1), ("kitten", "mitten", 1), ("sittin", "sitting", 1)]
    names = spark.createDataFrame([(word,) for word in words], "s string")
    names.createOrReplaceTempView("words")
    joined = spark.sql("SELECT a.s, b.s, edit_distance(a.s, b.s) FROM words a JOIN words b ON edit_distance(a.s, b.s) <= 1")
    check("a join's pairs", sorted(tuple(row) for row in joined.collect() if row[0] < row[1]), expected)
    check("a join's plan", "SimilarStrings" in joined._jdf.queryExecution().toString(), True)
    pairs = bellman.similar_pairs(names, "s", max=1).collect()
    check("similar_pairs", sorted((*sorted((row.s_a, row.s_b)), row.distance) for row in pairs), expected)
    clusters = bellman.cluster(names, "s", max=1).collect()
    check("cluster", {row.s: row.cluster_size for row in clusters}, dict(zip(words, [3, 2, 3, 2, 3, 1])))
    close = bellman.nearest(names, names, "s", max=1).collect()
    check("nearest", len(close), len(words))
    spark.sql("SELECT id, array(id, id * id, 3D) AS series FROM range(8)").createOrReplaceTempView("sensors")
    for rank in ("row_number", "rank"):
        ranked = spark.sql(
            f"SELECT * FROM (SELECT l.id, {rank}() OVER (PARTITION BY l.id ORDER BY dtw(l.series, r.series)) AS place"
            " FROM sensors l JOIN sensors r ON l.id <> r.id) WHERE place <= 1"
        )
        check(f"the nearest series by {rank}", ranked.select("id").distinct().count(), 8)
        check(f"the plan of {rank}", "nearest_limit" in ranked._jdf.queryExecution().toString(), True)
    named = spark.sql("SELECT * FROM similar_pairs(input => TABLE(words), max => 1, column => 's')")
    check("similar_pairs with named arguments", named.count(), len(expected))


JOBS = """
problem: edit_distance
results: [edit_distance, edit_cigar]
input: {{path: {folder}/pairs, where: length(a) > 0}}
keep: [accession_a]
output: {{path: {folder}/distances, partitionBy: [accession_a]}}
verify: 0.2
restricted: true
---
problem: matrix_chain
input: {{path: {root}/datasets/chains.jsonl}}
output: {{path: {folder}/chains, format: orc}}
---
problem: edit_distance
results: [cluster]
pairing: within
maxDistance: 100
input: {{path: {root}/datasets/proteins.fasta}}
output: {{path: {folder}/clusters}}
---
problem: all_pairs_shortest_paths
input: {{path: {folder}/edges}}
output: {{path: {folder}/paths}}
"""


def run_jobs(spark, folder):
    """Runs jobs from Parquet to Parquet (restricted, with partition folders), from JSON to ORC, for clusters, and on one graph."""
    pairs = spark.read.csv(str(ROOT / "datasets/protein_pairs.tsv"), sep="\t", header=True)
    pairs.write.parquet(f"{folder}/pairs")
    spark.sql("SELECT id AS source, (id + 1) % 50 AS target, 1 AS weight FROM range(50)").write.parquet(f"{folder}/edges")
    Path(folder, "jobs.yaml").write_text(JOBS.format(folder=folder, root=ROOT))
    reports = bellman.run(f"{folder}/jobs.yaml", quiet=True)
    for name, column in ("protein_pairs", "edit_distance"), ("chains", "matrix_chain_cost"):
        answers = spark.read.csv(str(ROOT / f"datasets/{name}.expected.tsv"), sep="\t", header=True).collect()
        written = spark.read.orc(f"{folder}/chains") if name == "chains" else spark.read.parquet(f"{folder}/distances")
        found = {str(row["id"]): str(row[column]) for row in written.collect()}
        check(f"the result for {name}", found, {row["id"]: row[column] for row in answers})
    check("the number of rows in each report", [report["rowsOut"] for report in reports], [100, len(answers), 40, 50])


def aggregate(spark):
    query = "SELECT consensus(DISTINCT s) FILTER (WHERE s <> 'T') FROM VALUES ('ACGT'), ('ACGT'), ('T') AS reads(s)"
    check("the consensus of rows", spark.sql(query).first()[0], "ACGT")


def view(spark):
    spark.sql("CREATE VIEW edits AS SELECT edit_distance(s, 'kitten') AS d FROM VALUES ('sitting') AS names(s)")
    check("a view in a different session", spark.newSession().table("edits").first()[0], 3)


def same_name(spark):
    """Checks that jaro_winkler_similarity is Bellman's function, although Spark 4.3 has a function with the same name: see docs/functions.md."""
    for pair, expected in (("'abc', 'acb'", 0.5555555555555555), ("'abcvwxyz', 'cabvwxyz'", 0.9583333333333334)):
        check("jaro_winkler_similarity", spark.sql(f"SELECT jaro_winkler_similarity({pair})").first()[0], expected)
    theirs = getattr(sf, "jaro_winkler_similarity", bf.jaro_winkler_similarity)
    check("Python's jaro_winkler_similarity", spark.range(1).select(theirs(sf.lit("abc"), sf.lit("acb"))).first()[0], 0.5555555555555555)


def main():
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", 2).config("spark.ui.showConsoleProgress", "false")
    spark = bellman.configure(builder, gpu=False).getOrCreate()
    call_every_function(spark)
    check("a call in Python", spark.range(1).select(bf.edit_distance("id", "id")).first()[0], 0)
    aggregate(spark)
    view(spark)
    same_name(spark)
    join(spark)
    with tempfile.TemporaryDirectory() as folder:
        run_jobs(spark, folder)
    spark.stop()
    late = SparkSession.builder.master("local[1]").config("spark.sql.extensions", "").getOrCreate()
    bellman.register(late)
    same_name(late)
    join(late)
    late.stop()


main()

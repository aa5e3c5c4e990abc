"""Links records of people with Splink on Spark: ``linkage.py jar | bellman FILE [--example]``.

With ``jar``, Splink calls the functions in its own jar; with ``bellman``, it calls Bellman's functions. FILE receives
the functions' values for random pairs of strings, and the match weights that Splink predicts for pairs of records:
those of the example "Linking in Spark" in its documentation, with the first records of the data set ``fake_1000``, and
generated ones. With ``--example``, FILE receives only the match weights of the example.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import splink.comparison_library as cl
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from splink import Linker, SettingsCreator, SparkAPI, block_on
from splink.backends.spark import similarity_jar_location
from splink.internals.splink_dataframe import SplinkDataFrame

# the example has 1,000 records, which take minutes, so use only the first ones
RECORDS = 400
PEOPLE = 250
PAIRS = 20_000
FIRST = ["amelia", "george", "isla", "oliver", "ava", "noah", "émilie", "arthur", "mia", "muhammad", "freya", "leo", "françois"]
LAST = ["smith", "jones", "taylor", "brown", "williams", "wilson", "johnson", "davies", "o'connor", "patel", "wright", "müller"]
STREETS = ["high street", "station road", "main street", "park avenue", "church lane", "victoria road", "green lane"]
ALPHABETS = ["ab", "abcdefghijklmnopqrstuvwxyz ", "aéß\u4e2d b"]


def typo(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text) - 1)
    return draw.choice(
        [text[:at] + text[at + 1 :], text[:at] + draw.choice("aeiou") + text[at:], text[:at] + text[at + 1] + text[at] + text[at + 2 :]]
    )


def records() -> list[tuple[int, str | None, str, str, str]]:
    draw = random.Random(2026)
    rows: list[tuple[int, str | None, str, str, str]] = []
    for _ in range(PEOPLE):
        person = [
            draw.choice(FIRST),
            draw.choice(LAST) + draw.choice(["", "son", "-" + draw.choice(LAST)]),
            f"{draw.randint(1930, 2005)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
            f"{draw.randint(1, 99)} {draw.choice(STREETS)}",
        ]
        for _ in range(draw.randint(1, 3)):
            first, last, born, street = (typo(draw, text) if draw.random() < 0.2 else text for text in person)
            rows.append((len(rows), None if draw.random() < 0.05 else first, last, born, street))
    return rows


def random_pairs() -> list[tuple[int, str, str]]:
    draw = random.Random(32)
    pairs = []
    for number in range(PAIRS):
        alphabet = draw.choice(ALPHABETS)
        a = "a" + "".join(draw.choices(alphabet, k=draw.randint(1, 30)))
        b = typo(draw, typo(draw, a + "b")) if draw.random() < 0.5 else "".join(draw.choices(alphabet, k=draw.randint(2, 30))) + "c"
        pairs.append((number, a, b))
    return pairs


def example(spark: SparkSession) -> dict[str, float]:
    path = str(Path(__file__).with_name("fake_1000.csv.gz"))
    people = spark.read.csv(path, header=True).withColumn("unique_id", F.col("unique_id").cast("int")).where(f"unique_id < {RECORDS}")
    # one partition for each core
    people = people.repartition(2).persist()
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            cl.NameComparison("first_name"),
            cl.NameComparison("surname"),
            cl.LevenshteinAtThresholds("dob"),
            cl.ExactMatch("city").configure(term_frequency_adjustments=True),
            cl.EmailComparison("email"),
        ],
        blocking_rules_to_generate_predictions=[block_on("first_name"), "l.surname = r.surname"],
        em_convergence=0.01,
        # fewer iterations than in the example
        max_iterations=2,
    )
    linker = linker_of(people, settings)
    rules = [
        "l.first_name = r.first_name and levenshtein(r.dob, l.dob) <= 1",
        "l.surname = r.surname and levenshtein(r.dob, l.dob) <= 1",
        "l.first_name = r.first_name and levenshtein(r.surname, l.surname) <= 2",
        "l.email = r.email",
    ]
    linker.training.estimate_probability_two_random_records_match(rules, recall=0.6)
    # as in the example, but in one chunk; there are fewer pairs than max_pairs, so Splink uses all of them and draws none at random
    linker.training.estimate_u_using_random_sampling(max_pairs=5e5, num_chunks=1)
    linker.training.estimate_parameters_using_expectation_maximisation("l.first_name = r.first_name and l.surname = r.surname")
    linker.training.estimate_parameters_using_expectation_maximisation("l.dob = r.dob")
    return weights(linker.inference.predict(threshold_match_probability=0.9))


def linker_of(people: DataFrame, settings: SettingsCreator) -> Linker:
    api = SparkAPI(
        spark_session=people.sparkSession, break_lineage_method="persist", num_partitions_on_repartition=1, register_udfs_automatically=is_jar
    )
    return Linker(api.register(people), settings)


def weights(predictions: SplinkDataFrame) -> dict[str, float]:
    rows = predictions.as_spark_dataframe().select("unique_id_l", "unique_id_r", "match_weight").collect()
    return {f"{left} {right}": weight for left, right, weight in sorted(rows)}


def generated(spark: SparkSession) -> dict[str, float]:
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            cl.JaroWinklerAtThresholds("first", [0.9, 0.7]),
            cl.JaroAtThresholds("last", [0.95, 0.8]),
            cl.DamerauLevenshteinAtThresholds("born", [1, 2]),
            cl.CustomComparison(
                output_column_name="street",
                comparison_levels=[
                    {"sql_condition": "street_l IS NULL OR street_r IS NULL", "label_for_charts": "null", "is_null_level": True},
                    {"sql_condition": "levenshtein(street_l, street_r) <= 1", "label_for_charts": "a typo"},
                    {"sql_condition": "cosine_distance(street_l, street_r) < 0.4", "label_for_charts": "words"},
                    {"sql_condition": "jaccard(street_l, street_r) >= 0.8", "label_for_charts": "letters"},
                    {"sql_condition": "ELSE", "label_for_charts": "all other"},
                ],
            ),
        ],
        blocking_rules_to_generate_predictions=[block_on("last"), block_on("born"), block_on("first", "street")],
    )
    people = spark.createDataFrame(records(), "unique_id int, first string, last string, born string, street string")
    linker = linker_of(people, settings)
    linker.training.estimate_probability_two_random_records_match([block_on("first", "last", "born")], recall=0.6)
    # more than the number of pairs, so that Splink uses all of them and draws none at random
    linker.training.estimate_u_using_random_sampling(max_pairs=1e7)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("born"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("last"))
    return weights(linker.inference.predict(threshold_match_weight=-20))


def values(spark: SparkSession) -> dict[str, list[object]]:
    spark.createDataFrame(random_pairs(), "id int, a string, b string").createOrReplaceTempView("pairs")
    functions = ["levenshtein", "damerau_levenshtein", "jaro_sim", "jaro_winkler", "jaccard", "cosine_distance"]
    rows = spark.sql(f"SELECT {', '.join(f'{each}(a, b)' for each in functions)} FROM pairs ORDER BY id").collect()
    return {name: [row[i] for row in rows] for i, name in enumerate(functions)}


is_jar = sys.argv[1] == "jar"
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
# Spark spends most of the time on planning many small queries, so choose settings that simplify the plans
builder.config("spark.sql.shuffle.partitions", "1").config("spark.sql.adaptive.enabled", "false").config("spark.sql.codegen.wholeStage", "false")
if is_jar:
    builder.config("spark.jars", similarity_jar_location())
else:
    import bellman

    bellman.configure(builder.config("spark.bellman.splink.enabled", "true"), gpu=False)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
linked: dict[str, object] = {"example": example(spark)}
if "--example" not in sys.argv:
    linked |= {"generated": generated(spark), "values": values(spark)}
Path(sys.argv[2]).write_text(json.dumps(linked), encoding="utf-8")

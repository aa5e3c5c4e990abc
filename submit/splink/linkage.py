"""Links generated records of people with Splink on Spark: ``linkage.py jar | bellman FILE``.

With ``jar``, the functions that Splink calls are those of its own jar; with ``bellman``, Bellman's. Writes the values of the functions for random pairs,
the parameters that Splink estimates, and the match weight of each pair of records.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import splink.comparison_library as cl
from pyspark.sql import SparkSession
from splink import Linker, SettingsCreator, SparkAPI, block_on
from splink.backends.spark import similarity_jar_location

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


def link(spark: SparkSession) -> dict[str, object]:
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
    api = SparkAPI(
        spark_session=spark, break_lineage_method="persist", num_partitions_on_repartition=1, register_udfs_automatically=is_jar
    )
    linker = Linker(api.register(people), settings)
    linker.training.estimate_probability_two_random_records_match([block_on("first", "last", "born")], recall=0.6)
    # more than all pairs, so that none is drawn at random
    linker.training.estimate_u_using_random_sampling(max_pairs=1e7)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("born"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("last"))
    weights = linker.inference.predict(threshold_match_weight=-20).as_spark_dataframe()
    rows = weights.select("unique_id_l", "unique_id_r", "match_weight").orderBy("unique_id_l", "unique_id_r").collect()
    return {f"{left} {right}": weight for left, right, weight in rows}


is_jar = sys.argv[1] == "jar"
builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
if is_jar:
    builder.config("spark.jars", similarity_jar_location())
else:
    import bellman

    bellman.configure(builder.config("spark.bellman.splink.enabled", "true"), gpu=False)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
linked = link(spark)
spark.createDataFrame(random_pairs(), "id int, a string, b string").createOrReplaceTempView("pairs")
functions = ["levenshtein", "damerau_levenshtein", "jaro_sim", "jaro_winkler", "jaccard", "cosine_distance"]
rows = spark.sql(f"SELECT {', '.join(f'{each}(a, b)' for each in functions)} FROM pairs ORDER BY id").collect()
values = {name: [row[i] for row in rows] for i, name in enumerate(functions)}
Path(sys.argv[2]).write_text(json.dumps({"weights": linked, "values": values}), encoding="utf-8")

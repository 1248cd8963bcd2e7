"""Five minutes with Spark: the books of the demonstration become a set of shards, which is searched.

    python Spark/examples/quickstart.py Demo/books /tmp/books
"""

from __future__ import annotations

import sys

import build_set
import textindex_spark
from pyspark.sql import DataFrame, SparkSession

SHARDS = 4
QUERIES = ["white whale", '"monte cristo"', "round table -launcelot", "captn"]


def main(spark: SparkSession, books: str, target: str) -> DataFrame:
    """Builds the set, searches it in both ways, and gives what the first of them found."""
    chapters = build_set.read(spark, "folder", [books])
    made = textindex_spark.write(chapters, target, SHARDS)
    for shard in made["shards"]:
        print(f"{shard['name']}: {shard['objects']} chapters")

    # Each shard is searched by a task of its own.
    queries = spark.createDataFrame([(text,) for text in QUERIES], "query string")
    results = textindex_spark.search(spark, target, queries, limit=3)
    results.join(chapters, "id").select("query", "rank", "title", "score").orderBy(
        "query", "rank").show(truncate=60)

    # The same by the format, as a table like any other.
    textindex_spark.register(spark)
    spark.read.format("textindex").option("query", QUERIES[0]).option("limit", 3).load(target).show(
        truncate=False)
    return results


if __name__ == "__main__":
    session = SparkSession.builder.appName("textindex quickstart").getOrCreate()
    main(session, *sys.argv[1:3])
    session.stop()

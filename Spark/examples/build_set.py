"""A job that builds a set of shards from JSON Lines, Parquet or folders of text.

    spark-submit Spark/examples/build_set.py notes.jsonl --output /srv/notes --shards 4
    spark-submit Spark/examples/build_set.py notes.parquet --from parquet --output /srv/notes --shards 4
    spark-submit Spark/examples/build_set.py Documents --from folder --output /srv/notes --shards 4

Objects of JSON Lines and of Parquet have the columns that --id, --field and --attribute name. A folder
gives one object for each .txt and .md file: its path in the folder, its first line and its text.
"""

from __future__ import annotations

import argparse
import os

import textindex_spark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


def read(spark: SparkSession, kind: str, paths: list[str]) -> DataFrame:
    """The objects in some files or folders.

    Args:
        spark: the session.
        kind: `jsonl`, `parquet` or `folder`.
        paths: where they are.
    """
    if kind == "jsonl":
        return spark.read.json(paths)
    if kind == "parquet":
        return spark.read.parquet(*paths)
    frames = [_texts(spark, os.path.abspath(path)) for path in paths]
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.union(frame)
    return whole


def _texts(spark: SparkSession, folder: str) -> DataFrame:
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    files = reader.option("pathGlobFilter", "*.{txt,md}").load(folder)
    text = F.decode("content", "UTF-8")
    # Spark names files as URLs: file:/srv/books/dracula/005.txt
    path = F.regexp_replace(F.col("path"), "^[a-z]+:/*", "/")
    return files.select(
        F.substring(path, len(folder) + 2, 1 << 20).alias("id"),
        F.trim(F.substring_index(F.ltrim(text), "\n", 1)).alias("title"), text.alias("body"))


def main(arguments: list[str] | None = None) -> None:
    """Reads the options, and builds the set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--from", dest="kind", choices=["jsonl", "parquet", "folder"],
                        default="jsonl")
    parser.add_argument("--output", required=True, help="the folder of the set")
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--id", default="id", help="the column that identifies an object")
    parser.add_argument("--field", action="append", help="a column to index (title and body)")
    parser.add_argument("--attribute", action="append", help="a column to filter and sort by")
    parser.add_argument("--order", help="of several rows of an object the greatest of it counts")
    options = parser.parse_args(arguments)
    spark = SparkSession.builder.appName("textindex build_set").getOrCreate()
    made = textindex_spark.write(
        read(spark, options.kind, options.paths), options.output, options.shards, id=options.id,
        fields=options.field or ["title", "body"], attributes=options.attribute or [],
        order=options.order)
    objects = sum(shard["objects"] for shard in made["shards"])
    print(f"{options.output}: {len(made['shards'])} shards, {objects} objects")


if __name__ == "__main__":
    main()

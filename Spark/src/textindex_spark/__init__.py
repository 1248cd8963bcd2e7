"""Builds sets of TextSearch shards on Apache Spark, and searches them in batches.

    import textindex_spark
    textindex_spark.write(frame, "/srv/notes", shards=4, fields=["title", "body"])
    textindex_spark.search(spark, "/srv/notes", queries, limit=10).show()

`register` adds the format `textindex` to a session (`df.write.format("textindex")`), and
`textindex_spark.on_ray` does the same on Ray. `python3 -m textindex_spark.simulate` draws what latency
to expect of many machines.

Workers need this package, the command `textindex`, by its name or by the path in the variable TEXTINDEX,
and a file system that all of them share for the set: its path is one of the machines, or a URL `file:`;
other schemes, such as `s3a:`, are refused. TEXTINDEX_LOCAL names a folder on their own disks
to build in. Build and search are exact: scores are those of one index of all objects, to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .batches import SetChanged
from .command import CommandFailed
from .searching import search
from .writing import place, write

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["CommandFailed", "SetChanged", "place", "register", "search", "write"]


def register(spark: SparkSession) -> None:
    """Makes the format `textindex` known to a session; see `textindex_spark.source`."""
    from . import source  # PySpark is loaded then, so that all else is there without it.

    source.register(spark)

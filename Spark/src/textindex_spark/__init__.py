"""Builds sets of TextSearch shards on Apache Spark, and searches them in batches.

    import textindex_spark
    textindex_spark.write(frame, "/srv/notes", shards=4, fields=["title", "body"])
    textindex_spark.search(spark, "/srv/notes", queries, limit=10).show()

Workers need the command `textindex`, by its name or by the path in the variable TEXTINDEX, and a file
system that all of them share for the set. Build and search are exact: scores are those of one index of
all objects, to the last bit.
"""

from .command import CommandFailed
from .searching import search
from .writing import write

__all__ = ["CommandFailed", "search", "write"]

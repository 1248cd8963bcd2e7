// Opening and destroying: what is in a directory, and what may be done with it.

#pragma once

#include <string>
#include <vector>

#include "Handles.h"

namespace cldb {

// By the options that `database` has.
Failure OpenDatabase(const std::string& path, cldb_mode mode, cldb_database* database);

enum class Start {
    kCreating,  // there is nothing yet
    kOpening,
    kOnTrial,  // what it changes is undone as LevelDB ends, unless it is accepted (Trial.h)
};

// Starts LevelDB on the directory that `database` holds, after the checks of Preflight.h unless there
// is nothing yet. `tails` gets what was put aside.
Failure StartLevelDB(cldb_database* database, Start start, std::vector<LogTail>* tails);

// Starts LevelDB on the directory of a database that is there, or over it in memory where the disk is full:
// then `standing_refusal` says so.
Failure StartOnDiskOrInMemory(cldb_database* database, std::vector<LogTail>* tails);

// Whether the disk takes writes, and has the space that starting needs: as much as the logs hold. What
// can still be read is not given up for an attempt that cannot go well.
Failure CheckWritable(Directory* directory);

Failure DestroyDatabase(const std::string& path);

}  // namespace cldb

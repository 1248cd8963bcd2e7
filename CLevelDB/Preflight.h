// What is checked before LevelDB opens a database.

#pragma once

#include <vector>

#include "Directory.h"
#include "LogTail.h"

namespace cldb {

// LevelDB accepts some damage for what a crash leaves, answers without what is lost, and deletes
// the tables it no longer knows of. So these are checked first, by reading only:
// 1. CURRENT names a manifest that is there, and the manifest ends as a crash may leave it.
// 2. Every table that it names is there, and as long as it says.
// 3. The log that it names is there; every log ends as a crash may leave it.
// 4. No write is missing between tables and logs, or within the logs.
//
// `tails` gets what is behind the last whole record of the manifest and of each log: what a power
// cut leaves of writes that were not synced. It is in no way to be told from damage to the last
// write.
Failure Preflight(Directory* directory, std::vector<LogTail>* tails);

}  // namespace cldb

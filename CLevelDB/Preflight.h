// What is checked before LevelDB opens a database.

#pragma once

#include "Directory.h"

namespace cldb {

// LevelDB accepts some damage for what a crash leaves, answers without what is lost, and deletes
// the tables it no longer knows of. So these are checked first, by reading only:
// 1. CURRENT names a manifest that is there, and the manifest ends as a crash may leave it.
// 2. Every table that it names is there, and as long as it says.
// 3. The log that it names is there; every log ends as a crash may leave it.
// 4. No write is missing between tables and logs, or within the logs.
//
// Not to be told from a power cut, and accepted: a last log that is cut off.
Failure Preflight(Directory* directory);

}  // namespace cldb

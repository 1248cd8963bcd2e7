// Which files in a directory make up the database.

#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "Directory.h"

namespace cldb {

// Damage to a file that was found by reading only.
Failure Damaged(const std::string& name, const char* what);

// The number in a name such as "000123.log".
uint64_t NumberOfName(const std::string& name);
// The number in a manifest's name.
uint64_t NumberOfManifest(const std::string& name);

// The name of a log.
std::string NameOfLog(uint64_t number);

// The name of the manifest that CURRENT says, which is there.
Failure ReadCurrent(Directory* directory, std::string* manifest);

// The logs of those names that LevelDB will replay, in its order: from number `first` on.
std::vector<std::string> LogsToReplay(const std::vector<std::string>& names, uint64_t first);

}  // namespace cldb

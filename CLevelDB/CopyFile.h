// Copies files of databases, or shares them.

#pragma once

#include <string>

#include "Directory.h"

namespace cldb {

// Copies a piece of a file into a new one, and syncs that; its name lasts with its directory's next sync.
leveldb::Status CopyFile(Directory* from, const std::string& name, uint64_t start, uint64_t end,
                         Directory* to, const std::string& new_name);

// Gives a file that will never change a name in another directory too; copies it where the file system
// cannot do that.
leveldb::Status ShareFile(Directory* from, const std::string& name, Directory* to);

}  // namespace cldb

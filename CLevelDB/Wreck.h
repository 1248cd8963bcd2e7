// Reads what is left of a database that LevelDB does not open.

#pragma once

#include <functional>
#include <string>

#include "Errors.h"
#include "leveldb/slice.h"

namespace cldb {

using EntryConsumer = std::function<void(leveldb::Slice key, leveldb::Slice value)>;

// Gives every entry of every table and log whose checksum is right, under the directory's lock, in no order that means
// anything: old versions of values come too, and values that were deleted since. Nothing is changed.
Failure ReadWreck(const std::string& path, const EntryConsumer& consume);

}  // namespace cldb

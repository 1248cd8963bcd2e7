// Finds the blocks of a table without its index.

#pragma once

#include <stdint.h>

#include <vector>

#include "TableRun.h"
#include "leveldb/slice.h"

namespace cldb {

// Finds the block that begins at `start` of a table's bytes, by its type and checksum. False where there is no whole one.
//
// Linear in the bytes up to the block's end, or to the end of all.
bool FindBlockAt(leveldb::Slice bytes, uint64_t start, BlockPlace* place);

// All that looks like a whole block from `start` on, in order of where it begins: what is true for a few chance places too, in a
// table of some megabytes, so the content must be looked at. Linear in the bytes, about 100 ns each.
std::vector<BlockPlace> FindBlocks(leveldb::Slice bytes, uint64_t start);

}  // namespace cldb

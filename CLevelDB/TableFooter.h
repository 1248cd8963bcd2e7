// The end of a table file, which says where the rest is.

#pragma once

#include <stdint.h>

#include "leveldb/slice.h"

namespace cldb {

constexpr uint64_t kTableFooterSize = 48;

// Whether `footer`, the last bytes of a table file, is one whose blocks lie in a file of so many
// bytes. LevelDB believes what stands there and asks for as much memory as it says, where no
// exception can be caught.
bool IsTableFooter(leveldb::Slice footer, uint64_t file_size);

}  // namespace cldb

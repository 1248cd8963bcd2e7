// Reads whole blocks of a table whose other parts are damaged.

#pragma once

#include <stdint.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/table.h"

namespace cldb {

// Where a block begins, and its bytes without the type and the checksum after them.
struct BlockPlace {
    uint64_t offset;
    uint64_t size;
};

// The type of a block, and its checksum.
constexpr size_t kBlockTrailerSize = 5;

// Blocks of a table file as a table of their own: they get an index of blocks and a footer that exist in memory only. So LevelDB
// decodes and decompresses them.
class TableRun {
  public:
    // Blocks whose checksums are right, in the order of the file. Empty where LevelDB refuses them. The file must outlive it.
    static std::unique_ptr<TableRun> Open(const leveldb::RandomAccessFile* file, uint64_t size,
                                          const std::vector<BlockPlace>& blocks);

    // Steps alone, which compare no keys: the order of the keys with their trailers is LevelDB's own.
    std::unique_ptr<leveldb::Iterator> NewIterator() const;

  private:
    // The file, and what is made up after its end.
    class File final : public leveldb::RandomAccessFile {
      public:
        File(const leveldb::RandomAccessFile* file, uint64_t size, std::string tail)
            : file_(file), size_(size), tail_(std::move(tail)) {}

        leveldb::Status Read(uint64_t offset, size_t length, leveldb::Slice* result,
                             char* scratch) const override;

      private:
        const leveldb::RandomAccessFile* const file_;
        const uint64_t size_;
        const std::string tail_;
    };

    std::unique_ptr<File> file_;
    std::unique_ptr<leveldb::Table> table_;
};

}  // namespace cldb

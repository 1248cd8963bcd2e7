// What can be read of one table file.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Directory.h"
#include "Files.h"
#include "TableRun.h"
#include "WreckEntries.h"

namespace cldb {

// The blocks of a table whose checksums are right, in runs: between two of them something cannot be read.
//
// Blocks are found by the table's index, and where that is damaged by their checksums. A table's keys are in order, so that
// the neighbours of an unreadable block tell which keys it could have held.
class WreckTable {
  public:
    // `bounds` are the keys that the table can have. A file that is not there has lost all of them.
    WreckTable(Directory* directory, std::string name, const KeyRange& bounds);

    // The keys that it may hold and that cannot be read.
    const std::vector<KeyRange>& lost() const { return lost_; }

    // Its entries. The table must outlive them.
    std::unique_ptr<WreckEntries> NewEntries() const;

  private:
    struct Run {
        std::unique_ptr<TableRun> blocks;
        uint64_t entry_count = 0;
        std::string first_key, last_key;
        uint64_t first_sequence = 0, last_sequence = 0;

        bool IsAfter(const Run& other) const;
    };
    // Runs of whole blocks that may hold entries, and whether something cannot be read before and after all of them.
    struct Layout {
        std::vector<std::vector<BlockPlace>> runs;
        bool has_gap_before = false, has_gap_after = false;

        void Add(const BlockPlace& place, bool after_gap);
    };

    bool Open(Directory* directory);
    // False when the index cannot be read.
    bool ReadIndex(Layout* layout) const;
    void Search(Layout* layout) const;
    bool ReadFooter(BlockPlace* index) const;
    bool IsWhole(const BlockPlace& place) const;
    std::string ReadAll(uint64_t length) const;
    // Empty where the blocks do not hold entries in order.
    std::unique_ptr<Run> OpenRun(const std::vector<BlockPlace>& blocks) const;

    const std::string name_;
    std::unique_ptr<TableFile> file_;
    uint64_t size_ = 0;
    std::vector<std::unique_ptr<Run>> runs_;
    std::vector<KeyRange> lost_;
};

}  // namespace cldb

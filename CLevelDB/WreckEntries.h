// Entries of one file of a damaged database, in order, and the keys that cannot be read.

#pragma once

#include <stdint.h>

#include <string>

#include "leveldb/slice.h"

namespace cldb {

// Keys from one to another, both included; without a bound there is none.
struct KeyRange {
    bool has_from = false, has_to = false;
    // Whether the first key is left out.
    bool is_after = false;
    std::string from, to;

    bool Covers(leveldb::Slice key) const {
        return !(has_from && key.compare(from) < (is_after ? 1 : 0)) &&
               !(has_to && key.compare(to) > 0);
    }
};

// One version of a key: a value, or that it was deleted. Every write of the database has a higher sequence number.
struct WreckEntry {
    leveldb::Slice key;
    uint64_t sequence = 0;
    bool is_value = false;
    leveldb::Slice value;
};

// The entries of a file by their keys, the newest version of each key first.
class WreckEntries {
  public:
    virtual ~WreckEntries() = default;

    // Goes to the next entry, or first to the first one. False when there is none.
    virtual bool Next() = 0;
    // The entry it stands on. Valid up to the next step.
    const WreckEntry& entry() const { return entry_; }
    // Whether it ended before the last one, as the disk did not give again what it gave before.
    bool failed() const { return failed_; }

  protected:
    WreckEntry entry_;
    bool failed_ = false;
};

}  // namespace cldb

// The number of the format in which a database's entries are written.

#pragma once

#include <stdint.h>

#include <string>

#include "Directory.h"
#include "leveldb/comparator.h"

namespace cldb {

// The order of keys as bytes, under a name that has the format in it. LevelDB writes the name into each manifest when
// it makes one, so it is there from the first moment on, is as safe as the manifest, and is read without opening anything.
class FormatComparator final : public leveldb::Comparator {
  public:
    explicit FormatComparator(uint32_t format) : name_(NameOf(format)) {}

    // LevelDB's own for format 0.
    static std::string NameOf(uint32_t format);

    int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
        return a.compare(b);
    }
    const char* Name() const override { return name_.c_str(); }
    void FindShortestSeparator(std::string* start, const leveldb::Slice& limit) const override {
        leveldb::BytewiseComparator()->FindShortestSeparator(start, limit);
    }
    void FindShortSuccessor(std::string* key) const override {
        leveldb::BytewiseComparator()->FindShortSuccessor(key);
    }

  private:
    const std::string name_;
};

// CLDB_NOT_SUPPORTED where the database in a directory has another format. By reading only. Where none can be read this finds
// nothing: opening tells of the damage.
Failure CheckFormat(Directory* directory, uint32_t format);

}  // namespace cldb

// The number of the format in which a database's entries are written.

#pragma once

#include <stdint.h>
#include <string.h>

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

    // Eight and four bytes at a time: keys are so short that a call of memcmp costs more than all the rest.
    int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
        const size_t common = a.size() < b.size() ? a.size() : b.size();
        size_t offset = 0;
        for (; offset + 8 <= common; offset += 8) {
            const uint64_t first = BigEndian64(a.data() + offset);
            const uint64_t second = BigEndian64(b.data() + offset);
            if (first != second) return first < second ? -1 : 1;
        }
        if (offset + 4 <= common) {
            const uint32_t first = BigEndian32(a.data() + offset);
            const uint32_t second = BigEndian32(b.data() + offset);
            if (first != second) return first < second ? -1 : 1;
            offset += 4;
        }
        for (; offset < common; offset++) {
            const uint8_t first = static_cast<uint8_t>(a.data()[offset]);
            const uint8_t second = static_cast<uint8_t>(b.data()[offset]);
            if (first != second) return first < second ? -1 : 1;
        }
        return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
    }
    const char* Name() const override { return name_.c_str(); }
    void FindShortestSeparator(std::string* start, const leveldb::Slice& limit) const override {
        leveldb::BytewiseComparator()->FindShortestSeparator(start, limit);
    }
    void FindShortSuccessor(std::string* key) const override {
        leveldb::BytewiseComparator()->FindShortSuccessor(key);
    }

  private:
    static uint64_t BigEndian64(const char* bytes) {
        uint64_t number;
        memcpy(&number, bytes, sizeof(number));
        return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(number) : number;
    }
    static uint32_t BigEndian32(const char* bytes) {
        uint32_t number;
        memcpy(&number, bytes, sizeof(number));
        return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(number) : number;
    }

    const std::string name_;
};

// CLDB_NOT_SUPPORTED where the database in a directory has another format. By reading only. Where none can be read this finds
// nothing: opening tells of the damage.
Failure CheckFormat(Directory* directory, uint32_t format);

// Whether the manifest of a database says any format.
bool HasFormat(const std::string& path);

}  // namespace cldb

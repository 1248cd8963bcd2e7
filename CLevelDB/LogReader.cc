#include "LogReader.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "Checksum.h"
#include "CommitMark.h"
#include "Files.h"

namespace cldb {

namespace {

constexpr size_t kBlockSize = 32 << 10;

enum RecordType : uint8_t { kZero = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

struct Header {
    explicit Header(const char* bytes) {
        const auto* data = reinterpret_cast<const uint8_t*>(bytes);
        checksum = data[0] | data[1] << 8 | data[2] << 16 | static_cast<uint32_t>(data[3]) << 24;
        length = static_cast<size_t>(data[4] | data[5] << 8);
        type = data[6];
    }

    bool IsZero() const { return checksum == 0 && length == 0 && type == kZero; }

    uint32_t checksum;
    size_t length;
    uint8_t type;
};

// Whether the checksum of the record at `begin` fits. It covers the type, the last byte of the
// header.
bool IsWhole(const Header& header, const char* begin) {
    const uint32_t checksum = ExtendChecksum(0, begin + kLogHeaderSize - 1, 1 + header.length);
    return MaskedChecksum(checksum) == header.checksum;
}

// Whether the record at `begin` was written whole, and is not what its header says because of one
// damaged length or bit: a power cut does not leave that. It is told for a record that ends where the
// file or the block does; behind others there are later writes to tell.
bool IsWholeButDamaged(const Header& header, const char* begin, const char* end) {
    const size_t length = static_cast<size_t>(end - begin) - kLogHeaderSize;
    const uint32_t checksum = ExtendChecksum(0, begin + kLogHeaderSize - 1, 1 + length);
    const uint32_t masked = MaskedChecksum(checksum);
    if (masked == header.checksum) return true;
    if (header.length != length) return false;
    const uint32_t stored = header.checksum ^ masked;
    if ((stored & (stored - 1)) == 0) return true;
    return IsOneBitOff(checksum ^ UnmaskedChecksum(header.checksum), 1 + length);
}

// Whether a later write begins anywhere from `begin` on. Middles and lasts do not count: parts of
// one write may reach the disk in any order.
bool HasWrite(const char* begin, const char* end) {
    for (const char* next = begin; end - next >= static_cast<ptrdiff_t>(kLogHeaderSize); next++) {
        const Header header(next);
        const size_t available = static_cast<size_t>(end - next) - kLogHeaderSize;
        if (header.type != kFull && header.type != kFirst) continue;
        if (header.length <= available && IsWhole(header, next)) return true;
    }
    return false;
}

bool IsZero(const char* begin, const char* end) {
    return std::all_of(begin, end, [](char byte) { return byte == 0; });
}

class LogReader {
  public:
    LogReader(const std::string& name, size_t limit,
              const std::function<bool(const std::string&)>& record,
              std::vector<LogWatch>* watches)
        : name_(name), limit_(limit), record_(record), watches_(watches) {
        Watch(0);
    }

    // The next block of the file; the last one is shorter than the others, if only by nothing.
    Failure Take(const char* begin, const char* end, bool is_last) {
        const uint64_t start = end_.length;
        end_.length += static_cast<uint64_t>(end - begin);
        const char* next = begin;
        while (end_.kind == LogEnd::kWhole && end - next >= static_cast<ptrdiff_t>(kLogHeaderSize)) {
            const uint64_t place = start + static_cast<uint64_t>(next - begin);
            const Header header(next);
            const size_t available = static_cast<size_t>(end - next) - kLogHeaderSize;
            const bool is_within = header.length <= available;
            if (header.IsZero()) {
                end_.kind = LogEnd::kZeroed;
            } else if (!is_within || !IsWhole(header, next)) {
                if (IsWholeButDamaged(header, next, end)) {
                    return Damaged("the last record is damaged", place);
                }
                end_.kind = is_last && !is_within ? LogEnd::kTorn : LogEnd::kDamaged;
                bad_ = place;
                next++;
            } else {
                const Failure failure = Add(header, next + kLogHeaderSize, place);
                if (!failure.ok()) return failure;
                if (watches_ != nullptr) digest_ = DigestOfRecord(digest_, next);
                next += kLogHeaderSize + header.length;
                Watch(start + static_cast<uint64_t>(next - begin));
                if (!within_) end_.offset = start + static_cast<uint64_t>(next - begin);
            }
        }
        if (end_.kind == LogEnd::kWhole) {
            if (is_last && next != end) end_.kind = LogEnd::kTorn;
            return Failure();
        }
        return TakeBehind(next, end);
    }

    LogEnd end() const {
        LogEnd end = end_;
        if (end.kind == LogEnd::kWhole && within_) end.kind = LogEnd::kTorn;
        // What is behind the last record of a block is no part of any.
        if (end.kind == LogEnd::kWhole) end.offset = end.length;
        return end;
    }

  private:
    // What comes behind the end of the records.
    Failure TakeBehind(const char* begin, const char* end) {
        if (end_.kind == LogEnd::kZeroed && !IsZero(begin, end)) {
            end_.kind = LogEnd::kDamaged;
            bad_ = end_.offset;
        }
        if (end_.kind != LogEnd::kZeroed && HasWrite(begin, end)) {
            return Damaged("a record is damaged, and there are others behind it", bad_);
        }
        return Failure();
    }

    void Watch(uint64_t length) {
        if (watches_ == nullptr) return;
        for (LogWatch& watch : *watches_) {
            if (watch.length != length) continue;
            watch.is_reached = true;
            watch.digest = digest_;
        }
    }

    Failure Add(const Header& header, const char* payload, uint64_t place) {
        const bool begins = header.type == kFull || header.type == kFirst;
        if (header.type == kZero || header.type > kLast || begins == within_) {
            return Damaged("a record is incomplete", place);
        }
        if (begins) kept_.clear();
        kept_.append(payload, std::min(header.length, limit_ - kept_.size()));
        within_ = header.type == kFirst || header.type == kMiddle;
        if (!within_ && !record_(kept_)) return Damaged("a record makes no sense", place);
        return Failure();
    }

    Failure Damaged(const char* what, uint64_t place) const {
        return Failure{CLDB_CORRUPTION, name_ + " at byte " + std::to_string(place) + ": " + what +
                                            "; nothing was changed"};
    }

    const std::string& name_;
    const size_t limit_;
    const std::function<bool(const std::string&)>& record_;
    std::vector<LogWatch>* const watches_;
    uint64_t digest_ = 0;
    std::string kept_;
    bool within_ = false;
    LogEnd end_;
    uint64_t bad_ = 0;
};

// Finds the records of a log wherever they are.
class RecordSearch {
  public:
    explicit RecordSearch(const std::function<void(const std::string&, bool)>& record)
        : record_(record) {}

    void Take(leveldb::Slice block, bool is_last) {
        if (block.empty()) Lose();
        while (block.size() >= kLogHeaderSize) {
            const Header header(block.data());
            if (header.type != kZero && header.type <= kLast &&
                header.length <= block.size() - kLogHeaderSize && IsWhole(header, block.data())) {
                Add(header, block.data() + kLogHeaderSize);
                block.remove_prefix(kLogHeaderSize + header.length);
            } else {
                Lose();
                block.remove_prefix(1);
            }
        }
        // The end of a block that has no room for a header is empty.
        if (is_last && !block.empty()) Lose();
    }

    bool is_whole() const { return is_whole_; }

  private:
    void Lose() {
        is_whole_ = within_ = false;
        is_after_damage_ = true;
    }

    void Add(const Header& header, const char* payload) {
        const bool begins = header.type == kFull || header.type == kFirst;
        if (begins) kept_.clear();
        // The rest of a record whose beginning is lost.
        if (!begins && !within_) return Lose();
        // One that goes on in no other.
        if (begins && within_) Lose();
        kept_.append(payload, header.length);
        within_ = header.type == kFirst || header.type == kMiddle;
        is_whole_ = !within_;
        if (within_) return;
        record_(kept_, is_after_damage_);
        is_after_damage_ = false;
    }

    const std::function<void(const std::string&, bool)>& record_;
    std::string kept_;
    bool within_ = false;
    bool is_whole_ = true;
    bool is_after_damage_ = false;
};

}  // namespace

Failure ReadLog(Directory* directory, const std::string& name, size_t limit,
                const std::function<bool(const std::string&)>& record, LogEnd* end,
                std::vector<LogWatch>* watches) {
    const int descriptor = directory->OpenFile(name, O_RDONLY);
    if (descriptor < 0) return FailureOf(StatusOfErrno(name, "open", errno));
    TableFile file(directory, name, descriptor);
    LogReader reader(name, limit, record, watches);
    std::vector<char> buffer(kBlockSize);
    for (uint64_t offset = 0;; offset += kBlockSize) {
        leveldb::Slice block;
        const leveldb::Status status = file.Read(offset, kBlockSize, &block, buffer.data());
        if (!status.ok()) return FailureOf(status);
        const bool is_last = block.size() < kBlockSize;
        const Failure failure = reader.Take(block.data(), block.data() + block.size(), is_last);
        if (!failure.ok()) return failure;
        if (is_last) break;
    }
    *end = reader.end();
    return Failure();
}

bool ReadAroundDamage(Directory* directory, const std::string& name,
                      const std::function<void(const std::string&, bool)>& record) {
    const int descriptor = directory->OpenFile(name, O_RDONLY);
    uint64_t size;
    if (descriptor < 0) return false;
    TableFile file(directory, name, descriptor);
    if (!directory->Size(name, &size).ok()) return false;
    RecordSearch search(record);
    std::vector<char> buffer(kBlockSize);
    for (uint64_t offset = 0; offset < size; offset += kBlockSize) {
        leveldb::Slice block;
        const bool is_read = file.Read(offset, kBlockSize, &block, buffer.data()).ok();
        search.Take(is_read ? block : leveldb::Slice(), offset + kBlockSize >= size);
    }
    return search.is_whole();
}

}  // namespace cldb

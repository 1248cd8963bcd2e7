#include "LogReader.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "Checksum.h"
#include "Files.h"

namespace cldb {

namespace {

constexpr size_t kBlockSize = 32 << 10;
constexpr size_t kHeaderSize = 7;

enum RecordType : uint8_t { kZero = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

struct Header {
    explicit Header(const char* bytes) {
        const auto* data = reinterpret_cast<const uint8_t*>(bytes);
        checksum = data[0] | data[1] << 8 | data[2] << 16 | static_cast<uint32_t>(data[3]) << 24;
        length = static_cast<size_t>(data[4] | data[5] << 8);
        type = data[6];
    }

    uint32_t checksum;
    size_t length;
    uint8_t type;
};

// Whether the record's checksum fits some shorter payload than its length says: then the length is
// damaged. By chance this is so once in 2^32 / 2^15 torn records.
bool IsLengthDamaged(const Header& header, const char* begin, const char* end) {
    // The checksum covers the type, the last byte of the header.
    uint32_t checksum = ExtendChecksum(0, begin + kHeaderSize - 1, 1);
    for (const char* next = begin + kHeaderSize;; next++) {
        if (MaskedChecksum(checksum) == header.checksum) return true;
        if (next == end) return false;
        checksum = ExtendChecksum(checksum, next, 1);
    }
}

// Whether a complete record begins anywhere behind the first byte. None does behind a write that was
// cut short, as writes go one after another.
bool HasRecordBehind(const char* begin, const char* end) {
    for (const char* next = begin + 1; end - next >= static_cast<ptrdiff_t>(kHeaderSize); next++) {
        const Header header(next);
        const size_t available = static_cast<size_t>(end - next) - kHeaderSize;
        if (header.type == kZero || header.type > kLast || header.length > available) continue;
        const uint32_t checksum = ExtendChecksum(0, next + kHeaderSize - 1, 1 + header.length);
        if (MaskedChecksum(checksum) == header.checksum) return true;
    }
    return false;
}

bool IsZero(const char* begin, const char* end) {
    return std::all_of(begin, end, [](char byte) { return byte == 0; });
}

class LogReader {
  public:
    LogReader(const std::string& name, size_t limit,
              const std::function<bool(const std::string&)>& record)
        : name_(name), limit_(limit), record_(record) {}

    // A block of the file; the last one is shorter than the others, if only by nothing.
    Failure Take(const char* begin, const char* end, bool is_last) {
        while (static_cast<size_t>(end - begin) >= kHeaderSize) {
            if (zeroed_) return IsZero(begin, end) ? Failure() : Damaged("data behind unused space");
            const Header header(begin);
            if (header.type == kZero && header.length == 0) {
                // Space that was allocated and never written: nothing may come behind it.
                zeroed_ = true;
                continue;
            }
            const size_t available = static_cast<size_t>(end - begin) - kHeaderSize;
            if (header.length > available) {
                if (!is_last || IsLengthDamaged(header, begin, end) ||
                    HasRecordBehind(begin, end)) {
                    return Damaged("the length of a record is damaged");
                }
                torn_ = true;
                return Failure();
            }
            const Failure failure = Add(header, begin + kHeaderSize);
            if (!failure.ok()) return failure;
            begin += kHeaderSize + header.length;
        }
        if (is_last && begin != end) torn_ = true;
        return Failure();
    }

    bool torn() const { return torn_ || within_; }

  private:
    Failure Add(const Header& header, const char* payload) {
        const bool begins = header.type == kFull || header.type == kFirst;
        if (header.type > kLast || begins == within_) return Damaged("a record is incomplete");
        if (begins) kept_.clear();
        kept_.append(payload, std::min(header.length, limit_ - kept_.size()));
        within_ = header.type == kFirst || header.type == kMiddle;
        if (!within_ && !record_(kept_)) return Damaged("a record that makes no sense");
        return Failure();
    }

    Failure Damaged(const char* what) const {
        return Failure{CLDB_CORRUPTION, name_ + ": " + what + "; nothing was changed"};
    }

    const std::string& name_;
    const size_t limit_;
    const std::function<bool(const std::string&)>& record_;
    std::string kept_;
    bool within_ = false;
    bool zeroed_ = false;
    bool torn_ = false;
};

}  // namespace

Failure ReadLog(Directory* directory, const std::string& name, size_t limit,
                const std::function<bool(const std::string&)>& record, LogSummary* summary) {
    const int descriptor = directory->OpenFile(name, O_RDONLY);
    if (descriptor < 0) return FailureOf(StatusOfErrno(name, "open", errno));
    TableFile file(directory, name, descriptor);
    LogReader reader(name, limit, record);
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
    summary->torn = reader.torn();
    return Failure();
}

}  // namespace cldb

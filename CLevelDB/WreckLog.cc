#include "WreckLog.h"

#include <algorithm>

#include "LogReader.h"
#include "Varint.h"

namespace cldb {

namespace {

using leveldb::Slice;

// The sequence number of the first of its operations, and how many they are.
constexpr size_t kBatchHeaderSize = 12;
constexpr uint8_t kDeletion = 0, kValue = 1;

bool TakePrefixed(Slice* bytes, std::string* part) {
    uint64_t length;
    if (!TakeVarint(bytes, &length) || length > bytes->size()) return false;
    part->assign(bytes->data(), length);
    bytes->remove_prefix(length);
    return true;
}

}  // namespace

class WreckLog::Entries final : public WreckEntries {
  public:
    explicit Entries(const std::vector<Version>& versions) : versions_(versions) {}

    bool Next() override {
        if (next_ == versions_.size()) return false;
        const Version& version = versions_[next_++];
        entry_ = {version.key, version.sequence, version.is_value, version.value};
        return true;
    }

  private:
    const std::vector<Version>& versions_;
    size_t next_ = 0;
};

void WreckLog::Read(Directory* directory, const std::string& name) {
    last_file_ = name;
    // What is missing of the log before comes before the first write of this one.
    bool is_behind = !ends_whole_;
    ends_whole_ = ReadAroundDamage(
        directory, name, [&](const std::string& batch, bool is_after_damage) {
            Add(name, batch, is_after_damage || is_behind);
            is_behind = false;
        });
    if (is_behind) ends_whole_ = false;
}

void WreckLog::Miss(const std::string& name) {
    last_file_ = name;
    ends_whole_ = false;
}

void WreckLog::Add(const std::string& name, Slice batch, bool is_after_damage) {
    if (batch.size() < kBatchHeaderSize) return;
    Batch added = {name, Fixed64(batch.data()), Fixed32(batch.data() + 8), false, is_after_damage};
    batch.remove_prefix(kBatchHeaderSize);
    uint64_t sequence = added.first;
    while (!batch.empty()) {
        Version version;
        const auto kind = static_cast<uint8_t>(batch[0]);
        batch.remove_prefix(1);
        if (kind > kValue || !TakePrefixed(&batch, &version.key)) break;
        version.is_value = kind != kDeletion;
        if (version.is_value && !TakePrefixed(&batch, &version.value)) break;
        version.sequence = sequence++;
        versions_.push_back(std::move(version));
    }
    added.is_whole = batch.empty() && sequence - added.first == added.count;
    batches_.push_back(std::move(added));
}

void WreckLog::Sort() {
    std::sort(versions_.begin(), versions_.end(), [](const Version& a, const Version& b) {
        const int order = a.key.compare(b.key);
        return order != 0 ? order < 0 : a.sequence > b.sequence;
    });
    std::sort(batches_.begin(), batches_.end(),
              [](const Batch& a, const Batch& b) { return a.first < b.first; });
}

std::vector<WreckLog::Gap> WreckLog::Gaps(uint64_t highest_first) const {
    std::vector<Gap> gaps;
    // The first of them may be in tables already.
    uint64_t next = batches_.empty() ? 0 : std::min(highest_first, batches_.front().first);
    for (const Batch& batch : batches_) {
        if (batch.is_after_damage || batch.first > next) {
            gaps.push_back({batch.file, batch.first - 1});
        }
        next = std::max(next, batch.first + batch.count);
        if (!batch.is_whole) gaps.push_back({batch.file, next - 1});
    }
    if (!ends_whole_) gaps.push_back({last_file_, UINT64_MAX});
    return gaps;
}

std::unique_ptr<WreckEntries> WreckLog::NewEntries() const {
    return std::unique_ptr<WreckEntries>(new Entries(versions_));
}

}  // namespace cldb

#include "WreckTable.h"

#include <fcntl.h>

#include <algorithm>

#include "BlockSearch.h"
#include "Checksum.h"
#include "TableFooter.h"
#include "Varint.h"

namespace cldb {

namespace {

using leveldb::Slice;

// After each key: its sequence number and whether it is a value, in 8 bytes.
constexpr size_t kTrailerSize = 8;
constexpr uint8_t kDeletion = 0, kValue = 1;
// Keys in an index of blocks may have this one, and no entry has.
constexpr uint64_t kHighestSequence = (1ull << 56) - 1;
constexpr size_t kPieceSize = 64 << 10;

// False for what is no entry of a database.
bool Decode(const leveldb::Iterator& iterator, WreckEntry* entry) {
    const Slice key = iterator.key();
    if (key.size() < kTrailerSize) return false;
    const uint64_t trailer = Fixed64(key.data() + key.size() - kTrailerSize);
    const uint8_t kind = trailer & 0xff;
    entry->key = Slice(key.data(), key.size() - kTrailerSize);
    entry->sequence = trailer >> 8;
    entry->is_value = kind == kValue;
    entry->value = iterator.value();
    return kind <= kValue && entry->sequence < kHighestSequence;
}

bool TakePlace(Slice* bytes, BlockPlace* place) {
    return TakeVarint(bytes, &place->offset) && TakeVarint(bytes, &place->size);
}

class RunEntries final : public WreckEntries {
  public:
    explicit RunEntries(std::vector<const TableRun*> runs) : runs_(std::move(runs)) {}

    bool Next() override {
        if (iterator_ != nullptr) iterator_->Next();
        while (iterator_ == nullptr || !iterator_->Valid()) {
            if (iterator_ != nullptr && !iterator_->status().ok()) failed_ = true;
            if (failed_ || next_ == runs_.size()) return false;
            iterator_ = runs_[next_++]->NewIterator();
            iterator_->SeekToFirst();
        }
        failed_ = !Decode(*iterator_, &entry_);
        return !failed_;
    }

  private:
    const std::vector<const TableRun*> runs_;
    size_t next_ = 0;
    std::unique_ptr<leveldb::Iterator> iterator_;
};

}  // namespace

void WreckTable::Layout::Add(const BlockPlace& place, bool after_gap) {
    if (runs.empty()) has_gap_before = after_gap;
    if (runs.empty() || after_gap) runs.emplace_back();
    runs.back().push_back(place);
}

WreckTable::WreckTable(Directory* directory, std::string name, const KeyRange& bounds)
    : name_(std::move(name)) {
    Layout layout;
    if (!Open(directory)) {
        lost_.push_back(bounds);
        return;
    }
    if (!ReadIndex(&layout)) {
        layout = Layout();
        Search(&layout);
    }
    KeyRange gap = bounds;
    bool has_gap = layout.has_gap_before || layout.runs.empty();
    for (size_t index = 0; index < layout.runs.size(); index++) {
        const bool is_last = index + 1 == layout.runs.size();
        std::unique_ptr<Run> run = OpenRun(layout.runs[index]);
        if (run == nullptr) {
            has_gap = true;
            continue;
        }
        gap.has_to = true;
        gap.to = run->first_key;
        if (has_gap) lost_.push_back(gap);
        gap = bounds;
        gap.has_from = gap.is_after = true;
        gap.from = run->last_key;
        has_gap = !is_last || layout.has_gap_after;
        runs_.push_back(std::move(run));
    }
    if (has_gap) lost_.push_back(gap);
}

std::unique_ptr<WreckEntries> WreckTable::NewEntries() const {
    std::vector<const TableRun*> runs;
    for (const auto& run : runs_) runs.push_back(run->blocks.get());
    return std::unique_ptr<WreckEntries>(new RunEntries(std::move(runs)));
}

bool WreckTable::Open(Directory* directory) {
    const int descriptor = directory->OpenFile(name_, O_RDONLY);
    if (descriptor < 0) return false;
    // Of many tables not all can be kept open.
    directory->disk().CloseFile(descriptor);
    file_.reset(new TableFile(directory, name_));
    return directory->Size(name_, &size_).ok();
}

// MARK: Where the blocks are

bool WreckTable::ReadFooter(BlockPlace* index) const {
    char buffer[kTableFooterSize];
    Slice footer;
    BlockPlace metadata;
    return size_ >= kTableFooterSize &&
           file_->Read(size_ - kTableFooterSize, sizeof buffer, &footer, buffer).ok() &&
           IsTableFooter(footer, size_) && TakePlace(&footer, &metadata) &&
           TakePlace(&footer, index);
}

bool WreckTable::IsWhole(const BlockPlace& place) const {
    if (place.offset > size_ || place.size > size_ - place.offset ||
        size_ - place.offset - place.size < kBlockTrailerSize) {
        return false;
    }
    std::string buffer(place.size + kBlockTrailerSize, 0);
    Slice bytes;
    if (!file_->Read(place.offset, buffer.size(), &bytes, &buffer[0]).ok()) return false;
    if (bytes.size() != buffer.size()) return false;
    const uint32_t checksum = ExtendChecksum(0, bytes.data(), place.size + 1);
    return MaskedChecksum(checksum) == Fixed32(bytes.data() + place.size + 1);
}

bool WreckTable::ReadIndex(Layout* layout) const {
    BlockPlace index;
    if (!ReadFooter(&index) || !IsWhole(index)) return false;
    const std::unique_ptr<TableRun> block = TableRun::Open(file_.get(), size_, {index});
    if (block == nullptr) return false;
    const auto entry = block->NewIterator();
    bool after_gap = false;
    for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
        Slice value = entry->value();
        BlockPlace place;
        if (TakePlace(&value, &place) && IsWhole(place)) {
            layout->Add(place, after_gap);
            after_gap = false;
        } else {
            after_gap = true;
        }
    }
    layout->has_gap_after = after_gap;
    return entry->status().ok();
}

std::string WreckTable::ReadAll(uint64_t length) const {
    std::string bytes(length, 0);
    for (uint64_t offset = 0; offset < length; offset += kPieceSize) {
        char* const piece = &bytes[offset];
        const size_t size = std::min<uint64_t>(kPieceSize, length - offset);
        Slice read;
        // What the disk does not give any more is zero here, and so no block.
        if (!file_->Read(offset, size, &read, piece).ok()) std::fill(piece, piece + size, 0);
    }
    return bytes;
}

void WreckTable::Search(Layout* layout) const {
    // Not only up to where the footer says that the index begins: that may be what is damaged.
    const std::string bytes = ReadAll(size_);
    std::unique_ptr<Run> last;
    // The blocks of entries come first. After them come others, of which the last one is the index: its entries have keys, too.
    const auto is_next = [&](const BlockPlace& place) {
        if (place.offset + place.size + kBlockTrailerSize + kTableFooterSize == size_) return false;
        std::unique_ptr<Run> run = OpenRun({place});
        if (run == nullptr || (last != nullptr && !run->IsAfter(*last))) return false;
        last = std::move(run);
        return true;
    };
    uint64_t next = 0;
    bool after_gap = false;
    while (next < bytes.size()) {
        BlockPlace place;
        if (FindBlockAt(bytes, next, &place)) {
            if (!is_next(place)) return;
        } else {
            const std::vector<BlockPlace> found = FindBlocks(bytes, next);
            const auto first = std::find_if(found.begin(), found.end(), is_next);
            if (first == found.end()) break;
            place = *first;
            after_gap = true;
        }
        layout->Add(place, after_gap);
        after_gap = false;
        next = place.offset + place.size + kBlockTrailerSize;
    }
    layout->has_gap_after = true;
}

bool WreckTable::Run::IsAfter(const Run& other) const {
    const int order = Slice(first_key).compare(other.last_key);
    return order > 0 || (order == 0 && first_sequence < other.last_sequence);
}

std::unique_ptr<WreckTable::Run> WreckTable::OpenRun(const std::vector<BlockPlace>& blocks) const {
    std::unique_ptr<Run> run(new Run);
    run->blocks = TableRun::Open(file_.get(), size_, blocks);
    if (run->blocks == nullptr) return nullptr;
    const auto iterator = run->blocks->NewIterator();
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        WreckEntry entry;
        if (!Decode(*iterator, &entry)) return nullptr;
        const bool is_first = run->entry_count++ == 0;
        const int order = is_first ? 1 : entry.key.compare(run->last_key);
        if (order < 0 || (order == 0 && entry.sequence >= run->last_sequence)) return nullptr;
        if (is_first) {
            run->first_key = entry.key.ToString();
            run->first_sequence = entry.sequence;
        }
        run->last_key = entry.key.ToString();
        run->last_sequence = entry.sequence;
    }
    if (run->entry_count == 0 || !iterator->status().ok()) return nullptr;
    return run;
}

}  // namespace cldb

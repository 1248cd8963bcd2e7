#include "TableRun.h"

#include <algorithm>

#include "Checksum.h"
#include "Varint.h"
#include "leveldb/options.h"

namespace cldb {

namespace {

void AppendPlace(std::string* output, const BlockPlace& place) {
    AppendVarint(output, place.offset);
    AppendVarint(output, place.size);
}

// A block of entries, one for each place, whose keys nobody looks at.
std::string BlockOfPlaces(const std::vector<BlockPlace>& places) {
    std::string block;
    for (const BlockPlace& place : places) {
        std::string value;
        AppendPlace(&value, place);
        // What the key shares with the one before, the rest of it, and the value.
        AppendVarint(&block, 0);
        AppendVarint(&block, 1);
        AppendVarint(&block, value.size());
        block += "k" + value;
    }
    // The one place to begin from, and how many there are.
    AppendFixed32(&block, 0);
    AppendFixed32(&block, 1);
    return block;
}

}  // namespace

leveldb::Status TableRun::File::Read(uint64_t offset, size_t length, leveldb::Slice* result,
                                     char* scratch) const {
    if (offset < size_) return file_->Read(offset, length, result, scratch);
    const uint64_t start = std::min<uint64_t>(offset - size_, tail_.size());
    *result = leveldb::Slice(tail_.data() + start, std::min<size_t>(length, tail_.size() - start));
    return leveldb::Status::OK();
}

std::unique_ptr<TableRun> TableRun::Open(const leveldb::RandomAccessFile* file, uint64_t size,
                                         const std::vector<BlockPlace>& blocks) {
    std::string tail = BlockOfPlaces(blocks);
    const BlockPlace index = {size, tail.size()};
    // Neither is compressed.
    tail.push_back(0);
    AppendFixed32(&tail, MaskedChecksum(ExtendChecksum(0, tail.data(), tail.size())));
    std::string footer;
    AppendPlace(&footer, index);  // of metadata: not read without a filter
    AppendPlace(&footer, index);
    footer.resize(40);
    footer.append("\x57\xfb\x80\x8b\x24\x75\x47\xdb", 8);
    tail += footer;

    std::unique_ptr<TableRun> run(new TableRun);
    const uint64_t end = size + tail.size();
    run->file_.reset(new File(file, size, std::move(tail)));
    leveldb::Options options;
    options.paranoid_checks = true;
    leveldb::Table* opened = nullptr;
    if (!leveldb::Table::Open(options, run->file_.get(), end, &opened).ok()) return nullptr;
    run->table_.reset(opened);
    return run;
}

std::unique_ptr<leveldb::Iterator> TableRun::NewIterator() const {
    leveldb::ReadOptions read;
    read.verify_checksums = true;
    read.fill_cache = false;
    return std::unique_ptr<leveldb::Iterator>(table_->NewIterator(read));
}

}  // namespace cldb

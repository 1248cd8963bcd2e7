#include "Wreck.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "CLevelDB.h"
#include "Files.h"
#include "LogReader.h"
#include "TableFooter.h"
#include "Varint.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/table.h"

namespace cldb {

namespace {

using leveldb::Slice;

// Behind each key in a table: its sequence number and whether it is a value, in 8 bytes.
constexpr size_t kTrailerSize = 8;
constexpr uint8_t kDeletion = 0, kValue = 1;
constexpr size_t kBatchHeaderSize = 12;

void ReadTable(Directory* directory, const std::string& name, const EntryConsumer& consume) {
    const int descriptor = directory->OpenFile(name, O_RDONLY);
    if (descriptor < 0) return;
    TableFile file(directory, name, descriptor);
    uint64_t size;
    char buffer[kTableFooterSize];
    Slice footer;
    if (!directory->Size(name, &size).ok() ||
        !file.Read(size - std::min(size, kTableFooterSize), sizeof buffer, &footer, buffer).ok() ||
        !IsTableFooter(footer, size)) {
        return;
    }
    leveldb::Options options;
    options.paranoid_checks = true;
    leveldb::Table* opened = nullptr;
    if (!leveldb::Table::Open(options, &file, size, &opened).ok()) return;
    const std::unique_ptr<leveldb::Table> table(opened);
    leveldb::ReadOptions read;
    read.verify_checksums = true;
    read.fill_cache = false;
    // Steps alone, which compare no keys: the order of the keys with their trailers is LevelDB's own. Blocks with a
    // wrong checksum are passed over.
    const std::unique_ptr<leveldb::Iterator> entry(table->NewIterator(read));
    for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
        const Slice key = entry->key();
        if (key.size() < kTrailerSize ||
            static_cast<uint8_t>(key[key.size() - kTrailerSize]) != kValue) {
            continue;
        }
        consume(Slice(key.data(), key.size() - kTrailerSize), entry->value());
    }
}

bool TakePrefixed(Slice* bytes, Slice* part) {
    uint64_t length;
    if (!TakeVarint(bytes, &length) || length > bytes->size()) return false;
    *part = Slice(bytes->data(), length);
    bytes->remove_prefix(length);
    return true;
}

void ReadBatch(Slice batch, const EntryConsumer& consume) {
    if (batch.size() < kBatchHeaderSize) return;
    batch.remove_prefix(kBatchHeaderSize);
    while (!batch.empty()) {
        const uint8_t kind = static_cast<uint8_t>(batch[0]);
        batch.remove_prefix(1);
        Slice key, value;
        if (kind > kValue || !TakePrefixed(&batch, &key)) return;
        if (kind == kDeletion) continue;
        if (!TakePrefixed(&batch, &value)) return;
        consume(key, value);
    }
}

}  // namespace

Failure ReadWreck(const std::string& path, const EntryConsumer& consume) {
    std::unique_ptr<Directory> directory;
    std::unique_ptr<DirectoryLock> lock;
    const Failure failure = Directory::OpenLocked(
        path, false, false, [](Directory*) { return Failure(); }, &directory, &lock);
    if (!failure.ok()) return failure;
    std::vector<std::string> names;
    const leveldb::Status status = directory->ListFiles(&names);
    if (!status.ok()) return FailureOf(status);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        const FileKind kind = KindOfName(name);
        if (kind == FileKind::kTable) ReadTable(directory.get(), name, consume);
        if (kind == FileKind::kLog) {
            LogEnd end;
            // Of a damaged log what comes before the damage.
            (void)ReadLog(
                directory.get(), name, SIZE_MAX,
                [&](const std::string& batch) {
                    ReadBatch(batch, consume);
                    return true;
                },
                &end);
        }
    }
    return Failure();
}

}  // namespace cldb

extern "C" cldb_code cldb_read_wreck(const char* path,
                                     void (*consume)(void*, const void*, size_t, const void*,
                                                     size_t),
                                     void* context, char** message) {
    *message = nullptr;
    try {
        return cldb::ReadWreck(path,
                               [&](leveldb::Slice key, leveldb::Slice value) {
                                   consume(context, key.data(), key.size(), value.data(),
                                           value.size());
                               })
            .Report(message);
    } catch (...) {
        return CLDB_IO;
    }
}

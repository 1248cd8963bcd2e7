// What the machine and LevelDB reach on their own, for the engines' figures to be set beside.
//   ceilings FOLDER      the folder is created, and removed at the end
#include <leveldb/db.h>
#include <leveldb/write_batch.h>

#include <filesystem>
#include <memory>
#include <random>

#include "peers.hpp"

using namespace peers;

namespace {

void report(const char* what, double value, const char* unit) {
    printf("{\"op\":\"ceiling\",\"engine\":\"raw\",\"what\":\"%s\",\"value\":%.3f,"
           "\"unit\":\"%s\"}\n",
           what, value, unit);
}

void check(const leveldb::Status& status) {
    if (status.ok()) return;
    fprintf(stderr, "ceilings: %s\n", status.ToString().c_str());
    exit(1);
}

/// Reading and copying memory that is far larger than any cache.
void memoryBandwidth() {
    std::vector<uint64_t> from(32 << 20, 1), to(32 << 20, 2);
    const double bytes = double(from.size() * sizeof(uint64_t));
    double reading = 0, copying = 0;
    uint64_t sum = 0;
    for (int round = 0; round < 5; ++round) {
        double start = now();
        for (const uint64_t value : from) sum += value;
        reading = std::max(reading, bytes / (now() - start));
        start = now();
        memcpy(to.data(), from.data(), size_t(bytes));
        copying = std::max(copying, bytes / (now() - start));
        from[size_t(round)] = to[size_t(round)] + sum;
    }
    report("memory, read by one thread", reading / 1e9, "GB/s");
    report("memory, copied by one thread", copying / 1e9, "GB/s");
}

/// Writes entries in the order of their keys, in batches of 1 MB, then scans them.
void leveldbEntries(const std::string& folder, const char* name, size_t count, size_t length) {
    std::filesystem::remove_all(folder);
    leveldb::Options options;
    options.create_if_missing = true;
    leveldb::DB* opened = nullptr;
    check(leveldb::DB::Open(options, folder, &opened));
    const std::unique_ptr<leveldb::DB> database(opened);
    std::mt19937_64 random(42);
    std::string value(length, ' ');
    leveldb::WriteBatch batch;
    size_t bytes = 0;
    const double start = now();
    for (size_t i = 0; i < count; ++i) {
        char key[17];
        snprintf(key, sizeof key, "%016zx", i);
        for (size_t at = 0; at + 8 <= length; at += 8) {
            const uint64_t part = random();
            memcpy(&value[at], &part, 8);
        }
        batch.Put(leveldb::Slice(key, 16), value);
        bytes += 16 + length;
        if (batch.ApproximateSize() < 1 << 20) continue;
        check(database->Write({}, &batch));
        batch.Clear();
    }
    check(database->Write({}, &batch));
    report((std::string("LevelDB, written in order, ") + name).c_str(),
           double(bytes) / 1e6 / (now() - start), "MB/s");
    database->CompactRange(nullptr, nullptr);
    for (int pass = 0; pass < 2; ++pass) {
        leveldb::ReadOptions reading;
        reading.verify_checksums = true;
        reading.fill_cache = false;
        const double begin = now();
        size_t read = 0;
        const std::unique_ptr<leveldb::Iterator> iterator(database->NewIterator(reading));
        for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next())
            read += iterator->key().size() + iterator->value().size();
        check(iterator->status());
        if (pass == 1)
            report((std::string("LevelDB, scanned, ") + name).c_str(),
                   double(read) / 1e6 / (now() - begin), "MB/s");
    }
    if (length >= 1024) return;
    leveldb::ReadOptions reading;
    const double begin = now();
    const size_t seeks = 100'000;
    for (size_t i = 0; i < seeks; ++i) {
        char key[17];
        snprintf(key, sizeof key, "%016zx", size_t(random() % count));
        const std::unique_ptr<leveldb::Iterator> iterator(database->NewIterator(reading));
        iterator->Seek(leveldb::Slice(key, 16));
    }
    report("LevelDB, new iterator and seek", (now() - begin) * 1e6 / double(seeks), "µs");
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        fprintf(stderr, "ceilings: name a folder\n");
        return 2;
    }
    memoryBandwidth();
    leveldbEntries(arguments[1], "entries of 24 bytes", 2'000'000, 8);
    leveldbEntries(arguments[1], "entries of 4 KB", 30'000, 4096);
    std::filesystem::remove_all(arguments[1]);
}

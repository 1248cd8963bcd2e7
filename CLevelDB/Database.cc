// The C interface to databases.

#include <exception>

#include "Handles.h"
#include "Links.h"
#include "Open.h"
#include "Reserve.h"

using cldb::CopyString;
using cldb::Failure;
using cldb::FailureOf;
using cldb::Guarded;
using cldb::SliceOf;

namespace {

// Two write buffers may have to become tables, and a log grow. A failed write would cost an opening
// anew, and that has need of space as well. A reserve that was given up is missing to what does not free
// space.
Failure CheckSpace(cldb_database* database, size_t size, bool uses_reserve) {
    cldb::Directory* directory = database->directory.get();
    const cldb_options& options = database->options;
    uint64_t needed = 2 * options.write_buffer_size + 2 * size + (1 << 20);
    const uint64_t reserve = cldb::ReserveSize(options);
    if (reserve > 0 && !uses_reserve && !cldb::HasReserve(*directory)) needed += reserve;
    const Failure failure = directory->CheckSpace(needed);
    if (failure.ok() || !uses_reserve || !cldb::GiveUpReserve(directory)) return failure;
    return directory->CheckSpace(needed);
}

}  // namespace

extern "C" {

cldb_code cldb_open(const char* path, cldb_mode mode, const cldb_options* options,
                    cldb_database** database, char** message) {
    *database = nullptr;
    *message = nullptr;
    cldb_database* handle = nullptr;
    try {
        handle = new cldb_database;
        handle->options = *options;
    } catch (...) {
        if (options->meanwhile != nullptr) options->meanwhile(options->meanwhile_context);
        return CLDB_IO;
    }
    const cldb_code code = Guarded(&handle->health, message, [&] {
        // What was read of tables before is not of this one.
        cldb::ForgetTable();
        return cldb::NamingTable(cldb::OpenDatabase(path, mode, handle)).Report(message);
    });
    // Where opening did not come so far.
    if (handle->options.meanwhile != nullptr) {
        handle->options.meanwhile(handle->options.meanwhile_context);
        handle->options.meanwhile = nullptr;
    }
    if (code == CLDB_OK) {
        *database = handle;
    } else if (!handle->health.broken()) {
        delete handle;
    }
    return code;
}

cldb_code cldb_begin_writing(cldb_database* database, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message,
                   [&] { return database->BeginWriting().Report(message); });
}

uint32_t cldb_fork_count(void) { return cldb::ForkGeneration(); }

cldb_code cldb_close(cldb_database* database, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message, [&] { return database->Close().Report(message); });
}

cldb_code cldb_reopen(cldb_database* database, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message, [&] { return database->Reopen().Report(message); });
}

cldb_cache* cldb_cache_create(size_t byte_count) {
    return new cldb_cache{std::shared_ptr<leveldb::Cache>(leveldb::NewLRUCache(byte_count))};
}

void cldb_cache_free(cldb_cache* cache) { delete cache; }

void cldb_free(cldb_database* database) {
    char* message = nullptr;
    cldb_close(database, &message);
    cldb_string_free(message);
    // Then its mutexes may be held for ever, or its threads be elsewhere.
    if (!database->health.broken() && !database->IsForked()) delete database;
}

cldb_code cldb_get(cldb_database* database, const void* key, size_t key_length, cldb_value* value,
                   char** message) {
    *value = cldb_value{nullptr, 0, nullptr};
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        if (key_length > CLDB_MAX_KEY_LENGTH) {
            return Failure{CLDB_INVALID_ARGUMENT, "the key is too long"}.Report(message);
        }
        leveldb::ReadOptions options;
        options.verify_checksums = true;
        std::unique_ptr<std::string> found(new std::string);
        const leveldb::Status status =
            database->db->Get(options, SliceOf(key, key_length), found.get());
        if (!status.ok()) {
            const Failure failure = cldb::NamingTable(FailureOf(status));
            return failure.code == CLDB_NOT_FOUND ? CLDB_NOT_FOUND : failure.Report(message);
        }
        *value = cldb_value{found->data(), found->size(), found.get()};
        found.release();
        return CLDB_OK;
    });
}

void cldb_value_free(void* owner) { delete static_cast<std::string *>(owner); }

cldb_code cldb_write(cldb_database* database, cldb_batch* batch, bool sync, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        if (batch == nullptr) return Failure{CLDB_IO, "no memory for the batch"}.Report(message);
        if (batch->error != nullptr) {
            return Failure{CLDB_INVALID_ARGUMENT, batch->error}.Report(message);
        }
        const std::shared_lock<std::shared_mutex> writing(database->writing);
        const Failure refusal = database->WhyNotWritable();
        if (!refusal.ok()) return refusal.Report(message);
        const Failure gone = database->CheckInPlace();
        if (!gone.ok()) return gone.Report(message);
        const Failure space = CheckSpace(database, batch->batch.ApproximateSize(), batch->uses_reserve);
        if (!space.ok()) return space.Report(message);
        leveldb::WriteOptions options;
        options.sync = sync;
        const leveldb::Status status = database->db->Write(options, &batch->batch);
        if (status.ok()) return CLDB_OK;
        database->health.Poison(FailureOf(status));
        return database->health.Refusal().Report(message);
    });
}

cldb_code cldb_begin_table(cldb_database* database, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        // Alone: behind another write it would be taken for done with that.
        const std::unique_lock<std::shared_mutex> writing(database->writing);
        const Failure refusal = database->WhyNotWritable();
        if (!refusal.ok()) return refusal.Report(message);
        // Nothing depends on it.
        if (!CheckSpace(database, 0, false).ok()) return CLDB_OK;
        // No batch is LevelDB's own sign for a change of the write buffer.
        const leveldb::Status status = database->db->Write(leveldb::WriteOptions(), nullptr);
        if (status.ok()) return CLDB_OK;
        database->health.Poison(FailureOf(status));
        return database->health.Refusal().Report(message);
    });
}

cldb_code cldb_compact(cldb_database* database, const void* start, size_t start_length,
                       const void* end, size_t end_length, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        const std::unique_lock<std::shared_mutex> writing(database->writing);
        const Failure refusal = database->WhyNotWritable();
        if (!refusal.ok()) return refusal.Report(message);
        const leveldb::Slice from = SliceOf(start, start_length), to = SliceOf(end, end_length);
        if (start != nullptr && end != nullptr) {
            if (from.compare(to) > 0) return CLDB_OK;
            uint64_t size = 0;
            const leveldb::Range range(from, to);
            database->db->GetApproximateSizes(&range, 1, &size);
            // What is rewritten is there twice for a moment.
            const Failure space = size == 0 ? Failure() : CheckSpace(database, size / 2, true);
            if (!space.ok()) return space.Report(message);
        }
        database->db->CompactRange(start == nullptr ? nullptr : &from,
                                   end == nullptr ? nullptr : &to);
        // It has no result; what went wrong shows at the next write.
        leveldb::WriteBatch nothing;
        const leveldb::Status status = database->db->Write(leveldb::WriteOptions(), &nothing);
        if (!status.ok()) database->health.Poison(FailureOf(status));
        if (database->health.poisoned()) return database->health.Refusal().Report(message);
        return CLDB_OK;
    });
}

cldb_code cldb_approximate_size(cldb_database* database, const void* start, size_t start_length,
                                const void* end, size_t end_length, uint64_t *size,
                                char** message) {
    *size = 0;
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        const leveldb::Range range(SliceOf(start, start_length), SliceOf(end, end_length));
        if (range.start.compare(range.limit) < 0) {
            database->db->GetApproximateSizes(&range, 1, size);
        }
        return CLDB_OK;
    });
}

char* cldb_property(cldb_database* database, const char* name) {
    char* message = nullptr;
    char* result = nullptr;
    Guarded(&database->health, &message, [&]() -> cldb_code {
        const Call call(database);
        std::string value;
        if (call.refusal().ok() && database->db->GetProperty(name, &value)) {
            result = CopyString(value);
        }
        return CLDB_OK;
    });
    cldb_string_free(message);
    return result;
}

size_t cldb_tail_count(const cldb_database* database) { return database->tails.size(); }

cldb_tail cldb_tail_at(const cldb_database* database, size_t index) {
    const cldb::LogTail& tail = database->tails[index];
    return cldb_tail{tail.file.c_str(), tail.copy.empty() ? nullptr : tail.copy.c_str(),
                     tail.end.offset, tail.length()};
}

bool cldb_is_poisoned(cldb_database* database) { return database->health.poisoned(); }

bool cldb_is_in_memory(cldb_database* database) {
    const Call call(database);
    return call.refusal().ok() && database->overlay != nullptr;
}

cldb_code cldb_link(cldb_database* database, const char* path, char** message) {
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        // A log that a write has failed on may be out of step.
        const Failure refusal = database->WhyNotWritable();
        return (refusal.ok() ? cldb::LinkDatabase(database, path) : refusal).Report(message);
    });
}

cldb_code cldb_destroy(const char* path, char** message) {
    *message = nullptr;
    try {
        return cldb::DestroyDatabase(path).Report(message);
    } catch (...) {
        return CLDB_IO;
    }
}

}  // extern "C"

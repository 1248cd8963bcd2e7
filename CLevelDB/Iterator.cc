// The C interface to iterators.

#include <exception>

#include "Files.h"
#include "Handles.h"

using cldb::Failure;
using cldb::FailureOf;
using cldb::Guarded;
using cldb::SliceOf;

namespace {

enum class Check { kWhenRead, kAlways };

cldb_code Take(cldb_iterator* iterator, char** message) {
    if (!iterator->database->IsUsable()) return iterator->database->WhyUnusable().Report(message);
    uint32_t expected = cldb_iterator::kFree;
    if (iterator->word.compare_exchange_strong(expected, cldb_iterator::kTaken,
                                               std::memory_order_acquire)) {
        return CLDB_OK;
    }
    if (expected == cldb_iterator::kGone) {
        return iterator->database->WhyUnusable().Report(message);
    }
    return Failure{CLDB_INVALID_ARGUMENT,
                   "an iterator was used from two threads, or moved within the use of its entry"}
        .Report(message);
}

void Give(cldb_iterator* iterator) {
    iterator->word.store(cldb_iterator::kFree, std::memory_order_release);
}

// LevelDB's iterators step over a damaged block and stand on an entry behind it; only the status
// tells. It is asked for whenever the step has read from a file, or has come to an end.
template <class Move>
cldb_code Perform(cldb_iterator* iterator, cldb_entry* entry, char** message, Check check,
                  Move move) {
    const uint64_t before = cldb::table_accesses;
    *entry = cldb_entry{nullptr, 0, nullptr, 0, false};
    leveldb::Iterator* const it = iterator->iterator;
    move(it);
    const bool valid = it->Valid();
    if (!valid || check == Check::kAlways || cldb::table_accesses != before) {
        const leveldb::Status status = it->status();
        if (!status.ok()) return cldb::NamingTable(FailureOf(status)).Report(message);
    }
    if (!valid) return CLDB_OK;
    const leveldb::Slice key = it->key(), value = it->value();
    *entry = cldb_entry{key.data(), key.size(), value.data(), value.size(), true};
    return CLDB_OK;
}

template <class Move>
cldb_code PerformGuarded(cldb_iterator* iterator, cldb_entry* entry, char** message, Check check,
                         Move move) {
    return Guarded(&iterator->database->health, message,
                   [&] { return Perform(iterator, entry, message, check, move); });
}

template <class Move>
cldb_code MoveFree(cldb_iterator* iterator, cldb_entry* entry, char** message, Check check,
                   Move move) {
    *message = nullptr;
    const cldb_code taken = Take(iterator, message);
    if (taken != CLDB_OK) {
        *entry = cldb_entry{nullptr, 0, nullptr, 0, false};
        return taken;
    }
    const cldb_code code = PerformGuarded(iterator, entry, message, check, move);
    Give(iterator);
    return code;
}

template <class Move>
cldb_code MovePinned(cldb_iterator* iterator, cldb_entry* entry, char** message, Move move) {
    *message = nullptr;
    if (!iterator->database->IsUsable()) {
        *entry = cldb_entry{nullptr, 0, nullptr, 0, false};
        return iterator->database->WhyUnusable().Report(message);
    }
    return PerformGuarded(iterator, entry, message, Check::kWhenRead, move);
}

// LevelDB asserts that an iterator that moves on stands somewhere.
void Next(leveldb::Iterator* iterator) {
    if (iterator->Valid()) iterator->Next();
}

void Previous(leveldb::Iterator* iterator) {
    if (iterator->Valid()) iterator->Prev();
}

}  // namespace

extern "C" {

cldb_code cldb_iterator_create(cldb_database* database, bool fill_cache, cldb_iterator** iterator,
                               char** message) {
    *iterator = nullptr;
    *message = nullptr;
    return Guarded(&database->health, message, [&]() -> cldb_code {
        const Call call(database);
        if (!call.refusal().ok()) return call.refusal().Report(message);
        leveldb::ReadOptions options;
        options.verify_checksums = true;
        options.fill_cache = fill_cache;
        std::unique_ptr<cldb_iterator> result(new cldb_iterator);
        result->database = database;
        result->iterator = database->db->NewIterator(options);
        database->Link(result.get());
        *iterator = result.release();
        return CLDB_OK;
    });
}

void cldb_iterator_free(cldb_iterator* iterator) {
    cldb_database* const database = iterator->database;
    if (database->IsForked() || database->health.broken()) return;
    database->Unlink(iterator);
    delete iterator;
}

cldb_code cldb_iterator_seek(cldb_iterator* iterator, const void* key, size_t key_length,
                             cldb_entry* entry, char** message) {
    *message = nullptr;
    if (key_length > CLDB_MAX_KEY_LENGTH) {
        *entry = cldb_entry{nullptr, 0, nullptr, 0, false};
        return Failure{CLDB_INVALID_ARGUMENT, "the key is too long"}.Report(message);
    }
    return MoveFree(iterator, entry, message, Check::kAlways,
                    [&](leveldb::Iterator* it) { it->Seek(SliceOf(key, key_length)); });
}

cldb_code cldb_iterator_first(cldb_iterator* iterator, cldb_entry* entry, char** message) {
    return MoveFree(iterator, entry, message, Check::kAlways,
                    [](leveldb::Iterator* it) { it->SeekToFirst(); });
}

cldb_code cldb_iterator_last(cldb_iterator* iterator, cldb_entry* entry, char** message) {
    return MoveFree(iterator, entry, message, Check::kAlways,
                    [](leveldb::Iterator* it) { it->SeekToLast(); });
}

cldb_code cldb_iterator_next(cldb_iterator* iterator, cldb_entry* entry, char** message) {
    return MoveFree(iterator, entry, message, Check::kWhenRead, Next);
}

cldb_code cldb_iterator_previous(cldb_iterator* iterator, cldb_entry* entry, char** message) {
    return MoveFree(iterator, entry, message, Check::kWhenRead, Previous);
}

cldb_code cldb_iterator_status(cldb_iterator* iterator, char** message) {
    *message = nullptr;
    const bool pinned = iterator->owner.load(std::memory_order_relaxed) == cldb::ThisThread();
    if (!pinned) {
        const cldb_code taken = Take(iterator, message);
        if (taken != CLDB_OK) return taken;
    }
    const cldb_code code = Guarded(&iterator->database->health, message, [&]() -> cldb_code {
        const leveldb::Status status = iterator->iterator->status();
        return status.ok() ? CLDB_OK : FailureOf(status).Report(message);
    });
    if (!pinned) Give(iterator);
    return code;
}

cldb_code cldb_iterator_pin(cldb_iterator* iterator, char** message) {
    *message = nullptr;
    const cldb_code taken = Take(iterator, message);
    if (taken == CLDB_OK) iterator->owner.store(cldb::ThisThread(), std::memory_order_relaxed);
    return taken;
}

void cldb_iterator_unpin(cldb_iterator* iterator) {
    iterator->owner.store(nullptr, std::memory_order_relaxed);
    Give(iterator);
}

cldb_code cldb_iterator_next_pinned(cldb_iterator* iterator, cldb_entry* entry, char** message) {
    return MovePinned(iterator, entry, message, Next);
}

cldb_code cldb_iterator_previous_pinned(cldb_iterator* iterator, cldb_entry* entry,
                                        char** message) {
    return MovePinned(iterator, entry, message, Previous);
}

}  // extern "C"

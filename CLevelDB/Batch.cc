// The C interface to batches.

#include "Handles.h"

using cldb::SliceOf;

namespace {

// LevelDB's tag and two lengths before each entry, at their longest.
constexpr size_t kEntryOverhead = 11;

bool Fits(cldb_batch* batch, size_t key_length, size_t value_length) {
    if (batch->error != nullptr) return false;
    if (key_length > CLDB_MAX_KEY_LENGTH) {
        batch->error = "a key is longer than 8 KiB";
    } else if (value_length > CLDB_MAX_VALUE_LENGTH) {
        batch->error = "a value is longer than 64 MiB";
    } else if (batch->batch.ApproximateSize() + key_length + value_length + kEntryOverhead >
               CLDB_MAX_BATCH_LENGTH) {
        batch->error = "the batch is longer than 64 MiB";
    }
    return batch->error == nullptr;
}

}  // namespace

extern "C" {

cldb_batch* cldb_batch_create(void) {
    try {
        return new cldb_batch;
    } catch (...) {
        return nullptr;
    }
}

void cldb_batch_free(cldb_batch* batch) { delete batch; }

void cldb_batch_put(cldb_batch* batch, const void* key, size_t key_length, const void* value,
                    size_t value_length) {
    if (batch == nullptr || !Fits(batch, key_length, value_length)) return;
    try {
        batch->batch.Put(SliceOf(key, key_length), SliceOf(value, value_length));
        batch->count++;
    } catch (...) {
        batch->error = "no memory for the batch";
    }
}

void cldb_batch_delete(cldb_batch* batch, const void* key, size_t key_length) {
    if (batch == nullptr || !Fits(batch, key_length, 0)) return;
    try {
        batch->batch.Delete(SliceOf(key, key_length));
        batch->count++;
    } catch (...) {
        batch->error = "no memory for the batch";
    }
}

void cldb_batch_use_reserve(cldb_batch* batch, bool uses) {
    if (batch != nullptr) batch->uses_reserve = uses;
}

void cldb_batch_clear(cldb_batch* batch) {
    if (batch == nullptr) return;
    batch->batch.Clear();
    batch->count = 0;
    batch->error = nullptr;
}

size_t cldb_batch_count(const cldb_batch* batch) { return batch == nullptr ? 0 : batch->count; }

bool cldb_batch_is_empty(const cldb_batch* batch) {
    return batch == nullptr || (batch->count == 0 && batch->error == nullptr);
}

size_t cldb_batch_length(const cldb_batch* batch) {
    return batch == nullptr ? 0 : batch->batch.ApproximateSize();
}

}  // extern "C"

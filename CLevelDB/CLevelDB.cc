#include "CLevelDB.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/write_batch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <string>

#include "Env.h"

using leveldb::Slice;
using leveldb::Status;

struct cldb_database {
    cldb::Env env;
    cldb::NullLogger logger;
    std::unique_ptr<leveldb::Cache> cache;
    std::unique_ptr<const leveldb::FilterPolicy> filter;
    leveldb::DB *db = nullptr;
    pid_t pid = ::getpid();
};

struct cldb_batch {
    leveldb::WriteBatch batch;
};

struct cldb_value {
    std::string bytes;
};

struct cldb_iterator {
    std::unique_ptr<leveldb::Iterator> iterator;
};

namespace {

void Set(cldb_status *status, cldb_code code, const std::string &message) {
    status->code = code;
    size_t length = std::min(message.size(), sizeof(status->message) - 1);
    memcpy(status->message, message.data(), length);
    status->message[length] = 0;
}

cldb_code CodeOf(const Status &status) {
    if (status.ok()) return CLDB_OK;
    std::string text = status.ToString();
    auto says = [&](const char *words) { return text.find(words) != std::string::npos; };
    // A table that has gone is reported with the same code as a key that is not there.
    if (status.IsNotFound()) return text == "NotFound: " ? CLDB_NOT_FOUND : CLDB_CORRUPTION;
    if (status.IsCorruption()) return CLDB_CORRUPTION;
    if (status.IsNotSupportedError()) return CLDB_NOT_SUPPORTED;
    if (status.IsInvalidArgument()) return CLDB_INVALID;
    if (says(cldb::kLockedMarker)) return CLDB_LOCKED;
    if (says(cldb::kPoisonedMarker)) return CLDB_POISONED;
    if (says(cldb::kDiskFullMarker)) return CLDB_DISK_FULL;
    return CLDB_IO;
}

void Set(cldb_status *status, const Status &from) {
    Set(status, CodeOf(from), from.ok() ? "" : from.ToString());
}

Slice ToSlice(cldb_slice slice) {
    return Slice(slice.count == 0 ? "" : static_cast<const char *>(slice.bytes), slice.count);
}

// Runs `body`, which must not leave anything half done; memory that runs out poisons the handle.
template <typename Body>
void Guarded(cldb_database *database, cldb_status *status, Body body) {
    if (database != nullptr && database->pid != ::getpid()) {
        // The worker does not exist in a forked child, and the files are shared with the parent.
        Set(status, CLDB_INVALID, "the database was opened before a fork; open it in this process");
        return;
    }
    try {
        body();
    } catch (const std::bad_alloc &) {
        if (database != nullptr) database->env.Poison();
        Set(status, CLDB_IO, "out of memory");
    } catch (...) {
        if (database != nullptr) database->env.Poison();
        Set(status, CLDB_IO, "unexpected exception");
    }
}

enum class Contents { kAbsent, kEmpty, kDatabase, kHeadless, kForeign, kNoDirectory };

// What a path holds. A database whose CURRENT is gone must never be taken for an empty directory: LevelDB would
// make a new one over it and delete every table.
Contents Inspect(const std::string &path, int *error) {
    *error = 0;
    struct stat info;
    if (::stat(path.c_str(), &info) != 0) {
        *error = errno;
        return Contents::kAbsent;
    }
    if (!S_ISDIR(info.st_mode)) return Contents::kNoDirectory;
    DIR *stream = ::opendir(path.c_str());
    if (stream == nullptr) {
        *error = errno;
        return Contents::kNoDirectory;
    }
    bool has_current = false, has_data = false, has_foreign = false;
    while (struct dirent *entry = ::readdir(stream)) {
        std::string name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (name == "CURRENT") has_current = true;
        else if (!cldb::IsDatabaseFile(name)) has_foreign = true;
        else if (name.find(".ldb") != std::string::npos || name.find(".sst") != std::string::npos ||
                 name.find(".log") != std::string::npos) has_data = true;
    }
    ::closedir(stream);
    if (has_current) return Contents::kDatabase;
    if (has_data) return Contents::kHeadless;
    return has_foreign ? Contents::kForeign : Contents::kEmpty;
}

Status MakeDirectories(const std::string &path) {
    if (::mkdir(path.c_str(), 0700) == 0) return cldb::SyncDirectory(cldb::DirectoryOf(path));
    if (errno == EEXIST) return Status::OK();
    if (errno != ENOENT) return cldb::PosixError(path, errno);
    std::string parent = cldb::DirectoryOf(path);
    if (parent == path) return cldb::PosixError(path, ENOENT);
    Status status = MakeDirectories(parent);
    if (!status.ok()) return status;
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return cldb::PosixError(path, errno);
    return cldb::SyncDirectory(parent);
}

// Whether to create; false with a status when the path cannot be opened in this mode.
bool Decide(const std::string &path, cldb_mode mode, bool *create, cldb_status *status) {
    int error;
    Contents contents = Inspect(path, &error);
    if (contents == Contents::kAbsent && error != ENOENT) {
        Set(status, cldb::PosixError(path, error));
        return false;
    }
    switch (contents) {
        case Contents::kNoDirectory:
            Set(status, CLDB_INVALID, error ? strerror(error) : "not a directory");
            return false;
        case Contents::kForeign:
            Set(status, CLDB_INVALID, "the directory holds other files and no database");
            return false;
        case Contents::kHeadless:
            Set(status, CLDB_CORRUPTION, "the file CURRENT is missing");
            return false;
        case Contents::kDatabase:
            if (mode == CLDB_CREATE) {
                Set(status, CLDB_EXISTS, "the directory holds a database already");
                return false;
            }
            *create = false;
            return true;
        case Contents::kAbsent:
        case Contents::kEmpty:
            if (mode == CLDB_OPEN) {
                Set(status, CLDB_INVALID, "there is no database in the directory");
                return false;
            }
            *create = true;
            return true;
    }
    return false;
}

// An index may be opened only where no other user can change its files.
bool IsOurs(const std::string &path, cldb_status *status) {
    struct stat info;
    if (::stat(path.c_str(), &info) != 0) {
        Set(status, cldb::PosixError(path, errno));
        return false;
    }
    if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        Set(status, CLDB_INVALID,
            "the directory belongs to another user or others may write to it; chmod go-w it");
        return false;
    }
    return true;
}

}  // namespace

extern "C" {

cldb_database *cldb_open(const char *c_path, cldb_mode mode, const cldb_options *options,
                         cldb_status *status) {
    Set(status, CLDB_OK, "");
    std::unique_ptr<cldb_database> result;
    Guarded(nullptr, status, [&] {
        std::string path(c_path);
        while (path.size() > 1 && path.back() == '/') path.pop_back();
        bool create = false;
        if (!Decide(path, mode, &create, status)) return;
        if (create) {
            Status made = MakeDirectories(path);
            if (!made.ok()) return Set(status, made);
            ::chmod(path.c_str(), 0700);
        }
        if (!IsOurs(path, status)) return;
        auto database = std::make_unique<cldb_database>();
        database->cache.reset(leveldb::NewLRUCache(options->block_cache_size));
        if (options->bloom_bits_per_key > 0)
            database->filter.reset(leveldb::NewBloomFilterPolicy(options->bloom_bits_per_key));
        leveldb::Options settings;
        settings.env = &database->env;
        settings.info_log = &database->logger;
        settings.paranoid_checks = true;
        settings.create_if_missing = create;
        settings.error_if_exists = create;
        settings.reuse_logs = false;
        settings.write_buffer_size = options->write_buffer_size;
        settings.block_cache = database->cache.get();
        settings.block_size = options->block_size;
        settings.max_file_size = options->max_file_size;
        settings.max_open_files = options->max_open_files;
        settings.filter_policy = database->filter.get();
        settings.compression =
            options->compression ? leveldb::kSnappyCompression : leveldb::kNoCompression;
        Status opened = leveldb::DB::Open(settings, path, &database->db);
        if (!opened.ok()) return Set(status, opened);
        result = std::move(database);
    });
    return result.release();
}

void cldb_close(cldb_database *database, cldb_status *status) {
    Set(status, CLDB_OK, "");
    if (database->pid != ::getpid()) return;  // the parent's; there is no worker to end here
    Guarded(database, status, [&] {
        bool was_poisoned = database->env.IsPoisoned();
        delete database->db;
        database->db = nullptr;
        database->env.Join();
        if (!was_poisoned && database->env.IsPoisoned())
            Set(status, CLDB_IO, "the last log could not be written");
    });
    if (database->db == nullptr) delete database;
}

void cldb_destroy(const char *c_path, cldb_status *status) {
    Set(status, CLDB_OK, "");
    Guarded(nullptr, status, [&] {
        std::string path(c_path);
        while (path.size() > 1 && path.back() == '/') path.pop_back();
        int error;
        switch (Inspect(path, &error)) {
            case Contents::kAbsent:
                if (error != ENOENT) Set(status, cldb::PosixError(path, error));
                return;
            case Contents::kNoDirectory:
                return Set(status, CLDB_INVALID, "not a directory");
            default: break;
        }
        cldb::Env env;
        leveldb::FileLock *lock = nullptr;
        Status locked = env.LockFile(path + "/LOCK", &lock);
        if (!locked.ok()) return Set(status, locked);
        std::vector<std::string> names;
        Status result = env.GetChildren(path, &names);
        // CURRENT goes last but the lock: what is left without it is known to be no database.
        for (const std::string &name : names) {
            if (name == "LOCK" || name == "CURRENT") continue;
            Status removed = env.RemoveFile(path + "/" + name);
            if (!removed.ok() && result.ok()) result = removed;
        }
        if (result.ok() && env.FileExists(path + "/CURRENT"))
            result = env.RemoveFile(path + "/CURRENT");
        if (result.ok()) env.RemoveFile(path + "/LOCK");
        env.UnlockFile(lock);
        if (!result.ok()) return Set(status, result);
        ::rmdir(path.c_str());  // stays when other files are in it
    });
}

cldb_value *cldb_get(cldb_database *database, cldb_slice key, cldb_slice *value,
                     cldb_status *status) {
    Set(status, CLDB_OK, "");
    *value = {nullptr, 0};
    std::unique_ptr<cldb_value> result;
    Guarded(database, status, [&] {
        auto found = std::make_unique<cldb_value>();
        leveldb::ReadOptions options;
        options.verify_checksums = true;
        Status got = database->db->Get(options, ToSlice(key), &found->bytes);
        if (!got.ok()) return Set(status, got);
        *value = {found->bytes.data(), found->bytes.size()};
        result = std::move(found);
    });
    return result.release();
}

void cldb_value_free(cldb_value *value) { delete value; }

void cldb_write(cldb_database *database, cldb_batch *batch, bool sync, cldb_status *status) {
    Set(status, CLDB_OK, "");
    Guarded(database, status, [&] {
        if (batch->batch.ApproximateSize() > CLDB_MAX_BATCH)
            return Set(status, CLDB_INVALID, "the batch is larger than 64 MiB");
        if (database->env.IsPoisoned())
            return Set(status, CLDB_POISONED, cldb::kPoisonedMarker);
        leveldb::WriteOptions options;
        options.sync = sync;
        Status written = database->db->Write(options, &batch->batch);
        if (!written.ok()) {
            database->env.Poison();
            Set(status, written);
        }
    });
}

bool cldb_is_poisoned(cldb_database *database) { return database->env.IsPoisoned(); }

void cldb_compact(cldb_database *database, const cldb_slice *start, const cldb_slice *end,
                  cldb_status *status) {
    Set(status, CLDB_OK, "");
    Guarded(database, status, [&] {
        if (database->env.IsPoisoned())
            return Set(status, CLDB_POISONED, cldb::kPoisonedMarker);
        Slice first = start ? ToSlice(*start) : Slice(), last = end ? ToSlice(*end) : Slice();
        database->db->CompactRange(start ? &first : nullptr, end ? &last : nullptr);
        // CompactRange says nothing of errors; they stay with the database, and the next write reports them.
        leveldb::WriteBatch nothing;
        leveldb::WriteOptions options;
        options.sync = true;
        Status written = database->db->Write(options, &nothing);
        if (!written.ok()) {
            database->env.Poison();
            Set(status, written);
        }
    });
}

uint64_t cldb_approximate_size(cldb_database *database, cldb_slice start, cldb_slice end) {
    uint64_t size = 0;
    cldb_status status;
    Guarded(database, &status, [&] {
        leveldb::Range range(ToSlice(start), ToSlice(end));
        database->db->GetApproximateSizes(&range, 1, &size);
    });
    return size;
}

long cldb_property(cldb_database *database, const char *name, char *buffer, size_t capacity) {
    long length = -1;
    cldb_status status;
    Guarded(database, &status, [&] {
        std::string value;
        if (!database->db->GetProperty(name, &value)) return;
        length = long(value.size());
        if (buffer != nullptr) memcpy(buffer, value.data(), std::min(capacity, value.size()));
    });
    return length;
}

cldb_batch *cldb_batch_create(void) { return new cldb_batch(); }
void cldb_batch_free(cldb_batch *batch) { delete batch; }
void cldb_batch_clear(cldb_batch *batch) { batch->batch.Clear(); }
size_t cldb_batch_bytes(cldb_batch *batch) { return batch->batch.ApproximateSize(); }

bool cldb_batch_put(cldb_batch *batch, cldb_slice key, cldb_slice value) {
    if (key.count > CLDB_MAX_KEY || value.count > CLDB_MAX_VALUE) return false;
    batch->batch.Put(ToSlice(key), ToSlice(value));
    return true;
}

bool cldb_batch_delete(cldb_batch *batch, cldb_slice key) {
    if (key.count > CLDB_MAX_KEY) return false;
    batch->batch.Delete(ToSlice(key));
    return true;
}

cldb_iterator *cldb_iterator_create(cldb_database *database, bool fill_cache,
                                    cldb_status *status) {
    Set(status, CLDB_OK, "");
    std::unique_ptr<cldb_iterator> result;
    Guarded(database, status, [&] {
        leveldb::ReadOptions options;
        options.verify_checksums = true;
        options.fill_cache = fill_cache;
        auto made = std::make_unique<cldb_iterator>();
        made->iterator.reset(database->db->NewIterator(options));
        result = std::move(made);
    });
    return result.release();
}

void cldb_iterator_free(cldb_iterator *iterator) { delete iterator; }

void cldb_iterator_move(cldb_iterator *handle, cldb_move move, cldb_slice target,
                        cldb_position *position) {
    leveldb::Iterator *iterator = handle->iterator.get();
    try {
        switch (move) {
            case CLDB_SEEK: iterator->Seek(ToSlice(target)); break;
            case CLDB_FIRST: iterator->SeekToFirst(); break;
            case CLDB_LAST: iterator->SeekToLast(); break;
            case CLDB_NEXT:
                if (iterator->Valid()) iterator->Next();
                break;
            case CLDB_PREVIOUS:
                if (iterator->Valid()) iterator->Prev();
                break;
            case CLDB_CHECK: break;
        }
    } catch (...) {
        *position = {false, CLDB_IO, {nullptr, 0}, {nullptr, 0}};
        return;
    }
    position->valid = iterator->Valid();
    position->code = CLDB_OK;
    if (position->valid) {
        Slice key = iterator->key(), value = iterator->value();
        position->key = {key.data(), key.size()};
        position->value = {value.data(), value.size()};
    }
    if (!position->valid || move == CLDB_CHECK) position->code = CodeOf(iterator->status());
}

void cldb_iterator_status(cldb_iterator *handle, cldb_status *status) {
    Set(status, handle->iterator->status());
}

void cldb_set_fault(cldb_database *database, cldb_fault_class fault, int after, int count,
                    int error_number, bool short_write) {
    database->env.SetFault(fault, after, count, error_number, short_write);
}

}  // extern "C"

#include "Open.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "Files.h"
#include "Preflight.h"
#include "Reserve.h"

namespace cldb {

namespace {

enum class Content {
    kNothing,   // nothing that could hold data
    kDatabase,  // a database
    kHeadless,  // files of a database, but no CURRENT
    kOther,     // only other things
};

// A database's creation first writes these, so a directory with nothing else is one whose creation
// was interrupted: there is always a log beside them once there is data.
bool IsLeftByCreation(const std::string& name) {
    return name == "LOCK" || name == "RESERVE" || name == "COMMITTED" ||
           name == "MANIFEST-000001" || name == "000001.dbtmp";
}

Failure Inspect(const Directory& directory, Content* content) {
    std::vector<std::string> names;
    const leveldb::Status status = directory.List(&names);
    if (!status.ok()) return FailureOf(status);
    *content = Content::kNothing;
    for (const std::string& name : names) {
        if (IsLeftByCreation(name)) continue;
        const FileKind kind = KindOfName(name);
        if (kind == FileKind::kCurrent && directory.IsRegular(name)) {
            *content = Content::kDatabase;
            return Failure();
        }
        if (kind != FileKind::kNone) {
            *content = Content::kHeadless;
        } else if (*content == Content::kNothing) {
            *content = Content::kOther;
        }
    }
    return Failure();
}

// LevelDB, asked to create what is missing, takes a directory without CURRENT for an empty one and
// deletes the tables in it. So whether to create is decided here, and never where there is
// anything.
Failure Decide(Content content, cldb_mode mode, bool* create) {
    *create = false;
    switch (content) {
        case Content::kNothing:
            *create = mode == CLDB_CREATE || mode == CLDB_OPEN_OR_CREATE;
            return *create ? Failure() : Failure{CLDB_NOT_FOUND, "there is no database here"};
        case Content::kDatabase:
            return mode == CLDB_CREATE ? Failure{CLDB_EXISTS, "there is a database here already"}
                                       : Failure();
        case Content::kHeadless:
            if (mode == CLDB_CREATE) return Failure{CLDB_EXISTS, "the directory is not empty"};
            return Failure{CLDB_CORRUPTION,
                           "the file CURRENT is missing beside other files of a database; "
                           "nothing was changed"};
        case Content::kOther:
            if (mode == CLDB_OPEN || mode == CLDB_READ) return Failure{CLDB_NOT_FOUND, "there is no database here"};
            return Failure{CLDB_EXISTS, "the directory is not empty and holds no database"};
    }
    return Failure{CLDB_INVALID_ARGUMENT, "unknown mode"};
}

leveldb::Options OptionsFor(cldb_database* database, const cldb_options& options, bool create) {
    leveldb::Options result;
    result.create_if_missing = create;
    result.error_if_exists = create;
    // Without these two, damage is skipped, or answered from, silently.
    result.paranoid_checks = true;
    result.reuse_logs = false;
    result.env = database->environment.get();
    result.comparator = database->comparator.get();
    result.info_log = &database->logger;
    result.write_buffer_size = options.write_buffer_size;
    result.max_open_files = options.max_open_files;
    result.block_cache = database->cache.get();
    result.block_size = options.block_size;
    result.max_file_size = options.max_file_size;
    result.compression =
        options.compression ? leveldb::kSnappyCompression : leveldb::kNoCompression;
    result.filter_policy = database->filter.get();
    return result;
}

// LevelDB may write while it opens; from then on nothing is taken any more, compactions neither.
Failure StartInMemory(cldb_database* database, const Failure& refusal,
                      std::vector<LogTail>* tails) {
    database->overlay = Directory::InMemoryOver(database->directory.get());
    const Failure failure = StartLevelDB(database, Start::kOpening, tails);
    if (!failure.ok()) return failure;
    database->standing_refusal = refusal;
    database->health.Poison(refusal);
    return Failure();
}

// What lasts of opening can be undone, but for bytes that are cut off logs, and space kept in reserve that is given up: where there are such, or
// there is no space for it, nothing is written to the disk.
Failure StartDeferred(cldb_database* database) {
    database->defers_writing = true;
    const Failure refusal{CLDB_READ_ONLY, "nothing is written yet"};
    database->standing_refusal = refusal;
    Failure failure = CheckSpaceToOpen(database->directory.get());
    if (failure.ok()) failure = StartLevelDB(database, Start::kOnTrial, &database->tails);
    if (failure.code != CLDB_DISK_FULL && failure.code != CLDB_READ_ONLY) return failure;
    database->StopLevelDB();
    database->health.Heal();
    return StartInMemory(database, refusal, &database->tails);
}

}  // namespace

Failure OpenDatabase(const std::string& path, cldb_mode mode, cldb_database* database) {
    database->path = path;
    const cldb_options& options = database->options;
    const bool may_create = mode == CLDB_CREATE || mode == CLDB_OPEN_OR_CREATE;
    // Asked before the lock too, so that no lock file is left where there is no database to lock.
    bool create = false;
    const auto decide = [&](Directory* opened) {
        Content content = Content::kOther;
        const Failure failure = Inspect(*opened, &content);
        return failure.ok() ? Decide(content, mode, &create) : failure;
    };
    // Who only reads can be led astray by nobody but those who wrote it.
    std::vector<uint32_t> owners;
    if (mode == CLDB_READ && options.trusted_owner_count > 0) {
        owners.assign(options.trusted_owners, options.trusted_owners + options.trusted_owner_count);
    }
    if (options.cache != nullptr) database->shared_cache = options.cache->cache;
    database->options.cache = nullptr;
    database->options.trusted_owners = nullptr;
    database->options.trusted_owner_count = 0;
    Failure failure = Directory::OpenLocked(path, may_create, mode == CLDB_READ, decide,
                                            &database->directory, &database->lock, owners);
    if (!failure.ok()) return failure;
    Directory& directory = *database->directory;
    database->comparator.reset(new FormatComparator(options.format));
    if (!create) failure = CheckFormat(&directory, options.format);
    if (!failure.ok()) return failure;
    if (mode == CLDB_READ) {
        return StartInMemory(database, Failure{CLDB_READ_ONLY, "the database is read only"},
                             &database->tails);
    }
    if (!create && options.defers_writing) return StartDeferred(database);
    if (!create) return StartOnDiskOrInMemory(database, &database->tails);
    failure = StartLevelDB(database, Start::kCreating, &database->tails);
    if (!failure.ok()) return failure;
    KeepReserve(&directory, options);
    const leveldb::Status status = directory.SyncParent();
    return status.ok() ? Failure() : FailureOf(status);
}

Failure StartOnDiskOrInMemory(cldb_database* database, std::vector<LogTail>* tails) {
    database->standing_refusal = Failure();
    database->health.Heal();
    Directory* directory = database->directory.get();
    Failure failure = MakeRoomToOpen(directory);
    if (failure.ok()) failure = StartLevelDB(database, Start::kOpening, tails);
    if (failure.ok()) KeepReserve(directory, database->options);
    if (failure.code != CLDB_DISK_FULL) return failure;
    // What LevelDB has begun to write is in nobody's way: it goes with the next opening that goes well.
    database->StopLevelDB();
    database->health.Heal();
    return StartInMemory(database, failure, tails);
}

Failure StartLevelDB(cldb_database* database, Start start, std::vector<LogTail>* tails) {
    const bool create = start == Start::kCreating;
    Directory* directory =
        database->overlay != nullptr ? database->overlay.get() : database->directory.get();
    Failure failure = create ? Failure() : Preflight(directory, tails);
    const bool is_on_disk = directory == database->directory.get();
    const bool is_on_trial = start == Start::kOnTrial;
    const auto is_cut = [](const LogTail& tail) { return tail.end.kind != LogEnd::kTorn; };
    if (failure.ok() && is_on_trial && std::any_of(tails->begin(), tails->end(), is_cut)) {
        failure = Failure{CLDB_READ_ONLY, "logs are to be cut"};
    }
    if (failure.ok() && is_on_disk && !is_on_trial && database->lock != nullptr) {
        failure = database->lock->MakeFile();
    }
    if (failure.ok() && !create) failure = DiscardTails(directory, tails);
    if (!failure.ok()) return failure;
    const cldb_options& options = database->options;
    database->environment.reset(new Environment(directory, &database->health));
    if (database->options.meanwhile != nullptr) {
        database->environment->Schedule(options.meanwhile, options.meanwhile_context);
        database->options.meanwhile = nullptr;
    }
    if (is_on_trial) database->environment->BeginTrial();
    if (database->shared_cache != nullptr) {
        database->cache = database->shared_cache;
    } else {
        database->cache.reset(leveldb::NewLRUCache(options.block_cache_size));
    }
    if (options.bloom_bits_per_key > 0) {
        database->filter.reset(leveldb::NewBloomFilterPolicy(options.bloom_bits_per_key));
    }
    const leveldb::Status status = leveldb::DB::Open(OptionsFor(database, options, create),
                                                     database->path, &database->db);
    if (!status.ok()) return FailureOf(status);
    if (is_on_disk && !is_on_trial) database->environment->Begin();
    return Failure();
}

namespace {

Failure TryToWrite(Directory* directory) {
    // LevelDB removes such files as it opens.
    const std::string name = "000000.dbtmp";
    const int file = directory->OpenFile(name, O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0) return FailureOf(StatusOfErrno(name, "create", errno));
    Health health;
    OutputFile output(directory, &health, name, file);
    leveldb::Status status = output.Append(std::string(4096, 0));
    if (status.ok()) status = output.Sync();
    if (status.ok()) status = output.Close();
    const leveldb::Status removed = directory->Remove(name);
    if (status.ok()) status = removed;
    return status.ok() ? Failure() : FailureOf(status);
}

}  // namespace

Failure CheckWritable(Directory* directory) {
    const Failure failure = MakeRoomToOpen(directory);
    return failure.ok() ? TryToWrite(directory) : failure;
}

namespace {

// LevelDB's files but the lock file, in the order in which they are removed.
Failure ListOurs(Directory* directory, std::vector<std::string>* ours) {
    ours->clear();
    std::vector<std::string> names;
    const leveldb::Status status = directory->ListFiles(&names);
    for (const std::string& name : names) {
        const FileKind kind = KindOfName(name);
        if (kind == FileKind::kNone || kind == FileKind::kLock) continue;
        // CURRENT goes first: what an interruption leaves is then no database.
        ours->insert(kind == FileKind::kCurrent ? ours->begin() : ours->end(), name);
    }
    return status.ok() ? Failure() : FailureOf(status);
}

}  // namespace

Failure DestroyDatabase(const std::string& path) {
    std::unique_ptr<Directory> directory;
    std::unique_ptr<DirectoryLock> lock;
    std::vector<std::string> ours;
    // Nothing is locked where there is nothing of a database.
    const auto list = [&](Directory* opened) {
        const Failure failure = ListOurs(opened, &ours);
        const bool is_none = failure.ok() && ours.empty() && !opened->IsRegular("LOCK");
        return is_none ? Failure{CLDB_NOT_FOUND, "there is no database here"} : failure;
    };
    const Failure failure = Directory::OpenLocked(path, false, false, list, &directory, &lock);
    if (failure.code == CLDB_NOT_FOUND) return Failure();
    if (!failure.ok()) return failure;
    ours.push_back("LOCK");
    for (const std::string& name : ours) {
        const leveldb::Status status = directory->Remove(name);
        if (!status.ok() && !status.IsNotFound()) return FailureOf(status);
    }
    // Stays if there is anything else in it.
    directory->disk().RemoveIfEmpty();
    return Failure();
}

}  // namespace cldb

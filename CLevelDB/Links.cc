#include "Links.h"

#include <errno.h>
#include <fcntl.h>

#include <vector>

#include "CopyFile.h"
#include "FilesInUse.h"
#include "LogReader.h"
#include "TableList.h"

namespace cldb {

namespace {

// Facts:
// 1. The whole records at the beginning of a manifest name tables and logs that made up the database at some time.
// 2. Tables never change; one that is removed meanwhile shows as missing, and all begins anew.
// 3. LevelDB makes a log before a manifest names it, and removes it after one names a newer log. So where the log that the manifest
//    names is not in a listing made later, its writes are in tables that this manifest does not name.
// 4. A log that is not the newest has ended. So the logs in one listing, each up to the last whole record, hold the writes up to some
//    moment, without a gap.
class Linking {
  public:
    Linking(Directory* source, Directory* target) : source_(source), target_(target) {}

    // `has_changed` says that the files were not of one moment.
    Failure Run(bool* has_changed) {
        *has_changed = false;
        std::string manifest;
        std::vector<std::string> names;
        Failure failure = ReadCurrent(source_, &manifest);
        TableList list;
        LogEnd end;
        if (failure.ok()) {
            failure = ReadLog(
                source_, manifest, SIZE_MAX,
                [&](const std::string& edit) { return list.Apply(edit); }, &end);
        }
        if (failure.ok()) failure = Of(source_->List(&names));
        if (failure.ok()) failure = Of(ShareTables(names, list, has_changed));
        if (failure.ok() && !*has_changed) failure = CopyLogs(names, list, has_changed);
        if (!failure.ok() || *has_changed) {
            // What a manifest or log that was removed looks like, or one that is being written.
            *has_changed = *has_changed || failure.code == CLDB_CORRUPTION;
            return failure;
        }
        failure = Of(CopyFile(source_, manifest, 0, end.offset, target_, manifest));
        if (failure.ok()) failure = Of(CopyFile(source_, "CURRENT", 0, manifest.size() + 1, target_,
                                                "CURRENT"));
        return failure;
    }

  private:
    static Failure Of(const leveldb::Status& status) {
        return status.ok() ? Failure() : FailureOf(status);
    }

    leveldb::Status ShareTables(const std::vector<std::string>& names, const TableList& list,
                                bool* has_changed) {
        size_t found = 0;
        leveldb::Status status;
        for (const std::string& name : names) {
            if (KindOfName(name) != FileKind::kTable || !status.ok()) continue;
            if (list.tables().count(NumberOfName(name)) == 0) continue;
            found++;
            status = ShareFile(source_, name, target_);
            if (status.IsNotFound()) break;
        }
        *has_changed = status.IsNotFound() || (status.ok() && found < list.tables().size());
        return *has_changed ? leveldb::Status::OK() : status;
    }

    Failure CopyLogs(const std::vector<std::string>& names, const TableList& list,
                     bool* has_changed) {
        const std::vector<std::string> logs = LogsToReplay(names, list.log_number());
        // A manifest that was just made by creating a database names none.
        if (list.log_number() != 0 &&
            (logs.empty() || NumberOfName(logs[0]) != list.log_number())) {
            *has_changed = true;
            return Failure();
        }
        for (const std::string& name : logs) {
            LogEnd end;
            Failure failure = ReadLog(
                source_, name, 0, [](const std::string&) { return true; }, &end);
            if (failure.ok()) failure = Of(CopyFile(source_, name, 0, end.offset, target_, name));
            if (failure.ok()) continue;
            // A log is removed once all of it is in tables.
            *has_changed = !source_->IsRegular(name);
            return *has_changed ? Failure() : failure;
        }
        return Failure();
    }

    Directory* const source_;
    Directory* const target_;
};

Failure Clear(Directory* directory) {
    std::vector<std::string> names;
    leveldb::Status status = directory->List(&names);
    for (const std::string& name : names) {
        if (status.ok() && KindOfName(name) != FileKind::kNone) status = directory->Remove(name);
    }
    return status.ok() ? Failure() : FailureOf(status);
}

Failure MakeLockFile(Directory* directory) {
    const int file = directory->OpenFile("LOCK", O_WRONLY | O_CREAT);
    if (file < 0) return FailureOf(StatusOfErrno("LOCK", "create", errno));
    directory->disk().CloseFile(file);
    return Failure();
}

}  // namespace

Failure LinkDatabase(cldb_database* database, const std::string& path) {
    std::unique_ptr<Directory> target;
    Failure failure = Directory::Open(path, true, &target);
    std::vector<std::string> names;
    if (failure.ok()) {
        const leveldb::Status status = target->List(&names);
        if (!status.ok()) failure = FailureOf(status);
    }
    if (failure.ok() && !names.empty()) {
        failure = Failure{CLDB_EXISTS, "the directory is not empty"};
    }
    if (!failure.ok()) return failure;
    bool has_changed = true;
    // Compactions change the files about every second at the most.
    for (int attempt = 0; attempt < 100 && has_changed; attempt++) {
        if (attempt > 0) failure = Clear(target.get());
        if (!failure.ok()) return failure;
        failure = Linking(database->directory.get(), target.get()).Run(&has_changed);
    }
    if (failure.ok() && has_changed) {
        failure = Failure{CLDB_IO, "the files keep changing; try again"};
    }
    if (failure.ok()) failure = MakeLockFile(target.get());
    leveldb::Status status;
    if (failure.ok()) status = target->Sync();
    if (failure.ok() && status.ok()) status = target->SyncParent();
    return failure.ok() && !status.ok() ? FailureOf(status) : failure;
}

}  // namespace cldb

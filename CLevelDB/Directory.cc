#include "Directory.h"

#include <errno.h>
#include <fcntl.h>

#include "Faults.h"
#include "OverlayDisk.h"

namespace cldb {

Failure Directory::Open(const std::string& path, bool create,
                        std::unique_ptr<Directory>* directory,
                        const std::vector<uint32_t>& owners) {
    std::unique_ptr<Disk> disk;
    const Failure failure = OpenDisk(path, create, &disk, owners);
    if (failure.ok()) directory->reset(new Directory(path, std::move(disk)));
    return failure;
}

Failure Directory::OpenLocked(const std::string& path, bool create, bool is_shared,
                              const std::function<Failure(Directory*)>& check,
                              std::unique_ptr<Directory>* directory,
                              std::unique_ptr<DirectoryLock>* lock,
                              const std::vector<uint32_t>& owners) {
    for (int attempt = 0; attempt < 16; attempt++) {
        lock->reset();
        Failure failure = Open(path, create, directory, owners);
        if (failure.ok()) failure = check(directory->get());
        if (!failure.ok()) return failure;
        Disk& disk = (*directory)->disk();
        // For tests, which wait here.
        (void)CheckFault(path, "LOCK", CLDB_OPERATION_LOCK);
        failure = is_shared ? disk.LockShared(lock) : disk.Lock(lock);
        // A purge or a repair may have exchanged it in between, and removes what lies there then.
        if (!disk.IsInPlace()) continue;
        return failure.ok() ? check(directory->get()) : failure;
    }
    return Failure{CLDB_LOCKED, "the directory keeps being replaced"};
}

std::unique_ptr<Directory> Directory::InMemoryOver(Directory* base) {
    std::unique_ptr<Disk> disk(new OverlayDisk(base->disk_.get()));
    return std::unique_ptr<Directory>(new Directory("(memory)", std::move(disk)));
}

int Directory::OpenFile(const std::string& name, int flags) {
    const bool creates = (flags & O_CREAT) != 0;
    if (const Fault fault =
            CheckFault(path_, name, creates ? CLDB_OPERATION_CREATE : CLDB_OPERATION_OPEN);
        fault.error_number != 0) {
        errno = fault.error_number;
        return -1;
    }
    const int file = disk_->OpenFile(name, flags);
    if (file >= 0 && creates) NoteCreation(name);
    return file;
}

void Directory::NoteCreation(const std::string& name) {
    if (KindOfName(name) == FileKind::kTable) tables_.fetch_add(1);
    changes_.fetch_add(1);
}

leveldb::Status Directory::List(std::vector<std::string>* names) const {
    return disk_->List(names) == 0 ? leveldb::Status::OK()
                                   : StatusOfErrno(".", "list directory", errno);
}

leveldb::Status Directory::ListFiles(std::vector<std::string>* names) const {
    return disk_->ListFiles(names) == 0 ? leveldb::Status::OK()
                                        : StatusOfErrno(".", "list directory", errno);
}

bool Directory::IsRegular(const std::string& name) const {
    bool is_regular = false;
    uint64_t size;
    return disk_->Stat(name, &is_regular, &size) == 0 && is_regular;
}

leveldb::Status Directory::Size(const std::string& name, uint64_t* size) const {
    *size = 0;
    bool is_regular;
    return disk_->Stat(name, &is_regular, size) == 0 ? leveldb::Status::OK()
                                                     : StatusOfErrno(name, "stat", errno);
}

leveldb::Status Directory::Rename(const std::string& from, const std::string& to) {
    int error = CheckFault(path_, to, CLDB_OPERATION_RENAME).error_number;
    if (error == 0 && disk_->Rename(from, to) != 0) error = errno;
    if (error != 0) return StatusOfErrno(from, "rename", error);
    changes_.fetch_add(1);
    return leveldb::Status::OK();
}

leveldb::Status Directory::Remove(const std::string& name) {
    int error = CheckFault(path_, name, CLDB_OPERATION_REMOVE).error_number;
    if (error == 0 && disk_->Remove(name) != 0) error = errno;
    return error == 0 ? leveldb::Status::OK() : StatusOfErrno(name, "remove", error);
}

int Directory::Link(const std::string& name, Directory* to) {
    int error = CheckFault(to->path_, name, CLDB_OPERATION_CREATE).error_number;
    if (error == 0 && disk_->LinkTo(name, to->path_) != 0) error = errno;
    if (error == 0) to->NoteCreation(name);
    return error;
}

leveldb::Status Directory::Truncate(const std::string& name, uint64_t length) {
    const int file = OpenFile(name, O_WRONLY);
    if (file < 0) return StatusOfErrno(name, "open", errno);
    int error = CheckFault(path_, name, CLDB_OPERATION_TRUNCATE).error_number;
    if (error == 0 && disk_->Truncate(file, length) != 0) error = errno;
    if (error == 0) error = CheckFault(path_, name, CLDB_OPERATION_SYNC).error_number;
    if (error == 0 && disk_->SyncFile(file) != 0) error = errno;
    if (disk_->CloseFile(file) != 0 && error == 0) error = errno;
    return error == 0 ? leveldb::Status::OK() : StatusOfErrno(name, "truncate", error);
}

Failure Directory::CheckSpace(uint64_t bytes) {
    uint64_t available;
    const bool is_failing = CheckFault(path_, ".", CLDB_OPERATION_SPACE).error_number != 0;
    const bool is_known = disk_->FreeSpace(&available);
    if (!is_failing && (!is_known || available >= bytes)) return Failure();
    std::string text = "it may need " + std::to_string(bytes) + " bytes";
    if (is_known && !is_failing) text += ", and " + std::to_string(available) + " are free";
    return Failure{CLDB_DISK_FULL, text + "; nothing was written"};
}

leveldb::Status Directory::Sync() {
    std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t changes = changes_.load();
    const uint64_t tables = tables_.load();
    if (changes == synced_) return leveldb::Status::OK();
    int error = CheckFault(path_, ".", CLDB_OPERATION_SYNC_DIRECTORY).error_number;
    if (error == 0 && disk_->Sync() != 0) error = errno;
    if (error != 0) return StatusOfErrno(".", "sync directory", error);
    synced_ = changes;
    synced_tables_ = tables;
    return leveldb::Status::OK();
}

leveldb::Status Directory::SyncTables() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (tables_.load() == synced_tables_) return leveldb::Status::OK();
    }
    return Sync();
}

leveldb::Status Directory::SyncParent() {
    int error = CheckFault(path_, "..", CLDB_OPERATION_SYNC_DIRECTORY).error_number;
    if (error == 0 && disk_->SyncParent() != 0) error = errno;
    return error == 0 ? leveldb::Status::OK() : StatusOfErrno("..", "sync directory", error);
}

}  // namespace cldb

#include "Environment.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>

#include "Files.h"
#include "TableFooter.h"

namespace cldb {

using leveldb::Status;

Environment::Environment(Directory* directory, Health* health)
    : leveldb::EnvWrapper(leveldb::Env::Default()),
      directory_(directory),
      health_(health),
      marker_(directory),
      trial_(directory),
      names_(directory),
      worker_(health) {}

Status Environment::Refuse(const std::string& name) const {
    return Status::IOError(name, "refused after an earlier failure");
}

Status Environment::NewSequentialFile(const std::string& path, leveldb::SequentialFile** file) {
    *file = nullptr;
    const std::string name = BaseName(path);
    const int descriptor = directory_->OpenFile(name, O_RDONLY);
    if (descriptor < 0) return StatusOfErrno(name, "open", errno);
    *file = new InputFile(directory_, name, descriptor);
    return Status::OK();
}

Status Environment::NewRandomAccessFile(const std::string& path, leveldb::RandomAccessFile** file) {
    table_accesses++;
    *file = nullptr;
    const std::string name = BaseName(path);
    std::unique_ptr<TableFile> table(new TableFile(directory_, name));
    uint64_t size;
    Status status = directory_->Size(name, &size);
    if (!status.ok()) return status;
    char buffer[kTableFooterSize];
    leveldb::Slice footer;
    const uint64_t offset = size - std::min(size, kTableFooterSize);
    status = table->Read(offset, sizeof buffer, &footer, buffer);
    if (!status.ok()) return status;
    if (!IsTableFooter(footer, size)) return Status::Corruption(name, "not a table file");
    *file = table.release();
    return Status::OK();
}

Status Environment::NewWritableFile(const std::string& path, leveldb::WritableFile** file) {
    *file = nullptr;
    const std::string name = BaseName(path);
    if (health_->poisoned()) return Refuse(name);
    const Status kept = trial_.NoteCreation(name);
    if (!kept.ok()) {
        health_->Poison(FailureOf(kept));
        return kept;
    }
    // A number that a crash left is given again. The file of that name goes first, as another directory
    // may share it.
    if (directory_->IsRegular(name)) {
        names_.Forget(name);
        const Status status = directory_->Remove(name);
        if (!status.ok()) {
            health_->Poison(FailureOf(status));
            return status;
        }
    }
    const int descriptor = directory_->OpenFile(name, O_WRONLY | O_CREAT | O_TRUNC);
    if (descriptor < 0) {
        const Status status = StatusOfErrno(name, "create", errno);
        health_->Poison(FailureOf(status));
        return status;
    }
    OutputFile* const output =
        new OutputFile(directory_, health_, name, descriptor, &manifest_, &marker_);
    names_.Add(name);
    // LevelDB makes one for each time that it opens, and names it in CURRENT.
    if (KindOfName(name) == FileKind::kManifest) manifest_.Await(output);
    *file = output;
    return Status::OK();
}

// Only wanted for going on in an old log, which loses data when that log ends in a torn record.
Status Environment::NewAppendableFile(const std::string& path, leveldb::WritableFile** file) {
    *file = nullptr;
    return Status::NotSupported(BaseName(path), "appending to an old file");
}

bool Environment::FileExists(const std::string& path) {
    return directory_->IsRegular(BaseName(path));
}

Status Environment::GetChildren(const std::string&, std::vector<std::string>* names) {
    names->clear();
    std::vector<std::string> all;
    const Status status = directory_->ListFiles(&all);
    if (!status.ok()) return status;
    for (const std::string& name : all) {
        if (KindOfName(name) != FileKind::kNone) names->push_back(name);
    }
    return Status::OK();
}

// Refused once poisoned: after a failed change of the manifest it is unknown which of the files the
// next opening will need. That opening removes what is left over.
Status Environment::RemoveFile(const std::string& path) {
    const std::string name = BaseName(path);
    if (health_->poisoned()) return Refuse(name);
    if (KindOfName(name) == FileKind::kNone) {
        return Status::NotSupported(name, "not a file of LevelDB");
    }
    names_.Forget(name);
    return trial_.Keeps(name) ? Status::OK() : directory_->Remove(name);
}

Status Environment::CreateDir(const std::string&) { return Status::OK(); }

Status Environment::RemoveDir(const std::string& path) {
    return Status::NotSupported(BaseName(path), "removing a directory");
}

Status Environment::GetFileSize(const std::string& path, uint64_t* size) {
    return directory_->Size(BaseName(path), size);
}

// LevelDB renames only to switch CURRENT to a new manifest, and then removes the old one: if that
// removal survives a power cut and the switch does not, the database is gone. So the switch is
// synced first, and the new manifest before it. The names of that and of its log come into the
// directory before the switch: of a directory's changes no later one is durable without the earlier.
Status Environment::RenameFile(const std::string& from, const std::string& to) {
    if (health_->poisoned()) return Refuse(BaseName(from));
    Status status = manifest_.Sync();
    if (status.ok()) status = trial_.NoteSwitch();
    if (!status.ok()) return status;
    status = directory_->Rename(BaseName(from), BaseName(to));
    if (status.ok()) status = directory_->Sync();
    if (!status.ok()) health_->Poison(FailureOf(status));
    return status;
}

Status Environment::LockFile(const std::string&, leveldb::FileLock** lock) {
    *lock = new leveldb::FileLock;
    return Status::OK();
}

Status Environment::UnlockFile(leveldb::FileLock* lock) {
    delete lock;
    return Status::OK();
}

void Environment::Begin() {
    marker_.Begin();
    names_.Begin();
}

void Environment::AcceptTrial() {
    trial_.Accept();
    Begin();
}

void Environment::Schedule(void (*function)(void*), void* argument) {
    worker_.Schedule(function, argument);
}

Status Environment::NewLogger(const std::string&, leveldb::Logger** logger) {
    *logger = new SilentLogger;
    return Status::OK();
}

}  // namespace cldb

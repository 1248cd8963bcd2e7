#include "Directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Faults.h"

namespace cldb {

namespace {

int OpenDirectory(const char* path) {
    int descriptor;
    do {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

// Some file systems know no syncing of directories; there is nothing more to be had from them.
bool IsUnsupported(int error) { return error == EINVAL || error == ENOTSUP || error == EOPNOTSUPP; }

Failure SystemFailure(const char* operation, int error) {
    return Failure{CodeOfErrno(error), DescribeErrno(operation, error)};
}

}  // namespace

Failure Directory::Open(const std::string& path, bool create,
                        std::unique_ptr<Directory>* directory) {
    if (create && mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
        return SystemFailure("create directory", errno);
    }
    const int descriptor = OpenDirectory(path.c_str());
    if (descriptor < 0) {
        if (errno == ENOENT) return Failure{CLDB_NOT_FOUND, "there is no database here"};
        if (errno == ENOTDIR) return Failure{CLDB_INVALID_ARGUMENT, "not a directory"};
        return SystemFailure("open directory", errno);
    }
    directory->reset(new Directory(path, descriptor));
    return Failure();
}

Directory::~Directory() { close(descriptor_); }

int Directory::OpenFile(const std::string& name, int flags) {
    const bool creates = (flags & O_CREAT) != 0;
    if (const Fault fault =
            CheckFault(path_, name, creates ? CLDB_OPERATION_CREATE : CLDB_OPERATION_OPEN);
        fault.error_number != 0) {
        errno = fault.error_number;
        return -1;
    }
    int descriptor;
    do {
        // Not to wait for the other end of a pipe that somebody put here.
        descriptor =
            openat(descriptor_, name.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -1;
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(descriptor);
        errno = EPERM;
        return -1;
    }
    if (creates) changes_.fetch_add(1);
    return descriptor;
}

leveldb::Status Directory::List(std::vector<std::string>* names) const {
    names->clear();
    // A descriptor of its own, as reading moves the descriptor's position.
    const int descriptor = openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* stream = descriptor < 0 ? nullptr : fdopendir(descriptor);
    if (stream == nullptr) {
        const int error = errno;
        if (descriptor >= 0) close(descriptor);
        return StatusOfErrno(".", "list directory", error);
    }
    std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, closedir);
    for (;;) {
        errno = 0;
        const dirent* entry = readdir(stream);
        if (entry == nullptr) break;
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names->push_back(name);
    }
    return errno == 0 ? leveldb::Status::OK() : StatusOfErrno(".", "list directory", errno);
}

bool Directory::IsRegular(const std::string& name) const {
    struct stat info;
    return fstatat(descriptor_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(info.st_mode);
}

leveldb::Status Directory::Size(const std::string& name, uint64_t* size) const {
    *size = 0;
    struct stat info;
    if (fstatat(descriptor_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return StatusOfErrno(name, "stat", errno);
    }
    *size = static_cast<uint64_t>(info.st_size);
    return leveldb::Status::OK();
}

leveldb::Status Directory::Rename(const std::string& from, const std::string& to) {
    int error = CheckFault(path_, to, CLDB_OPERATION_RENAME).error_number;
    if (error == 0 && renameat(descriptor_, from.c_str(), descriptor_, to.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) return StatusOfErrno(from, "rename", error);
    changes_.fetch_add(1);
    return leveldb::Status::OK();
}

leveldb::Status Directory::Remove(const std::string& name) {
    int error = CheckFault(path_, name, CLDB_OPERATION_REMOVE).error_number;
    if (error == 0 && unlinkat(descriptor_, name.c_str(), 0) != 0) error = errno;
    return error == 0 ? leveldb::Status::OK() : StatusOfErrno(name, "remove", error);
}

leveldb::Status Directory::Sync() {
    std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t changes = changes_.load();
    if (changes == synced_) return leveldb::Status::OK();
    int error = CheckFault(path_, ".", CLDB_OPERATION_SYNC_DIRECTORY).error_number;
    if (error == 0 && fsync(descriptor_) != 0 && !IsUnsupported(errno)) error = errno;
    if (error != 0) return StatusOfErrno(".", "sync directory", error);
    synced_ = changes;
    return leveldb::Status::OK();
}

leveldb::Status Directory::SyncParent() const {
    const int parent = openat(descriptor_, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A parent that may be passed through but not read cannot be synced by us.
    if (parent < 0) {
        return errno == EACCES ? leveldb::Status::OK() : StatusOfErrno("..", "open", errno);
    }
    int error = CheckFault(path_, "..", CLDB_OPERATION_SYNC_DIRECTORY).error_number;
    if (error == 0 && fsync(parent) != 0 && !IsUnsupported(errno)) error = errno;
    close(parent);
    return error == 0 ? leveldb::Status::OK() : StatusOfErrno("..", "sync directory", error);
}

}  // namespace cldb

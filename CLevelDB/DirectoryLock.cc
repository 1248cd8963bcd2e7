#include "DirectoryLock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <set>

namespace cldb {

std::atomic<unsigned> fork_generation{0};

// The locks of this process.
struct LockRegistry {
    std::mutex mutex;
    // What is locked for one alone.
    std::set<DirectoryLock::Identity> locked;
    std::set<DirectoryLock*> all;
    // Those that are open, locked or not.
    std::set<DirectoryDescriptor*> directories;

    // Never destroyed: a fork may come while the program ends.
    static LockRegistry& The() {
        static LockRegistry* registry = new LockRegistry;
        return *registry;
    }

    static void BeforeFork() { The().mutex.lock(); }

    static void InParent() { The().mutex.unlock(); }

    // The parent's locks are the parent's; the child meets them through `flock`.
    static void InChild() {
        fork_generation.fetch_add(1);
        LockRegistry& registry = The();
        for (DirectoryLock* lock : registry.all) lock->CloseFile();
        for (DirectoryDescriptor* directory : registry.directories) {
            close(directory->number_);
            directory->number_ = -1;
        }
        registry.all.clear();
        registry.directories.clear();
        registry.locked.clear();
        registry.mutex.unlock();
    }

    static void WatchForks() {
        static const int done = pthread_atfork(BeforeFork, InParent, InChild);
        (void)done;
    }
};

namespace {

DirectoryLock::Identity IdentityOf(const struct stat& info) { return {info.st_dev, info.st_ino}; }

Failure SystemFailure(const char* operation) {
    const int error = errno;
    return Failure{CodeOfErrno(error), DescribeErrno(operation, error)};
}

Failure Here() {
    return Failure{CLDB_LOCKED, "the database is already open in this process"};
}

Failure Elsewhere() { return Failure{CLDB_LOCKED, "the database is open elsewhere"}; }

int Lock(int file, bool is_shared) {
    int result;
    do {
        result = flock(file, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result;
}

}  // namespace

int DirectoryDescriptor::Open(const std::string& path,
                              std::shared_ptr<DirectoryDescriptor>* directory) {
    LockRegistry::WatchForks();
    LockRegistry& registry = LockRegistry::The();
    std::shared_ptr<DirectoryDescriptor> made(new DirectoryDescriptor);
    std::lock_guard<std::mutex> guard(registry.mutex);
    registry.directories.insert(made.get());
    do {
        made->number_ = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    } while (made->number_ < 0 && errno == EINTR);
    if (made->number_ >= 0) {
        *directory = std::move(made);
        return 0;
    }
    const int error = errno;
    registry.directories.erase(made.get());
    return error;
}

DirectoryDescriptor::~DirectoryDescriptor() {
    if (number_ < 0) return;
    LockRegistry& registry = LockRegistry::The();
    std::lock_guard<std::mutex> guard(registry.mutex);
    registry.directories.erase(this);
    close(number_);
}

Failure DirectoryLock::Acquire(const std::shared_ptr<DirectoryDescriptor>& directory,
                               std::unique_ptr<DirectoryLock>* lock) {
    return Acquire(directory, false, lock);
}

Failure DirectoryLock::AcquireShared(const std::shared_ptr<DirectoryDescriptor>& directory,
                                     std::unique_ptr<DirectoryLock>* lock) {
    return Acquire(directory, true, lock);
}

Failure DirectoryLock::Acquire(const std::shared_ptr<DirectoryDescriptor>& directory, bool is_shared,
                               std::unique_ptr<DirectoryLock>* lock) {
    LockRegistry::WatchForks();
    LockRegistry& registry = LockRegistry::The();
    // Declared first: it ends after the mutex is free again.
    std::unique_ptr<DirectoryLock> made(new DirectoryLock(directory, is_shared));
    std::lock_guard<std::mutex> guard(registry.mutex);
    Failure failure = made->LockPlace();
    if (failure.ok()) failure = made->LockFile(!is_shared && !made->has_place_);
    if (!failure.ok()) {
        made->Release();
        return failure;
    }
    registry.all.insert(made.get());
    if (!is_shared) {
        registry.locked.insert(made->place_identity_);
        if (made->file_ >= 0) registry.locked.insert(made->file_identity_);
    }
    *lock = std::move(made);
    return Failure();
}

Failure DirectoryLock::LockPlace() {
    struct stat info;
    if (fstat(place_->number(), &info) != 0) return SystemFailure("stat directory");
    place_identity_ = IdentityOf(info);
    if (LockRegistry::The().locked.count(place_identity_) > 0) return Here();
    has_place_ = Lock(place_->number(), is_shared_) == 0;
    // Some file systems over a network lock only what is open for writing, which no directory is.
    return has_place_ || errno != EWOULDBLOCK ? Failure() : Elsewhere();
}

// Whoever destroys a database removes its lock file while holding it, so a lock counts only if
// the name still leads to the file that was locked.
Failure DirectoryLock::LockFile(bool makes_file) {
    LockRegistry& registry = LockRegistry::The();
    const int directory = place_->number();
    struct stat info, name_info;
    for (int attempt = 0; attempt < 16; attempt++) {
        if (fstatat(directory, "LOCK", &name_info, AT_SYMLINK_NOFOLLOW) == 0) {
            if (registry.locked.count(IdentityOf(name_info)) > 0) return Here();
            if (!S_ISREG(name_info.st_mode)) return Failure{CLDB_IO, "LOCK is not a regular file"};
        } else if (errno != ENOENT) {
            return SystemFailure("stat LOCK");
        } else if (!makes_file) {
            return Failure();
        }
        file_ = openat(directory, "LOCK",
                       (is_shared_ ? O_RDONLY : O_RDWR) | (makes_file ? O_CREAT : 0) | O_NOFOLLOW |
                           O_NONBLOCK | O_CLOEXEC,
                       0600);
        if (file_ < 0 && !makes_file && errno == ENOENT) continue;
        if (file_ < 0) return SystemFailure("open LOCK");
        if (Lock(file_, is_shared_) != 0) {
            return errno == EWOULDBLOCK ? Elsewhere() : SystemFailure("lock LOCK");
        }
        if (fstat(file_, &info) == 0 &&
            fstatat(directory, "LOCK", &name_info, AT_SYMLINK_NOFOLLOW) == 0 &&
            IdentityOf(info) == IdentityOf(name_info)) {
            file_identity_ = IdentityOf(info);
            return Failure();
        }
        close(file_);
        file_ = -1;
    }
    return Failure{CLDB_LOCKED, "the lock file keeps being replaced"};
}

Failure DirectoryLock::MakeFile() {
    LockRegistry& registry = LockRegistry::The();
    std::lock_guard<std::mutex> guard(registry.mutex);
    if (file_ >= 0 || !has_place_ || is_shared_) return Failure();
    const Failure failure = LockFile(true);
    if (failure.ok()) registry.locked.insert(file_identity_);
    return failure;
}

// What a child closes stays locked by its parent's descriptors.
void DirectoryLock::CloseFile() {
    if (file_ >= 0) close(file_);
    file_ = -1;
    has_place_ = false;
}

// For whoever else has the descriptors too, by the bare system call, and as the directory stays open.
void DirectoryLock::Release() {
    if (file_ >= 0) {
        flock(file_, LOCK_UN);
        close(file_);
    }
    file_ = -1;
    if (has_place_) flock(place_->number(), LOCK_UN);
    has_place_ = false;
}

DirectoryLock::~DirectoryLock() {
    LockRegistry& registry = LockRegistry::The();
    std::lock_guard<std::mutex> guard(registry.mutex);
    // One that was not had, and one of a parent, is not there, and what is locked is not its own.
    if (registry.all.erase(this) > 0 && !is_shared_) {
        registry.locked.erase(place_identity_);
        if (file_ >= 0) registry.locked.erase(file_identity_);
    }
    Release();
}

}  // namespace cldb

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
        for (DirectoryLock* lock : The().all) lock->CloseDescriptors();
        The().all.clear();
        The().locked.clear();
        The().mutex.unlock();
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

Failure DirectoryLock::Acquire(int directory, std::unique_ptr<DirectoryLock>* lock) {
    return Acquire(directory, false, lock);
}

Failure DirectoryLock::AcquireShared(int directory, std::unique_ptr<DirectoryLock>* lock) {
    return Acquire(directory, true, lock);
}

Failure DirectoryLock::Acquire(int directory, bool is_shared,
                               std::unique_ptr<DirectoryLock>* lock) {
    LockRegistry::WatchForks();
    LockRegistry& registry = LockRegistry::The();
    // Declared first: it ends after the mutex is free again.
    std::unique_ptr<DirectoryLock> made(new DirectoryLock(is_shared));
    std::lock_guard<std::mutex> guard(registry.mutex);
    Failure failure = made->LockDirectory(directory);
    if (failure.ok()) failure = made->LockFile(directory, !is_shared && made->place_ < 0);
    if (!failure.ok()) {
        made->CloseDescriptors();
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

Failure DirectoryLock::LockDirectory(int directory) {
    struct stat info;
    if (fstat(directory, &info) != 0) return SystemFailure("stat directory");
    place_identity_ = IdentityOf(info);
    if (LockRegistry::The().locked.count(place_identity_) > 0) return Here();
    // A descriptor of its own, which a child can close.
    place_ = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place_ < 0) return SystemFailure("open directory");
    if (Lock(place_, is_shared_) == 0) return Failure();
    if (errno == EWOULDBLOCK) return Elsewhere();
    // Some file systems over a network lock only what is open for writing, which no directory is.
    close(place_);
    place_ = -1;
    return Failure();
}

// Whoever destroys a database removes its lock file while holding it, so a lock counts only if
// the name still leads to the file that was locked.
Failure DirectoryLock::LockFile(int directory, bool makes_file) {
    LockRegistry& registry = LockRegistry::The();
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
    if (file_ >= 0 || place_ < 0 || is_shared_) return Failure();
    const Failure failure = LockFile(place_, true);
    if (failure.ok()) registry.locked.insert(file_identity_);
    return failure;
}

// What a child closes stays locked by its parent's descriptors.
void DirectoryLock::CloseDescriptors() {
    for (int* descriptor : {&file_, &place_}) {
        if (*descriptor >= 0) close(*descriptor);
        *descriptor = -1;
    }
}

DirectoryLock::~DirectoryLock() {
    LockRegistry& registry = LockRegistry::The();
    std::lock_guard<std::mutex> guard(registry.mutex);
    // One that was not had, and one of a parent, is not there, and what is locked is not its own.
    if (registry.all.erase(this) > 0 && !is_shared_) {
        registry.locked.erase(place_identity_);
        if (file_ >= 0) registry.locked.erase(file_identity_);
    }
    // Released for whoever else has the descriptors too, by the bare system call.
    for (const int descriptor : {file_, place_}) {
        if (descriptor >= 0) flock(descriptor, LOCK_UN);
    }
    CloseDescriptors();
}

}  // namespace cldb

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

namespace {

struct Registry {
    std::mutex mutex;
    std::set<DirectoryLock::Identity> locked;
};

Registry& TheRegistry();

void BeforeFork() { TheRegistry().mutex.lock(); }

void InParent() { TheRegistry().mutex.unlock(); }

// The parent's locks are the parent's; the child meets them through `flock`.
void InChild() {
    fork_generation.fetch_add(1);
    TheRegistry().locked.clear();
    TheRegistry().mutex.unlock();
}

Registry& TheRegistry() {
    static Registry* registry = new Registry;
    return *registry;
}

void WatchForks() {
    static const int done = pthread_atfork(BeforeFork, InParent, InChild);
    (void)done;
}

DirectoryLock::Identity IdentityOf(const struct stat& info) { return {info.st_dev, info.st_ino}; }

Failure SystemFailure(const char* operation) {
    const int error = errno;
    return Failure{CodeOfErrno(error), DescribeErrno(operation, error)};
}

const char kHere[] = "the database is already open in this process";

}  // namespace

Failure DirectoryLock::Acquire(int directory, std::unique_ptr<DirectoryLock>* lock) {
    return Acquire(directory, false, lock);
}

Failure DirectoryLock::AcquireShared(int directory, std::unique_ptr<DirectoryLock>* lock) {
    return Acquire(directory, true, lock);
}

Failure DirectoryLock::Acquire(int directory, bool is_shared,
                               std::unique_ptr<DirectoryLock>* lock) {
    WatchForks();
    Registry& registry = TheRegistry();
    std::lock_guard<std::mutex> guard(registry.mutex);
    struct stat directoryInfo, fileInfo, nameInfo;
    if (fstat(directory, &directoryInfo) != 0) return SystemFailure("stat");
    if (registry.locked.count(IdentityOf(directoryInfo)) > 0) return Failure{CLDB_LOCKED, kHere};

    // Whoever destroys a database removes its lock file while holding it, so a lock counts only if
    // the name still leads to the file that was locked.
    for (int attempt = 0; attempt < 16; attempt++) {
        if (fstatat(directory, "LOCK", &nameInfo, AT_SYMLINK_NOFOLLOW) == 0) {
            if (registry.locked.count(IdentityOf(nameInfo)) > 0) return Failure{CLDB_LOCKED, kHere};
            if (!S_ISREG(nameInfo.st_mode)) return Failure{CLDB_IO, "LOCK is not a regular file"};
        } else if (errno != ENOENT) {
            return SystemFailure("stat LOCK");
        } else if (is_shared) {
            return Failure();
        }
        const int file = openat(
            directory, "LOCK",
            (is_shared ? O_RDONLY : O_RDWR | O_CREAT) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
        if (file < 0 && is_shared && errno == ENOENT) continue;
        if (file < 0) return SystemFailure("open LOCK");
        int result;
        do {
            result = flock(file, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
        } while (result != 0 && errno == EINTR);
        if (result != 0) {
            const bool held = errno == EWOULDBLOCK;
            const Failure failure = SystemFailure("lock LOCK");
            close(file);
            return held ? Failure{CLDB_LOCKED, "the database is open elsewhere"} : failure;
        }
        if (fstat(file, &fileInfo) == 0 &&
            fstatat(directory, "LOCK", &nameInfo, AT_SYMLINK_NOFOLLOW) == 0 &&
            IdentityOf(fileInfo) == IdentityOf(nameInfo)) {
            lock->reset(new DirectoryLock(file, is_shared, IdentityOf(directoryInfo),
                                          IdentityOf(fileInfo)));
            if (is_shared) return Failure();
            registry.locked.insert(IdentityOf(directoryInfo));
            registry.locked.insert(IdentityOf(fileInfo));
            return Failure();
        }
        close(file);
    }
    return Failure{CLDB_LOCKED, "the lock file keeps being replaced"};
}

DirectoryLock::~DirectoryLock() {
    Registry& registry = TheRegistry();
    std::lock_guard<std::mutex> guard(registry.mutex);
    if (!is_shared_) {
        registry.locked.erase(directory_);
        registry.locked.erase(lockFile_);
    }
    flock(file_, LOCK_UN);
    close(file_);
}

}  // namespace cldb

// The lock that keeps a directory to one open database.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <utility>

#include "Errors.h"

namespace cldb {

// Facts:
// 1. Between processes it is `flock` on the file LOCK. LevelDB's own lock (`fcntl`) is lost as soon
//    as anything in the process closes any descriptor of that file; this one is not.
// 2. Within the process it is a registry of the directories and lock files that are locked, by
//    device and inode, so that another spelling of the path finds it. Shared locks are not in it: they
//    meet each other and it through `flock`.
// 3. A child made by `fork` shares the lock's descriptor. It never releases it, and its parent's
//    closing releases the lock though the child's descriptor lives on.
class DirectoryLock {
  public:
    // Locks the directory open as `directory`; `lock` is set on success. CLDB_LOCKED when somebody
    // else has it.
    static Failure Acquire(int directory, std::unique_ptr<DirectoryLock>* lock);
    // The same for somebody who changes nothing: several may have it. The file LOCK is not made; where
    // there is none, nobody else can have a lock, and `lock` stays empty.
    static Failure AcquireShared(int directory, std::unique_ptr<DirectoryLock>* lock);
    ~DirectoryLock();

    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

    using Identity = std::pair<dev_t, ino_t>;

  private:
    DirectoryLock(int file, bool is_shared, Identity directory, Identity lockFile)
        : file_(file), is_shared_(is_shared), directory_(directory), lockFile_(lockFile) {}

    static Failure Acquire(int directory, bool is_shared, std::unique_ptr<DirectoryLock>* lock);

    const int file_;
    const bool is_shared_;
    const Identity directory_;
    const Identity lockFile_;
};

// Counts the forks that led to this process: a handle made under another count belongs to the
// parent.
extern std::atomic<unsigned> fork_generation;

inline unsigned ForkGeneration() { return fork_generation.load(std::memory_order_relaxed); }

}  // namespace cldb

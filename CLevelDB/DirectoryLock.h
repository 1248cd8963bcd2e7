// The lock that keeps a directory to one open database.

#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "Errors.h"

namespace cldb {

// A directory, open. A child of this process closes it as it begins, locked or not: then it is -1.
class DirectoryDescriptor {
  public:
    // The error number, or 0. No link is followed.
    static int Open(const std::string& path, std::shared_ptr<DirectoryDescriptor>* directory);
    ~DirectoryDescriptor();

    DirectoryDescriptor(const DirectoryDescriptor&) = delete;
    DirectoryDescriptor& operator=(const DirectoryDescriptor&) = delete;

    int number() const { return number_; }

  private:
    friend struct LockRegistry;

    DirectoryDescriptor() = default;

    int number_ = -1;
};

// Facts:
// 1. Between processes it is `flock` on the directory itself and on the file LOCK in it. The first holds
//    whatever becomes of LOCK. The second is what earlier versions ask for, and what counts where a file
//    system locks no directories. LevelDB's own lock (`fcntl`) is lost as soon as anything in the process
//    closes any descriptor of that file; these are not.
// 2. Within the process it is a registry of the directories and lock files that are locked, by
//    device and inode, so that another spelling of the path finds it. Shared locks are not in it: they
//    meet each other and it through `flock`.
// 3. A child made by `fork` would share the lock's descriptors, and so keep the lock when its parent has
//    ended. It closes its own as it begins, which leaves the lock to its parent alone. One made by the bare
//    system call, without `fork` of the library, keeps them until it runs another program or ends.
// 4. The directory is locked by the descriptor through which all is reached in it, not by one more. A child closes
//    those that are not locked yet, too: its parent may lock them a moment later.
class DirectoryLock {
  public:
    // Locks the directory; `lock` is set on success. CLDB_LOCKED when somebody else has it. One descriptor has one lock at a time.
    static Failure Acquire(const std::shared_ptr<DirectoryDescriptor>& directory,
                           std::unique_ptr<DirectoryLock>* lock);
    // The same for somebody who changes nothing: several may have it.
    static Failure AcquireShared(const std::shared_ptr<DirectoryDescriptor>& directory,
                                 std::unique_ptr<DirectoryLock>* lock);
    ~DirectoryLock();

    // Makes the file LOCK where there is none, for whoever knows no other lock. Until then nothing in the directory changes, unless its file
    // system locks no directories.
    Failure MakeFile();

    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

    using Identity = std::pair<dev_t, ino_t>;

  private:
    friend struct LockRegistry;

    DirectoryLock(std::shared_ptr<DirectoryDescriptor> place, bool is_shared)
        : is_shared_(is_shared), place_(std::move(place)) {}

    static Failure Acquire(const std::shared_ptr<DirectoryDescriptor>& directory, bool is_shared,
                           std::unique_ptr<DirectoryLock>* lock);
    Failure LockPlace();
    Failure LockFile(bool makes_file);
    void CloseFile();
    void Release();

    const bool is_shared_;
    // The directory, and whether it is locked.
    const std::shared_ptr<DirectoryDescriptor> place_;
    bool has_place_ = false;
    // LOCK; -1 where there is none.
    int file_ = -1;
    Identity place_identity_{};
    Identity file_identity_{};
};

// Counts the forks that led to this process: a handle made under another count belongs to the
// parent.
extern std::atomic<unsigned> fork_generation;

inline unsigned ForkGeneration() { return fork_generation.load(std::memory_order_relaxed); }

}  // namespace cldb

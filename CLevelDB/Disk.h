// What a database's directory lies on: the system's files, or a simulation of them.

#pragma once

#include <stdint.h>
#include <sys/types.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "DirectoryLock.h"
#include "Errors.h"

namespace cldb {

// Tells a file from every other one, as long as it has a name.
struct FileIdentity {
    uint64_t device = 0;
    uint64_t number = 0;

    bool operator!=(const FileIdentity& other) const {
        return device != other.device || number != other.number;
    }
};

// One directory. Every function does as the system call of its name: a result of -1 comes with
// `errno`. May be used from any thread.
class Disk {
  public:
    virtual ~Disk() = default;

    // The file's number. Nothing but regular files is opened, and no link is followed.
    virtual int OpenFile(const std::string& name, int flags) = 0;
    virtual int CloseFile(int file) = 0;
    virtual ssize_t ReadAt(int file, void* bytes, size_t length, uint64_t offset) = 0;
    virtual ssize_t Append(int file, const void* bytes, size_t length) = 0;
    virtual int Truncate(int file, uint64_t length) = 0;
    // Overwrites bytes in place.
    virtual ssize_t WriteAt(int file, const void* bytes, size_t length, uint64_t offset);
    virtual int SyncFile(int file) = 0;
    // Has the system begin to write a range to the disk, without waiting. Its failure shows at the
    // next sync.
    virtual void BeginWriteback(int file, uint64_t offset, uint64_t length) = 0;

    virtual int List(std::vector<std::string>* names) = 0;
    // Those of regular files alone.
    virtual int ListFiles(std::vector<std::string>* names);
    // Whether the name is of a regular file, and its bytes.
    virtual int Stat(const std::string& name, bool* is_regular, uint64_t* size) = 0;
    virtual int Rename(const std::string& from, const std::string& to) = 0;
    virtual int Remove(const std::string& name) = 0;
    // Makes names created, changed and removed so far survive a power cut.
    virtual int Sync() = 0;
    // Makes the directory itself survive a power cut.
    virtual int SyncParent() = 0;
    // Removes the directory if it is empty.
    virtual void RemoveIfEmpty() = 0;
    // The bytes free for this user; false where that cannot be told.
    virtual bool FreeSpace(uint64_t* bytes) = 0;

    // Gives a file a name in another directory too, where files can have several.
    virtual int LinkTo(const std::string& name, const std::string& directory);
    // The same for all files of a disk that does not tell them apart.
    virtual int Identify(int file, FileIdentity* identity);
    // Has the file take so many bytes of the disk, where that can be had.
    virtual int Allocate(int file, uint64_t bytes);

    virtual Failure Lock(std::unique_ptr<DirectoryLock>* lock) = 0;
    // A lock that others may share. None is needed, nor set, where there is no lock file.
    virtual Failure LockShared(std::unique_ptr<DirectoryLock>* lock);
    // Whether the path that it was opened by still leads to the directory.
    virtual bool IsInPlace() { return true; }
    // Whether it leads to another directory.
    virtual bool IsReplaced() { return false; }

    // The file that has a name: no two that are there at once have the same.
    using Identity = std::pair<uint64_t, uint64_t>;
    virtual int Identify(const std::string& name, Identity* identity);

    // When a name in the directory changed last, in nanoseconds, and whether so long ago that each later change shows in it. False
    // where that cannot be told.
    virtual bool LastChange(int64_t* time, bool* is_settled);

    static constexpr size_t kSessionLength = 4;
    using Session = std::array<uint64_t, kSessionLength>;
    // What changes whenever writes may have been lost that were not synced: with a start of the system, and a mount of the file system.
    // Zeros where that cannot be told.
    virtual Session CurrentSession() { return Session{}; }
};

// Opens the directory, first creating it (0700, below an existing parent) if asked to.
// `owners`: users besides this one to whom what is there may belong.
Failure OpenDisk(const std::string& path, bool create, std::unique_ptr<Disk>* disk,
                 const std::vector<uint32_t>& owners = {});

// Has `make` answer for a path from now on, instead of the system; an empty one ends that.
void MountDisk(const std::string& path, std::function<std::unique_ptr<Disk>()> make);

}  // namespace cldb

// A database's directory, held open, and what is done to the names in it.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "CLevelDB.h"
#include "Disk.h"
#include "Errors.h"
#include "FileNames.h"

namespace cldb {

// Adds to the disk what every operation needs: the faults that tests arm, and to know whether a name
// has changed since the last sync.
class Directory {
  public:
    // Opens the directory, first creating it if asked to.
    static Failure Open(const std::string& path, bool create,
                        std::unique_ptr<Directory>* directory,
                        const std::vector<uint32_t>& owners = {});

    // The same, and locks it: for one alone, or shared. `check` is asked before and after, as somebody may
    // have been faster. A directory that another one takes the place of before it is locked does not count.
    static Failure OpenLocked(const std::string& path, bool create, bool is_shared,
                              const std::function<Failure(Directory*)>& check,
                              std::unique_ptr<Directory>* directory,
                              std::unique_ptr<DirectoryLock>* lock,
                              const std::vector<uint32_t>& owners = {});

    // Shows what is in `base`, which must outlive it and is never changed by it. Faults are not for what stays in memory.
    static std::unique_ptr<Directory> InMemoryOver(Directory* base);

    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    const std::string& path() const { return path_; }
    Disk& disk() { return *disk_; }

    // A new descriptor of a regular file, or -1 with `errno` set.
    int OpenFile(const std::string& name, int flags);

    // Everything in the directory but "." and "..".
    leveldb::Status List(std::vector<std::string>* names) const;
    // The regular files in it alone.
    leveldb::Status ListFiles(std::vector<std::string>* names) const;
    bool IsRegular(const std::string& name) const;
    leveldb::Status Size(const std::string& name, uint64_t* size) const;
    leveldb::Status Rename(const std::string& from, const std::string& to);
    leveldb::Status Remove(const std::string& name);
    // Gives a file a name in another directory too; the error number, or 0.
    int Link(const std::string& name, Directory* to);
    // Cuts a file to a length, and syncs it.
    leveldb::Status Truncate(const std::string& name, uint64_t length);

    // CLDB_DISK_FULL when so many bytes are not free.
    Failure CheckSpace(uint64_t bytes);

    // Makes every name created or changed so far survive a power cut. Free when there is none.
    leveldb::Status Sync();
    // The same, if a table is among them.
    leveldb::Status SyncTables();

    // Makes the directory itself survive a power cut.
    leveldb::Status SyncParent();

  private:
    Directory(std::string path, std::unique_ptr<Disk> disk)
        : path_(std::move(path)), disk_(std::move(disk)) {}

    void NoteCreation(const std::string& name);

    const std::string path_;
    const std::unique_ptr<Disk> disk_;
    std::atomic<uint64_t> changes_{0};
    std::atomic<uint64_t> tables_{0};
    std::mutex mutex_;
    // What these were at the last sync.
    uint64_t synced_ = 0;
    uint64_t synced_tables_ = 0;
};

}  // namespace cldb

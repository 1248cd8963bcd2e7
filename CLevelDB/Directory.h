// A database's directory, held open, and what is done to the names in it.

#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "CLevelDB.h"
#include "Errors.h"
#include "FileNames.h"

namespace cldb {

// Facts:
// 1. Files are reached by name from the directory's descriptor: neither a changed working directory
//    nor a renamed parent leads elsewhere.
// 2. No symbolic link, device or pipe is ever opened; new files are for their owner only (0600).
class Directory {
  public:
    // Opens the directory, first creating it (0700, below an existing parent) if asked to.
    static Failure Open(const std::string& path, bool create,
                        std::unique_ptr<Directory>* directory);
    ~Directory();

    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    const std::string& path() const { return path_; }
    int descriptor() const { return descriptor_; }

    // A new descriptor of a regular file, or -1 with `errno` set.
    int OpenFile(const std::string& name, int flags);

    // Everything in the directory but "." and "..".
    leveldb::Status List(std::vector<std::string>* names) const;
    bool IsRegular(const std::string& name) const;
    leveldb::Status Size(const std::string& name, uint64_t* size) const;
    leveldb::Status Rename(const std::string& from, const std::string& to);
    leveldb::Status Remove(const std::string& name);

    // Makes every name created or changed so far survive a power cut. Free when there is none.
    leveldb::Status Sync();

    // Makes the directory itself survive a power cut.
    leveldb::Status SyncParent() const;

  private:
    Directory(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    const std::string path_;
    const int descriptor_;
    std::atomic<uint64_t> changes_{0};
    std::mutex mutex_;
    uint64_t synced_ = 0;
};

}  // namespace cldb

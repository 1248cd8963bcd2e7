// A disk whose changes stay in memory.

#pragma once

#include <map>
#include <mutex>
#include <set>

#include "Disk.h"

namespace cldb {

// Shows what lies on another disk, and what was changed since; the other disk is never changed.
//
// LevelDB cannot open a database without writing: a log becomes a table, and there is a new manifest. On
// this disk it can, where nothing may be written or there is no space for it. It takes as much memory as
// the logs are long.
class OverlayDisk final : public Disk {
  public:
    // `base` must outlive it.
    explicit OverlayDisk(Disk* base) : base_(base) {}

    int OpenFile(const std::string& name, int flags) override;
    int CloseFile(int file) override;
    ssize_t ReadAt(int file, void* bytes, size_t length, uint64_t offset) override;
    ssize_t Append(int file, const void* bytes, size_t length) override;
    int Truncate(int file, uint64_t length) override;
    int SyncFile(int) override { return 0; }
    void BeginWriteback(int, uint64_t, uint64_t) override {}
    int List(std::vector<std::string>* names) override;
    int Stat(const std::string& name, bool* is_regular, uint64_t* size) override;
    int Rename(const std::string& from, const std::string& to) override;
    int Remove(const std::string& name) override;
    int Sync() override { return 0; }
    int SyncParent() override { return 0; }
    void RemoveIfEmpty() override {}
    bool FreeSpace(uint64_t*) override { return false; }
    Session CurrentSession() override { return base_->CurrentSession(); }
    Failure Lock(std::unique_ptr<DirectoryLock>* lock) override { return base_->Lock(lock); }

  private:
    using Bytes = std::shared_ptr<std::string>;

    // The numbers of files in memory begin where no descriptor of the system's is.
    static constexpr int kFirstNumber = 1 << 28;

    // These need the mutex.
    bool IsOnBase(const std::string& name) const;
    // Makes sure that a file is in memory; null, with `errno`, when there is none.
    Bytes Take(const std::string& name);

    Disk* const base_;
    std::mutex mutex_;
    std::map<std::string, Bytes> files_;
    // Names on the other disk that are not there any more.
    std::set<std::string> removed_;
    std::map<int, Bytes> open_;
    int last_number_ = kFirstNumber;
};

}  // namespace cldb

// A directory of the system.

#pragma once

#include <dirent.h>

#include "Disk.h"

namespace cldb {

// Syncs the directory at a path from the open directory `base`, or AT_FDCWD. No failure where the file system knows no syncing of
// directories, nor where the directory may not be read: there is nothing more to be had. Else -1, with errno.
int SyncDirectory(int base, const std::string& path);

// Facts:
// 1. Files are reached by name from the directory's descriptor: neither a changed working directory
//    nor a renamed parent leads elsewhere.
// 2. No symbolic link, device or pipe is ever opened, the directory itself included; new files are
//    for their owner only (0600).
// 3. The directory and the database's files belong to the user that the process acts for, and nobody else can write to them.
class SystemDisk final : public Disk {
  public:
    static Failure Open(const std::string& path, bool create, std::unique_ptr<Disk>* disk,
                        const std::vector<uint32_t>& owners);

    int OpenFile(const std::string& name, int flags) override;
    int CloseFile(int file) override;
    ssize_t ReadAt(int file, void* bytes, size_t length, uint64_t offset) override;
    ssize_t Append(int file, const void* bytes, size_t length) override;
    int Truncate(int file, uint64_t length) override;
    int SyncFile(int file) override;
    void BeginWriteback(int file, uint64_t offset, uint64_t length) override;
    int List(std::vector<std::string>* names) override;
    int ListFiles(std::vector<std::string>* names) override;
    int Stat(const std::string& name, bool* is_regular, uint64_t* size) override;
    int Rename(const std::string& from, const std::string& to) override;
    int Remove(const std::string& name) override;
    int Sync() override;
    int SyncParent() override;
    void RemoveIfEmpty() override;
    bool FreeSpace(uint64_t* bytes) override;
    int LinkTo(const std::string& name, const std::string& directory) override;
    int Identify(int file, FileIdentity* identity) override;
    int Allocate(int file, uint64_t bytes) override;
    Failure Lock(std::unique_ptr<DirectoryLock>* lock) override;
    Failure LockShared(std::unique_ptr<DirectoryLock>* lock) override;
    bool IsInPlace() override;
    bool IsReplaced() override;
    ssize_t WriteAt(int file, const void* bytes, size_t length, uint64_t offset) override;
    int Identify(const std::string& name, Identity* identity) override;
    bool LastChange(int64_t* time, bool* is_settled) override;
    Session CurrentSession() override;

  private:
    SystemDisk(std::string path, std::shared_ptr<DirectoryDescriptor> handle)
        : path_(std::move(path)), handle_(std::move(handle)) {}

    int descriptor() const { return handle_->number(); }

    int Walk(const std::function<void(const dirent&)>& take);
    Failure CheckOwner(bool create, const std::vector<uint32_t>& owners) const;
    Failure CheckFiles(const std::vector<std::string>& names,
                       const std::vector<uint32_t>& owners) const;

    const std::string path_;
    // Shared with the lock of the directory.
    const std::shared_ptr<DirectoryDescriptor> handle_;
};

}  // namespace cldb

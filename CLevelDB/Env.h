// The file system as LevelDB sees it through us.
#pragma once

#include <leveldb/env.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "CLevelDB.h"

namespace cldb {

// One per database. Its rules:
// 1. A log file is synced before it is closed, and the directory before a log's first sync returns: LevelDB does
//    neither, and a later synced write would survive a power cut without the earlier ones.
// 2. The directory is synced after CURRENT is renamed, and the parent after a database is made.
// 3. After a failed write nothing more is written: LevelDB's log writer loses its place after a short write, and a
//    failed sync says nothing of what is on the disk.
// 4. Tables are read by pread: a truncated file under mmap kills the process.
// 5. The lock is one of the open file description, and directories are known by device and inode.
// 6. Only LevelDB's own file names are seen; files are 0600, directories 0700; links are not followed.
// 7. Background work has a thread of its own.
class Env final : public leveldb::EnvWrapper {
  public:
    Env();
    ~Env() override;

    leveldb::Status NewSequentialFile(const std::string &, leveldb::SequentialFile **) override;
    leveldb::Status NewRandomAccessFile(const std::string &, leveldb::RandomAccessFile **) override;
    leveldb::Status NewWritableFile(const std::string &, leveldb::WritableFile **) override;
    leveldb::Status NewAppendableFile(const std::string &, leveldb::WritableFile **) override;
    bool FileExists(const std::string &) override;
    leveldb::Status GetChildren(const std::string &, std::vector<std::string> *) override;
    leveldb::Status RemoveFile(const std::string &) override;
    leveldb::Status CreateDir(const std::string &) override;
    leveldb::Status RenameFile(const std::string &, const std::string &) override;
    leveldb::Status LockFile(const std::string &, leveldb::FileLock **) override;
    leveldb::Status UnlockFile(leveldb::FileLock *) override;
    leveldb::Status NewLogger(const std::string &, leveldb::Logger **) override;
    void Schedule(void (*function)(void *), void *argument) override;

    // Ends the worker after what was scheduled.
    void Join();

    void Poison() { poisoned_.store(true); }
    bool IsPoisoned() const { return poisoned_.load(); }

    // Whether the next operation of the class is to fail; the error number, or 0.
    int Fault(cldb_fault_class, bool *short_write = nullptr);
    void SetFault(cldb_fault_class, int after, int count, int error_number, bool short_write);

  private:
    void Work();

    std::atomic<bool> poisoned_{false};
    std::atomic<bool> has_fault_{false};
    std::mutex fault_mutex_;
    cldb_fault_class fault_ = CLDB_FAULT_NONE;
    int fault_after_ = 0, fault_count_ = 0, fault_error_ = 0;
    bool fault_short_ = false;

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<std::pair<void (*)(void *), void *>> tasks_;
    bool ending_ = false;
    std::thread worker_;
};

// A logger that keeps nothing: LevelDB's own prints keys.
class NullLogger final : public leveldb::Logger {
  public:
    void Logv(const char *, va_list) override {}
};

leveldb::Status PosixError(const std::string &context, int error_number);
leveldb::Status SyncDirectory(const std::string &directory);
std::string DirectoryOf(const std::string &path);
// Whether LevelDB gives files such a name.
bool IsDatabaseFile(const std::string &name);

// Words in a status by which the shim tells its own errors apart.
extern const char *const kLockedMarker;
extern const char *const kPoisonedMarker;
extern const char *const kDiskFullMarker;

}  // namespace cldb

// The environment through which LevelDB meets the system.

#pragma once

#include "CommitMark.h"
#include "Directory.h"
#include "Files.h"
#include "Health.h"
#include "NamesInUse.h"
#include "Trial.h"
#include "Worker.h"
#include "leveldb/env.h"

namespace cldb {

// One for each open database.
//
// What differs from LevelDB's own, with the reason beside the code: logs are synced when finished
// and their names before their data, a new manifest not before CURRENT is switched to it
// (Files.h), a change of CURRENT is synced, failures poison the handle (Health.h), tables are read
// without mapping them, only LevelDB's own names are seen or removed, files are private
// (Directory.h), and databases take turns on a few threads in the background (WorkerThreads.h). Locking is done
// before LevelDB is asked to open anything (DirectoryLock.h), so it is nothing here.
class Environment final : public leveldb::EnvWrapper {
  public:
    Environment(Directory* directory, Health* health);

    leveldb::Status NewSequentialFile(const std::string& path,
                                      leveldb::SequentialFile** file) override;
    leveldb::Status NewRandomAccessFile(const std::string& path,
                                        leveldb::RandomAccessFile** file) override;
    leveldb::Status NewWritableFile(const std::string& path, leveldb::WritableFile** file) override;
    leveldb::Status NewAppendableFile(const std::string& path,
                                      leveldb::WritableFile** file) override;
    bool FileExists(const std::string& path) override;
    leveldb::Status GetChildren(const std::string& path, std::vector<std::string>* names) override;
    leveldb::Status RemoveFile(const std::string& path) override;
    leveldb::Status CreateDir(const std::string& path) override;
    leveldb::Status RemoveDir(const std::string& path) override;
    leveldb::Status GetFileSize(const std::string& path, uint64_t* size) override;
    leveldb::Status RenameFile(const std::string& from, const std::string& to) override;
    leveldb::Status LockFile(const std::string& path, leveldb::FileLock** lock) override;
    leveldb::Status UnlockFile(leveldb::FileLock* lock) override;
    void Schedule(void (*function)(void*), void* argument) override;
    leveldb::Status NewLogger(const std::string& path, leveldb::Logger** logger) override;

    // From when LevelDB is open: the files that are there now have to be there at each commit, and the last commit is
    // marked.
    void Begin();

    // From before LevelDB is opened: what that changes can be undone until it is accepted.
    void BeginTrial() { trial_.Begin(); }
    bool is_on_trial() const { return trial_.is_under_way(); }
    void AcceptTrial();
    // Without effect once it was accepted. LevelDB must have ended.
    void UndoTrial() { trial_.Undo(); }

    // Whether the next opening would find the files that are in use. It is cheap where no name of the directory has
    // changed since the last time; `all` asks for the tables too in any case.
    Failure CheckNames(bool all) { return names_.Check(all); }

    // Has what runs in the background come before that of other databases.
    void Hurry() { worker_.Hurry(); }
    // Nothing runs in the background after it.
    void Stop() { worker_.Stop(); }

  private:
    leveldb::Status Refuse(const std::string& name) const;

    Directory* const directory_;
    Health* const health_;
    NewManifest manifest_;
    CommitMarker marker_;
    Trial trial_;
    NamesInUse names_;
    Worker worker_;
};

// Drops what LevelDB logs about itself: it would write keys in the clear to a file.
class SilentLogger final : public leveldb::Logger {
  public:
    void Logv(const char*, va_list) override {}
};

}  // namespace cldb

// The three kinds of open file that LevelDB asks its environment for.

#pragma once

#include <memory>
#include <string>

#include "CommitMark.h"
#include "Directory.h"
#include "FilesInUse.h"
#include "Health.h"
#include "TableDescriptors.h"
#include "leveldb/env.h"

namespace cldb {

// How often this thread has turned to a table file. A step of an iterator that leaves it unchanged
// has read nothing, so it cannot have met a damaged block, and the iterator's status need not be
// asked for.
extern __thread uint64_t table_accesses;

// LevelDB does not say in which table a block is damaged. It is the one that the thread read last: that is named, where a failure
// names no file.
void ForgetTable();
Failure NamingTable(Failure failure);

class OutputFile;

// The manifest that CURRENT does not name yet, from its creation on.
//
// Nothing depends on it until then, so its sync waits for the switch (Environment::RenameFile). The system
// has begun to write it by then, and that of the file that becomes CURRENT has just been waited for.
//
// Only the thread that opens the database changes it.
class NewManifest {
  public:
    void Await(OutputFile* file) { file_ = file; }
    void Forget() { file_ = nullptr; }
    bool Is(const OutputFile* file) const { return file_ == file; }

    // Syncs it, if it has not been, and forgets it.
    leveldb::Status Sync();

  private:
    OutputFile* file_ = nullptr;
};

// A file being written. Any failure poisons the database.
//
// LevelDB only deletes a log it has finished, which leaves its unsynced tail to a power cut though
// later, synced writes in the next log survive; so closing or deleting a log syncs it.
//
// LevelDB holds a log and a manifest open for as long as the database is. A log that nothing was written to, and a manifest
// that is synced, have no descriptor: it is opened anew for the next write, and must then be the same file. Nothing unsynced
// is left to a file without one, as a failure of the disk might be told to nobody then.
class OutputFile final : public leveldb::WritableFile {
  public:
    // Without a `manifest` there is none that CURRENT could come to name. Without a `marker` nobody is told what has been
    // written of logs and manifests.
    OutputFile(Directory* directory, Health* health, std::string name, int descriptor,
               NewManifest* manifest = nullptr, CommitMarker* marker = nullptr);
    ~OutputFile() override;

    leveldb::Status Append(const leveldb::Slice& data) override;
    // LevelDB flushes a table after each of its blocks of 4 KB, and syncs it before it names it:
    // nothing is written for the first, which would be a system call a block, and each would begin
    // amid a page.
    leveldb::Status Flush() override;
    leveldb::Status Sync() override;
    leveldb::Status Close() override;

    // Syncs what was written, whoever else waits for it.
    leveldb::Status SyncNow();

  private:
    static constexpr size_t kBufferSize = 64 << 10;
    // Logs and tables are handed to the disk in such pieces as they grow, so that little is left to
    // wait for at their end.
    static constexpr uint64_t kWritebackSize = 256 << 10;

    // What Append does first.
    leveldb::Status Reopen();
    void CloseUntilWritten();
    leveldb::Status WriteBuffer();
    leveldb::Status Write(const char* bytes, size_t length);
    bool IsNewManifest() const;
    leveldb::Status SyncNames();
    void BeginWriteback();
    leveldb::Status Fail(const char* operation, int error_number);
    leveldb::Status Refuse() const;

    Directory* const directory_;
    Health* const health_;
    NewManifest* const manifest_;
    CommitMarker* const marker_;
    const std::string name_;
    const FileKind kind_;
    RecordCounter records_;
    // -1 between writes, and once it is closed.
    int descriptor_;
    FileIdentity identity_;
    bool is_closed_ = false;
    bool unsynced_ = false;
    uint64_t written_ = 0;
    uint64_t begun_ = 0;
    size_t filled_ = 0;
    std::unique_ptr<char[]> buffer_;
};

// A file read from its beginning.
class InputFile final : public leveldb::SequentialFile {
  public:
    InputFile(Directory* directory, std::string name, int descriptor)
        : directory_(directory), name_(std::move(name)), descriptor_(descriptor) {}
    ~InputFile() override;

    leveldb::Status Read(size_t length, leveldb::Slice* result, char* scratch) override;
    leveldb::Status Skip(uint64_t length) override;

  private:
    Directory* const directory_;
    const std::string name_;
    const int descriptor_;
    uint64_t offset_ = 0;
};

// A table file, read with `pread`: a mapped one that shrinks or fails would end the process with
// SIGBUS.
//
// Its descriptor is one of those that all tables of the process share (TableDescriptors.h): LevelDB removes no table that it
// still reads, so that it can be opened anew for a read.
class TableFile final : public leveldb::RandomAccessFile {
  public:
    // Takes over the descriptor, if one is given.
    TableFile(Directory* directory, std::string name, int descriptor = -1)
        : directory_(directory),
          name_(std::move(name)),
          number_(KindOfName(name_) == FileKind::kTable ? NumberOfName(name_) : 0),
          descriptor_(directory, name_, descriptor) {}

    leveldb::Status Read(uint64_t offset, size_t length, leveldb::Slice* result,
                         char* scratch) const override;

  private:
    Directory* const directory_;
    const std::string name_;
    // 0 of a file that is no table.
    const uint64_t number_;
    mutable TableDescriptor descriptor_;
};

}  // namespace cldb

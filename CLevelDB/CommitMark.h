// What was committed last, written where its loss is noticed: the file COMMITTED.

#pragma once

#include <stdint.h>

#include <mutex>
#include <string>

#include "Directory.h"
#include "Errors.h"

namespace cldb {

// How far a log or manifest has come, by whole physical records.
struct LogPlace {
    uint64_t number = 0;
    uint64_t length = 0;
    // Of the headers of the records so far, which hold their checksums.
    uint64_t digest = 0;
};

// The digest of records, with one more: none of a different record gives the same.
uint64_t DigestOfRecord(uint64_t digest, const char* header);

// Facts:
// 1. LevelDB takes a log that ends early, or is not there, for what a crash leaves, and an older manifest for
//    the last one. So each commit overwrites these few bytes, after its log was written. The system keeps them in
//    memory like the log itself, and they are synced with nothing.
// 2. `durable` and `manifest` are noted when their files have been synced: whatever becomes of unsynced
//    writes, a power cut leaves at least as much. `written` is noted with each write, and counts as long as no
//    power cut can have come: in the session (Disk.h) in which it was written.
// 3. A mark of before, one that is torn and none at all say less, and never anything wrong. So no failure to write it is
//    one of the database.
// 4. It gets a new file with each opening: the one of before may have a name in another directory too.
// 5. The file is opened for each write, which costs some microseconds, so that an index that is idle has no descriptor of it. Where the process
//    may open no more files, the mark says less until the next write.
struct CommitMark {
    Disk::Session session;
    LogPlace manifest;
    LogPlace written;
    LogPlace durable;

    // False where there is none that can be read.
    static bool Read(Directory* directory, CommitMark* mark);
};

// Keeps the mark of an open database. May be used from any thread.
class CommitMarker {
  public:
    explicit CommitMarker(Directory* directory) : directory_(directory) {}

    CommitMarker(const CommitMarker&) = delete;
    CommitMarker& operator=(const CommitMarker&) = delete;

    // Has what was noted so far, and all from now on, in the directory.
    void Begin();

    void NoteWritten(const LogPlace& log);
    void NoteDurable(const LogPlace& log);
    void NoteManifest(const LogPlace& manifest);
    // After a failed sync the system may have dropped what was written since the one before.
    void NoteLoss();

  private:
    int OpenOwn();
    bool WriteTo(int file);
    // False where there is a file, and it does not say what it should.
    bool Write();

    Directory* const directory_;
    std::mutex mutex_;
    CommitMark mark_;
    // Whether there is a file, and which.
    bool is_there_ = false;
    FileIdentity identity_;
};

// Counts the records that LevelDB writes to a log or manifest. It gives each header to the file by itself, then the
// record, and before a header now and then the few bytes that are left of a block.
class RecordCounter {
  public:
    explicit RecordCounter(uint64_t number) { place_.number = number; }

    void Append(const char* bytes, size_t length);

    const LogPlace& place() const { return place_; }

  private:
    LogPlace place_;
    bool within_ = false;
};

}  // namespace cldb

// What stands behind the C interface's three kinds of handle.

#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "CLevelDB.h"
#include "Directory.h"
#include "DirectoryLock.h"
#include "Environment.h"
#include "Errors.h"
#include "Format.h"
#include "Health.h"
#include "LogTail.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/iterator.h"
#include "leveldb/write_batch.h"

class Call;

// Facts:
// 1. A call other than an iterator's move counts itself in `calls_` while it runs (class Call).
//    Closing sets `closing_`, then waits until nobody is counted; whoever counts itself later sees
//    `closing_` and leaves.
// 2. An iterator has a lock word of its own, so that scans on several threads share no cache line;
//    closing takes each word in turn and keeps it.
// 3. While the database is opened anew, calls wait that meet it; but not on a thread that holds an
//    iterator pinned, for which the opening waits.
// 4. Who holds `writing` alone waits for LevelDB's thread, which never asks for it.
// 5. `iterators_` lists the iterators alive; its mutex is never held while waiting for an
//    iterator's word, as that word's holder may want the mutex.
struct cldb_cache {
    std::shared_ptr<leveldb::Cache> cache;
};

struct cldb_database {
    ~cldb_database();

    std::string path;
    cldb_options options{};
    cldb::Health health;
    // What opening found behind the last whole records of logs. What opening anew finds is left out:
    // it is not what a power cut left.
    std::vector<cldb::LogTail> tails;
    const unsigned fork_generation = cldb::ForkGeneration();

    // Declared in the order in which they are needed: the lock goes last.
    std::unique_ptr<cldb::DirectoryLock> lock;
    std::unique_ptr<cldb::Directory> directory;
    // What LevelDB opens in the place of `directory` where that is not to be written.
    std::unique_ptr<cldb::Directory> overlay;
    // Why no write is taken as long as the database is open like that; CLDB_OK otherwise. Changes only
    // while nobody may enter.
    cldb::Failure standing_refusal;
    // It is open like that until somebody wants to write.
    bool defers_writing = false;
    cldb::SilentLogger logger;
    std::unique_ptr<cldb::Environment> environment;
    std::unique_ptr<const cldb::FormatComparator> comparator;
    std::unique_ptr<const leveldb::FilterPolicy> filter;
    std::shared_ptr<leveldb::Cache> cache;
    // That of several databases, if the options named one.
    std::shared_ptr<leveldb::Cache> shared_cache;
    leveldb::DB* db = nullptr;

    // Shared by who writes, held alone by who compacts. When a write of a compaction's time fails, LevelDB 1.23 has who asked
    // for the compaction go, and its thread then looks for what that has taken along, and crashes.
    std::shared_mutex writing;

    // Why a write is refused before it is tried.
    cldb::Failure WhyNotWritable() {
        if (!standing_refusal.ok()) return standing_refusal;
        return health.poisoned() ? health.Refusal() : cldb::Failure();
    }

    bool IsForked() const { return fork_generation != cldb::ForkGeneration(); }

    // Whether iterators may move, and why not. The first is asked at each step of a scan.
    bool IsUsable() const {
        return !closing_.load(std::memory_order_relaxed) && !IsForked() && !health.broken();
    }
    cldb::Failure WhyUnusable() const;

    void Link(cldb_iterator* iterator);
    void Unlink(cldb_iterator* iterator);

    cldb::Failure Close();

    // Opens on the disk what was opened in memory until it is known to be of use.
    cldb::Failure BeginWriting();

    // Whether what is written now would be found by a later opening; poisoned where not.
    cldb::Failure CheckInPlace();

    // Opens the database anew beneath its handle after a write has failed.
    cldb::Failure Reopen();

    // Ends LevelDB, and what is in memory only.
    void StopLevelDB();

  private:
    friend class ::Call;

    class Reopening;

    cldb::Failure StartAnew();
    cldb::Failure AcceptTrial();
    void WaitForReopening();
    void WaitForCalls();
    bool IsPinnedHere();
    void InvalidateIterators();

    // Nobody may enter: the database is closed, is being opened anew, or could not be.
    std::atomic<bool> closing_{false};
    std::atomic<bool> reopening_{false};
    std::condition_variable reopened_;
    // It could not be: there is no LevelDB behind the handle.
    std::atomic<bool> unopened_{false};
    std::atomic<int64_t> calls_{0};
    std::mutex calls_mutex_;
    std::condition_variable calls_ended_;
    std::mutex close_mutex_;
    std::atomic<bool> closed_{false};
    std::mutex iterators_mutex_;
    cldb_iterator* iterators_ = nullptr;
};

// A call in progress on a database.
class Call {
  public:
    explicit Call(cldb_database* database);
    ~Call();

    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // Why the call may not go on.
    const cldb::Failure& refusal() const { return refusal_; }

  private:
    void Leave();

    cldb_database* const database_;
    bool entered_ = false;
    cldb::Failure refusal_;
};

struct cldb_batch {
    leveldb::WriteBatch batch;
    size_t count = 0;
    // The first limit broken: a literal, so that remembering it cannot fail.
    const char* error = nullptr;
    bool uses_reserve = false;
};

struct cldb_iterator {
    // The lock word: taken for each move or pin; kGone once the database is closed.
    enum : uint32_t { kFree, kTaken, kGone };

    cldb_database* database;
    leveldb::Iterator* iterator;
    std::atomic<uint32_t> word{kFree};
    // The thread that pinned it.
    std::atomic<const void*> owner{nullptr};
    cldb_iterator* next = nullptr;
    cldb_iterator* previous = nullptr;
};

namespace cldb {

// An address that is this thread's alone.
const void* ThisThread();

inline leveldb::Slice SliceOf(const void* bytes, size_t length) {
    return length == 0 ? leveldb::Slice() : leveldb::Slice(static_cast<const char*>(bytes), length);
}

// Runs `body`; an exception out of LevelDB breaks the handle.
template <class Body>
cldb_code Guarded(Health* health, char** message, Body body) {
    try {
        return body();
    } catch (const std::exception& exception) {
        *message = CopyString(exception.what());
    } catch (...) {
        *message = CopyString("unknown exception");
    }
    // Breaking copies text, which may itself find no memory; the flags are what matters.
    try {
        health->Break(*message == nullptr ? "out of memory" : *message);
    } catch (...) {
        health->BreakSilently();
    }
    return CLDB_IO;
}

}  // namespace cldb

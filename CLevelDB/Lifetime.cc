// Calls in progress, the iterators alive, and closing.

#include <unistd.h>

#include <chrono>

#include "Handles.h"
#include "Open.h"
#include "Reserve.h"

using cldb::Failure;

namespace cldb {

const void* ThisThread() {
    static __thread char mark;
    return &mark;
}

}  // namespace cldb

namespace {

// Made on demand: static objects may be gone while threads still run.
Failure Forked() {
    return Failure{CLDB_CLOSED,
                   "the database was opened before this process was forked; open it anew"};
}

Failure Closed() { return Failure{CLDB_CLOSED, "the database is closed"}; }

Failure Interrupted() {
    return Failure{CLDB_IO,
                   "interrupted, as the database was opened anew after a failed write; try again"};
}

}  // namespace

Call::Call(cldb_database* database) : database_(database) {
    if (database->IsForked()) {
        refusal_ = Forked();
        return;
    }
    for (;;) {
        database->calls_.fetch_add(1);
        entered_ = true;
        if (!database->closing_.load()) break;
        if (!database->reopening_.load() || database->IsPinnedHere()) {
            refusal_ = database->WhyUnusable();
            return;
        }
        Leave();
        database->WaitForReopening();
    }
    if (database->health.broken()) refusal_ = database->health.Refusal();
}

Call::~Call() {
    if (entered_) Leave();
}

void Call::Leave() {
    entered_ = false;
    if (database_->calls_.fetch_sub(1) == 1 && database_->closing_.load()) {
        std::lock_guard<std::mutex> guard(database_->calls_mutex_);
        database_->calls_ended_.notify_all();
    }
}

cldb_database::~cldb_database() { StopLevelDB(); }

Failure cldb_database::WhyUnusable() const {
    if (IsForked()) return Forked();
    if (health.broken()) return Failure{CLDB_POISONED, "unusable after an unexpected exception"};
    if (closed_.load()) return Closed();
    if (!closing_.load() || reopening_.load()) return Interrupted();
    if (!unopened_.load()) return Closed();
    return Failure{CLDB_POISONED, "the database could not be opened anew after a failed write"};
}

void cldb_database::Link(cldb_iterator* iterator) {
    std::lock_guard<std::mutex> guard(iterators_mutex_);
    iterator->next = iterators_;
    if (iterators_ != nullptr) iterators_->previous = iterator;
    iterators_ = iterator;
}

// Also ends LevelDB's iterator, under the mutex: whoever closes must not find it unlisted and
// alive.
void cldb_database::Unlink(cldb_iterator* iterator) {
    std::lock_guard<std::mutex> guard(iterators_mutex_);
    delete iterator->iterator;
    iterator->iterator = nullptr;
    if (iterator->next != nullptr) iterator->next->previous = iterator->previous;
    if (iterator->previous != nullptr) iterator->previous->next = iterator->next;
    if (iterators_ == iterator) iterators_ = iterator->next;
}

bool cldb_database::IsPinnedHere() {
    std::lock_guard<std::mutex> guard(iterators_mutex_);
    for (cldb_iterator* iterator = iterators_; iterator != nullptr; iterator = iterator->next) {
        if (iterator->owner.load() == cldb::ThisThread()) return true;
    }
    return false;
}

void cldb_database::WaitForCalls() {
    std::unique_lock<std::mutex> guard(calls_mutex_);
    // A broken database may hold its callers for ever, and breaks without notice.
    while (calls_.load() > 0 && !health.broken()) {
        calls_ended_.wait_for(guard, std::chrono::milliseconds(100));
    }
}

void cldb_database::InvalidateIterators() {
    for (;;) {
        bool waiting = false;
        {
            std::lock_guard<std::mutex> guard(iterators_mutex_);
            for (cldb_iterator* iterator = iterators_; iterator != nullptr;
                 iterator = iterator->next) {
                uint32_t expected = cldb_iterator::kFree;
                if (iterator->word.compare_exchange_strong(expected, cldb_iterator::kGone)) {
                    delete iterator->iterator;
                    iterator->iterator = nullptr;
                } else if (expected == cldb_iterator::kTaken) {
                    waiting = true;
                }
            }
        }
        if (!waiting || health.broken()) return;
        usleep(50);
    }
}

void cldb_database::WaitForReopening() {
    std::unique_lock<std::mutex> guard(calls_mutex_);
    reopened_.wait(guard, [this] { return !reopening_.load(); });
}

void cldb_database::StopLevelDB() {
    // LevelDB waits for what it has begun.
    if (environment != nullptr) environment->Hurry();
    delete db;
    db = nullptr;
    if (environment != nullptr) {
        environment->Stop();
        environment->UndoTrial();
    }
    environment.reset();
    overlay.reset();
    filter.reset();
    cache.reset();
}

Failure cldb_database::Close() {
    if (IsForked()) return Failure();
    if (IsPinnedHere()) {
        return Failure{CLDB_INVALID_ARGUMENT, "closed from within the use of one of its iterators"};
    }
    std::lock_guard<std::mutex> guard(close_mutex_);
    if (closed_.load()) return Failure();
    closing_.store(true);
    WaitForCalls();
    InvalidateIterators();
    closed_.store(true);
    if (health.broken()) return health.Refusal();
    StopLevelDB();
    directory.reset();
    lock.reset();
    return standing_refusal.ok() ? health.Untold() : Failure();
}

// Has calls wait until it ends, however that comes.
class cldb_database::Reopening {
  public:
    explicit Reopening(cldb_database* database) : database_(database) {
        database->reopening_.store(true);
        database->closing_.store(true);
    }

    ~Reopening() {
        std::lock_guard<std::mutex> guard(database_->calls_mutex_);
        database_->reopening_.store(false);
        database_->reopened_.notify_all();
    }

    Reopening(const Reopening&) = delete;
    Reopening& operator=(const Reopening&) = delete;

  private:
    cldb_database* const database_;
};

Failure cldb_database::Reopen() {
    if (IsForked()) return Forked();
    if (IsPinnedHere()) {
        return Failure{CLDB_INVALID_ARGUMENT, "opened anew within the use of one of its iterators"};
    }
    std::lock_guard<std::mutex> guard(close_mutex_);
    if (closed_.load()) return Closed();
    if (standing_refusal.code == CLDB_READ_ONLY) return standing_refusal;
    if (!health.poisoned()) return Failure();
    if (health.broken()) return health.Refusal();
    // What can be read still is not given up where no opening can go well.
    Failure failure = unopened_.load() || overlay != nullptr ? Failure()
                                                             : environment->CheckNames(true);
    if (failure.ok()) failure = cldb::CheckWritable(directory.get());
    return failure.ok() ? StartAnew() : failure;
}

Failure cldb_database::BeginWriting() {
    if (IsForked()) return Forked();
    std::lock_guard<std::mutex> guard(close_mutex_);
    if (closed_.load()) return Closed();
    if (!defers_writing) return Failure();
    if (health.broken()) return health.Refusal();
    defers_writing = false;
    if (overlay == nullptr && environment->is_on_trial()) return AcceptTrial();
    const Failure failure = StartAnew();
    return failure.code == CLDB_DISK_FULL && failure.text == standing_refusal.text ? Failure()
                                                                                : failure;
}

Failure cldb_database::AcceptTrial() {
    const Reopening reopening(this);
    WaitForCalls();
    if (health.broken()) return health.Refusal();
    const Failure failure = lock == nullptr ? Failure() : lock->MakeFile();
    if (!failure.ok()) return failure;
    environment->AcceptTrial();
    cldb::KeepReserve(directory.get(), options);
    standing_refusal = Failure();
    closing_.store(false);
    return Failure();
}

Failure cldb_database::CheckInPlace() {
    if (overlay != nullptr) return Failure();
    const Failure failure = environment->CheckNames(false);
    if (!failure.ok()) health.Poison(failure);
    return failure.ok() ? failure : health.Refusal();
}

Failure cldb_database::StartAnew() {
    const Reopening reopening(this);
    WaitForCalls();
    InvalidateIterators();
    if (health.broken()) return health.Refusal();
    StopLevelDB();
    unopened_.store(true);
    std::vector<cldb::LogTail> tails_now;
    const Failure failure = cldb::StartOnDiskOrInMemory(this, &tails_now);
    if (failure.ok()) {
        unopened_.store(false);
        closing_.store(false);
        return standing_refusal;
    }
    StopLevelDB();
    health.Poison(failure);
    return failure;
}

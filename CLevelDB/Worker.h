// What one database has to do in the background.

#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

#include "Health.h"
#include "WorkerThreads.h"

namespace cldb {

// Runs tasks one at a time, in their order, on the threads that all databases share (WorkerThreads.h).
class Worker {
  public:
    // Throws std::system_error when there can be no thread.
    explicit Worker(Health* health);
    ~Worker();

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void Schedule(void (*function)(void*), void* argument);

    // Puts what is queued, and what will be, before the work of other databases: the caller waits to close this one.
    void Hurry();

    // Returns when all that is queued is done, which the calling thread does. Calling it again does nothing.
    void Stop();

    // Runs the oldest task. For WorkerThreads alone.
    void RunOne();

  private:
    struct Task {
        void (*function)(void*);
        void* argument;
    };

    void RunOldest(std::unique_lock<std::mutex>* lock);

    Health* const health_;
    WorkerThreads& threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> queue_;
    // Waits for its turn, or has it.
    bool is_submitted_ = false;
    bool is_running_ = false;
    bool is_urgent_ = false;
    // A task threw: what is queued is not run any more.
    bool is_broken_ = false;
};

}  // namespace cldb

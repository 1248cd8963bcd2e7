// The thread on which one database flushes and compacts.

#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "Health.h"

namespace cldb {

// LevelDB's default environment has one such thread for all databases of the process, so that one
// of them compacting stalls the writers of all others. Here each has its own.
class Worker {
  public:
    // Starts the thread. Throws std::system_error when there can be none.
    explicit Worker(Health* health);
    ~Worker() { Stop(); }

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void Schedule(void (*function)(void*), void* argument);

    // Runs what is queued and joins the thread. Calling it again does nothing.
    void Stop();

  private:
    struct Task {
        void (*function)(void*);
        void* argument;
    };

    void Run();

    Health* const health_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> queue_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace cldb

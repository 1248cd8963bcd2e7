// The threads on which the databases of a process flush and compact.

#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

namespace cldb {

class Worker;

// LevelDB's default environment has one thread for all databases of a process, so that one of them compacting stalls the writers
// of all others; one for each would be as many threads as there are open databases.
//
// Facts:
// 1. There are at most kMost threads. One is there as long as a worker is; what else has nothing to do for some seconds ends.
// 2. A worker has one turn at a time, and one task in it: databases take turns. One whose database closes is before all others.
// 3. A task of LevelDB waits for the disk alone, so that each turn comes.
// 4. A child made by `fork` has none of its parent's threads, and makes its own.
class WorkerThreads {
  public:
    static constexpr int kMost = 2;

    // Those of this process.
    static WorkerThreads& Shared();

    // Throws std::system_error when there can be no thread.
    void Attach();
    void Detach();

    // Has the worker's RunOne called once. The worker must not be in here already.
    void Submit(Worker* worker, bool is_urgent);
    // Takes out a worker that waits for its turn; false when it has it.
    bool Withdraw(Worker* worker);

  private:
    explicit WorkerThreads(unsigned generation) : generation_(generation) {}

    void StartThread();
    void Run();

    const unsigned generation_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Worker*> queue_;
    int workers_ = 0;
    int threads_ = 0;
    int idle_ = 0;
};

}  // namespace cldb

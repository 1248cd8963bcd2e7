#include "WorkerThreads.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>

#include "DirectoryLock.h"
#include "Worker.h"

namespace cldb {

WorkerThreads& WorkerThreads::Shared() {
    // Never freed: threads may outlive what is static.
    static std::atomic<WorkerThreads*> shared{nullptr};
    for (;;) {
        WorkerThreads* current = shared.load();
        if (current != nullptr && current->generation_ == ForkGeneration()) return *current;
        WorkerThreads* fresh = new WorkerThreads(ForkGeneration());
        if (shared.compare_exchange_strong(current, fresh)) return *fresh;
        delete fresh;
    }
}

void WorkerThreads::Attach() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (threads_ == 0) StartThread();
    workers_++;
}

void WorkerThreads::Detach() {
    std::lock_guard<std::mutex> lock(mutex_);
    workers_--;
}

void WorkerThreads::Submit(Worker* worker, bool is_urgent) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (is_urgent) {
        queue_.push_front(worker);
    } else {
        queue_.push_back(worker);
    }
    if (queue_.size() > static_cast<size_t>(idle_) && threads_ < kMost) {
        try {
            StartThread();
        } catch (const std::system_error&) {
            // There is one already.
        }
    }
    changed_.notify_one();
}

bool WorkerThreads::Withdraw(Worker* worker) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find(queue_.begin(), queue_.end(), worker);
    if (found == queue_.end()) return false;
    queue_.erase(found);
    return true;
}

void WorkerThreads::StartThread() {
    // The host's signal handlers have no business on this thread, and the mask is inherited from
    // its creator.
    sigset_t all, before;
    sigfillset(&all);
    // Synchronous ones stay, or a fault here would be a silent kill instead of the host's report.
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) sigdelset(&all, fault);
    const bool masked = pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
    try {
        std::thread([this] { Run(); }).detach();
        threads_++;
    } catch (...) {
        if (masked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    if (masked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerThreads::Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        idle_++;
        const bool has_work =
            changed_.wait_for(lock, std::chrono::seconds(5), [this] { return !queue_.empty(); });
        idle_--;
        if (!has_work) {
            if (threads_ == 1 && workers_ > 0) continue;
            threads_--;
            return;
        }
        Worker* const worker = queue_.front();
        queue_.pop_front();
        lock.unlock();
        worker->RunOne();
        lock.lock();
    }
}

}  // namespace cldb

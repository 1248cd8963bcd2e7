#include "Worker.h"

#include <signal.h>

#include <exception>

namespace cldb {

Worker::Worker(Health* health) : health_(health) {
    // The host's signal handlers have no business on this thread, and the mask is inherited from
    // its creator.
    sigset_t all, before;
    sigfillset(&all);
    // Synchronous ones stay, or a fault here would be a silent kill instead of the host's report.
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) sigdelset(&all, fault);
    const bool masked = pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
    try {
        thread_ = std::thread([this] { Run(); });
    } catch (...) {
        if (masked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    if (masked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Worker::Schedule(void (*function)(void*), void* argument) {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(Task{function, argument});
    changed_.notify_one();
}

void Worker::Stop() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
}

void Worker::Run() {
    for (;;) {
        Task task;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (queue_.empty()) return;
            task = queue_.front();
            queue_.pop_front();
        }
        try {
            task.function(task.argument);
        } catch (const std::exception& exception) {
            health_->Break(exception.what());
            return;
        } catch (...) {
            health_->Break("unknown");
            return;
        }
    }
}

}  // namespace cldb

#include "Worker.h"

#include <exception>

#include "WorkerThreads.h"

namespace cldb {

Worker::Worker(Health* health) : health_(health), threads_(WorkerThreads::Shared()) {
    threads_.Attach();
}

Worker::~Worker() {
    Stop();
    threads_.Detach();
}

void Worker::Schedule(void (*function)(void*), void* argument) {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(Task{function, argument});
    if (is_submitted_ || is_broken_) return;
    is_submitted_ = true;
    threads_.Submit(this, is_urgent_);
}

void Worker::Hurry() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_urgent_ = true;
    if (is_submitted_ && threads_.Withdraw(this)) threads_.Submit(this, true);
}

void Worker::Stop() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        // Not to wait for a turn that other databases may be before.
        while (!is_running_ && !is_broken_ && !queue_.empty()) RunOldest(&lock);
        if (is_submitted_ && threads_.Withdraw(this)) is_submitted_ = false;
        if (!is_submitted_ && !is_running_) return;
        changed_.wait(lock);
    }
}

void Worker::RunOne() {
    std::unique_lock<std::mutex> lock(mutex_);
    const bool is_mine = !is_running_;
    if (is_mine && !is_broken_ && !queue_.empty()) RunOldest(&lock);
    // Whoever stops it, and has one under way, does the others too.
    is_submitted_ = is_mine && !is_broken_ && !queue_.empty();
    if (is_submitted_) threads_.Submit(this, is_urgent_);
    // Under the lock: whoever waits may free this.
    changed_.notify_all();
}

void Worker::RunOldest(std::unique_lock<std::mutex>* lock) {
    const Task task = queue_.front();
    queue_.pop_front();
    is_running_ = true;
    lock->unlock();
    bool has_failed = true;
    try {
        task.function(task.argument);
        has_failed = false;
    } catch (const std::exception& exception) {
        health_->Break(exception.what());
    } catch (...) {
        health_->Break("unknown");
    }
    lock->lock();
    is_running_ = false;
    is_broken_ = is_broken_ || has_failed;
    changed_.notify_all();
}

}  // namespace cldb

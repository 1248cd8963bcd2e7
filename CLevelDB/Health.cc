#include "Health.h"

namespace cldb {

void Health::Poison(const Failure& cause) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (poisoned_.load(std::memory_order_relaxed)) return;
    cause_ = cause;
    poisoned_.store(true, std::memory_order_release);
}

void Health::Break(const std::string& what) {
    Poison(Failure{CLDB_IO, "unexpected exception: " + what});
    broken_.store(true, std::memory_order_release);
}

void Health::BreakSilently() noexcept {
    poisoned_.store(true, std::memory_order_release);
    broken_.store(true, std::memory_order_release);
}

Failure Health::Refusal() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!told_ && !cause_.ok()) {
        told_ = true;
        return cause_;
    }
    const char* remedy = broken() ? "restart the process" : "close the database and open it again";
    // Space does not mend a broken handle.
    const bool is_for_want_of_space = cause_.code == CLDB_DISK_FULL && !broken();
    return Failure{is_for_want_of_space ? CLDB_POISONED_DISK_FULL : CLDB_POISONED,
                   "refused after an earlier failure (" + cause_.text + "); " + remedy};
}

void Health::Heal() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (broken_.load(std::memory_order_relaxed)) return;
    cause_ = Failure();
    told_ = false;
    poisoned_.store(false, std::memory_order_release);
}

Failure Health::Untold() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!poisoned_.load(std::memory_order_relaxed) || told_) return Failure();
    told_ = true;
    return cause_;
}

}  // namespace cldb

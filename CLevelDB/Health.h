// Whether a database may still be written.

#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "Errors.h"

namespace cldb {

// Facts:
// 1. After one failed append LevelDB 1.23's log writer is out of step with its file: later writes
//    are acknowledged, synced, and gone at the next open. So the first failure of any write, sync,
//    close or rename *poisons* the handle, and everything that would change a file is refused until
//    the database is opened anew. That recovers all that was acknowledged.
// 2. After a failed sync the kernel may have dropped the pages: a sync is never tried again.
// 3. LevelDB is built without exceptions. One that passes through it may leave its mutex locked, so
//    the handle is *broken*: no further call enters it, closing leaks it, and the directory stays
//    locked until the process ends.
class Health {
  public:
    bool poisoned() const { return poisoned_.load(std::memory_order_acquire); }
    bool broken() const { return broken_.load(std::memory_order_acquire); }

    // Remembers the first failure; later ones are its consequences.
    void Poison(const Failure& cause);

    void Break(const std::string& what);
    // The same where there is no memory to say why.
    void BreakSilently() noexcept;

    // What to tell a caller whose write is refused: the cause to the first, then that the handle is
    // poisoned.
    Failure Refusal();

    // Lets writes in again, once the database is opened anew.
    void Heal();

    // The cause, if no caller has been told yet.
    Failure Untold();

  private:
    std::atomic<bool> poisoned_{false};
    std::atomic<bool> broken_{false};
    std::mutex mutex_;
    Failure cause_;
    bool told_ = false;
};

}  // namespace cldb

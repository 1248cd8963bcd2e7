#include "Faults.h"

#include <errno.h>
#include <signal.h>

#include <condition_variable>
#include <map>
#include <mutex>

namespace cldb {

std::atomic<int> armed_faults{0};

namespace {

struct Plan {
    cldb_fault fault;
    std::string path;
    std::string file;
    uint64_t seen = 0;

    bool Matches(const std::string& in, const std::string& name, cldb_operation operation) const {
        return fault.operation == operation && in.find(path) != std::string::npos &&
               name.find(file) != std::string::npos;
    }
};

struct Plans {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<uint64_t, Plan> byNumber;
    uint64_t last = 0;
};

// Never destroyed: worker threads may outlive the program's static objects.
Plans& ThePlans() {
    static Plans* plans = new Plans;
    return *plans;
}

}  // namespace

Fault MeetFault(const std::string& path, const std::string& file, cldb_operation operation) {
    Plans& plans = ThePlans();
    std::unique_lock<std::mutex> lock(plans.mutex);
    for (auto& [number, plan] : plans.byNumber) {
        if (!plan.Matches(path, file, operation)) continue;
        const uint64_t index = plan.seen++;
        if (index < plan.fault.skip || index - plan.fault.skip >= plan.fault.times) continue;
        const int error = plan.fault.error_number == 0 ? EIO : plan.fault.error_number;
        switch (plan.fault.action) {
            case CLDB_FAULT_COUNT:
                continue;
            case CLDB_FAULT_FAIL:
                return Fault{error, false};
            case CLDB_FAULT_SHORT_WRITE:
                return Fault{error, true};
            case CLDB_FAULT_KILL:
                raise(SIGKILL);
                return Fault();
            case CLDB_FAULT_STALL: {
                const uint64_t waitedFor = number;
                plans.changed.wait(lock, [&] { return plans.byNumber.count(waitedFor) == 0; });
                return Fault();
            }
        }
    }
    return Fault();
}

}  // namespace cldb

extern "C" {

uint64_t cldb_fault_arm(const cldb_fault* fault) {
    try {
        cldb::Plans& plans = cldb::ThePlans();
        std::lock_guard<std::mutex> lock(plans.mutex);
        const uint64_t number = plans.last + 1;
        plans.byNumber[number] = cldb::Plan{*fault, fault->path, fault->file};
        plans.last = number;
        cldb::armed_faults.fetch_add(1);
        return number;
    } catch (...) {
        return 0;
    }
}

uint64_t cldb_fault_seen(uint64_t number) {
    cldb::Plans& plans = cldb::ThePlans();
    std::lock_guard<std::mutex> lock(plans.mutex);
    const auto found = plans.byNumber.find(number);
    return found == plans.byNumber.end() ? 0 : found->second.seen;
}

void cldb_fault_disarm(uint64_t number) {
    cldb::Plans& plans = cldb::ThePlans();
    std::lock_guard<std::mutex> lock(plans.mutex);
    if (plans.byNumber.erase(number) > 0) cldb::armed_faults.fetch_sub(1);
    plans.changed.notify_all();
}

}  // extern "C"

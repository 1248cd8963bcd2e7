// Faults that tests arm: the next, or the n-th, operation of a kind fails, stalls or kills the
// process.

#pragma once

#include <atomic>
#include <string>

#include "CLevelDB.h"

namespace cldb {

// What a file operation has to do instead of succeeding.
struct Fault {
    int error_number = 0;  // 0: go on
    bool short_write = false;
};

extern std::atomic<int> armed_faults;

Fault MeetFault(const std::string& path, const std::string& file, cldb_operation operation);

// To be asked before each file operation.
inline Fault CheckFault(const std::string& path, const std::string& file,
                        cldb_operation operation) {
    if (armed_faults.load(std::memory_order_relaxed) == 0) return Fault();
    return MeetFault(path, file, operation);
}

}  // namespace cldb

// Errors on their way from the system and from LevelDB to the C interface.

#pragma once

#include <string>

#include "CLevelDB.h"
#include "leveldb/status.h"

namespace cldb {

// A code and what to say. Converts from LevelDB's status.
struct Failure {
    cldb_code code = CLDB_OK;
    std::string text;

    bool ok() const { return code == CLDB_OK; }

    // Gives the failure to a caller of the C interface.
    cldb_code Report(char** message) const;
};

// CLDB_DISK_FULL for the error numbers that mean it, otherwise CLDB_IO.
cldb_code CodeOfErrno(int error_number);

// "append: No space left on device": what failed and why.
std::string DescribeErrno(const char* operation, int error_number);

// The status that an environment gives LevelDB for a system error, in a form FailureOf understands.
leveldb::Status StatusOfErrno(const std::string& file, const char* operation, int error_number);

// Classifies a status that is not OK. LevelDB's own text is kept.
//
// A "not found" with more to say than that is a file that has vanished: damage, not an absent key.
Failure FailureOf(const leveldb::Status& status);

// A copy for the C interface, or NULL when there is no memory.
char* CopyString(const std::string& text);

}  // namespace cldb

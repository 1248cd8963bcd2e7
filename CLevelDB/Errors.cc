#include "Errors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <system_error>

namespace cldb {

namespace {

// Marks a full disk inside a status, which has no place for an error number.
const char kDiskFullMark[] = " [disk full]";

}  // namespace

char* CopyString(const std::string& text) {
    char* copy = static_cast<char*>(malloc(text.size() + 1));
    if (copy != nullptr) memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

cldb_code Failure::Report(char** message) const {
    *message = ok() ? nullptr : CopyString(text);
    return code;
}

cldb_code CodeOfErrno(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
        // The process may write no longer files: a limit on space too.
        case EFBIG:
            return CLDB_DISK_FULL;
        default:
            return CLDB_IO;
    }
}

std::string DescribeErrno(const char* operation, int error_number) {
    return std::string(operation) + ": " + std::generic_category().message(error_number);
}

leveldb::Status StatusOfErrno(const std::string& file, const char* operation, int error_number) {
    std::string text = DescribeErrno(operation, error_number);
    if (CodeOfErrno(error_number) == CLDB_DISK_FULL) text += kDiskFullMark;
    // LevelDB itself asks only whether CURRENT's manifest is not there.
    if (error_number == ENOENT) return leveldb::Status::NotFound(file, text);
    return leveldb::Status::IOError(file, text);
}

Failure FailureOf(const leveldb::Status& status) {
    Failure failure;
    failure.text = status.ToString();
    if (status.IsCorruption()) {
        failure.code = CLDB_CORRUPTION;
    } else if (status.IsNotFound()) {
        failure.code = failure.text == "NotFound: " ? CLDB_NOT_FOUND : CLDB_CORRUPTION;
    } else if (status.IsInvalidArgument()) {
        failure.code = CLDB_INVALID_ARGUMENT;
    } else if (status.IsNotSupportedError()) {
        failure.code = CLDB_NOT_SUPPORTED;
    } else {
        failure.code = CLDB_IO;
        const size_t mark = failure.text.rfind(kDiskFullMark);
        if (mark != std::string::npos) {
            failure.code = CLDB_DISK_FULL;
            failure.text.resize(mark);
        }
    }
    return failure;
}

}  // namespace cldb

extern "C" void cldb_string_free(char* message) { free(message); }

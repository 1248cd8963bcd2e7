// Directories that take each other's name, or a name that is free, in one step that lasts.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include <string>

#include "CLevelDB.h"
#include "Errors.h"
#include "Faults.h"
#include "FileNames.h"
#include "SystemDisk.h"

namespace {

// Makes a changed name last: the directory that holds it is synced.
int SyncParent(const std::string& path) {
    const cldb::Fault fault = cldb::CheckFault(path, "..", CLDB_OPERATION_SYNC_DIRECTORY);
    if (fault.error_number != 0) {
        errno = fault.error_number;
        return -1;
    }
    const size_t end = path.find_last_not_of('/');
    const size_t slash = end == std::string::npos ? end : path.find_last_of('/', end);
    const std::string parent =
        slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    return cldb::SyncDirectory(AT_FDCWD, parent);
}

cldb_code Report(const char* operation, char** message) {
    const int error_number = errno;
    const cldb::Failure failure{cldb::CodeOfErrno(error_number),
                                cldb::DescribeErrno(operation, error_number)};
    return failure.Report(message);
}

int Rename(const char* from, const char* to, bool exchanges) {
    const cldb::Fault fault = cldb::CheckFault(from, cldb::BaseName(to), CLDB_OPERATION_RENAME);
    if (fault.error_number != 0) {
        errno = fault.error_number;
        return -1;
    }
#ifdef __APPLE__
    return renamex_np(from, to, exchanges ? RENAME_SWAP : RENAME_EXCL);
#else
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE);
#endif
}

}  // namespace

extern "C" cldb_code cldb_rename(const char* from, const char* to, bool exchanges, char** message) {
    *message = nullptr;
    try {
        if (Rename(from, to, exchanges) == 0 && SyncParent(from) == 0 && SyncParent(to) == 0) {
            return CLDB_OK;
        }
        return Report("rename", message);
    } catch (...) {
        return CLDB_IO;
    }
}

extern "C" cldb_code cldb_sync_name(const char* path, char** message) {
    *message = nullptr;
    try {
        return SyncParent(path) == 0 ? CLDB_OK : Report("sync directory", message);
    } catch (...) {
        return CLDB_IO;
    }
}

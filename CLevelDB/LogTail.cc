#include "LogTail.h"

#include <algorithm>

#include "CopyFile.h"

namespace cldb {

namespace {

// The number of a log or manifest is unique among all files.
std::string NameOfCopy(const std::string& file) {
    const size_t digits = file.find_first_of("0123456789");
    return file.substr(digits, file.find('.') - digits) + ".discarded";
}

leveldb::Status RemoveCopies(Directory* directory) {
    std::vector<std::string> names;
    leveldb::Status status = directory->List(&names);
    for (const std::string& name : names) {
        if (status.ok() && KindOfName(name) == FileKind::kDiscarded) {
            status = directory->Remove(name);
        }
    }
    return status;
}

}  // namespace

Failure DiscardTails(Directory* directory, std::vector<LogTail>* tails) {
    leveldb::Status status;
    const auto is_damaged = [](const LogTail& tail) { return tail.end.kind == LogEnd::kDamaged; };
    if (std::any_of(tails->begin(), tails->end(), is_damaged)) status = RemoveCopies(directory);
    for (LogTail& tail : *tails) {
        if (!status.ok()) break;
        // LevelDB itself passes over a write cut short, but in no other state.
        if (tail.end.kind == LogEnd::kTorn) continue;
        if (is_damaged(tail)) {
            tail.copy = NameOfCopy(tail.file);
            status = CopyFile(directory, tail.file, tail.end.offset, tail.end.length, directory,
                              tail.copy);
            if (status.ok()) status = directory->Sync();
        }
        if (status.ok()) status = directory->Truncate(tail.file, tail.end.offset);
    }
    return status.ok() ? Failure() : FailureOf(status);
}

}  // namespace cldb

#include "LogTail.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>

#include "Files.h"

namespace cldb {

namespace {

constexpr size_t kPieceSize = 64 << 10;

// The number of a log or manifest is unique among all files.
std::string NameOfCopy(const std::string& file) {
    const size_t digits = file.find_first_of("0123456789");
    return file.substr(digits, file.find('.') - digits) + ".discarded";
}

leveldb::Status Copy(Directory* directory, Health* health, const LogTail& tail) {
    const int source = directory->OpenFile(tail.file, O_RDONLY);
    if (source < 0) return StatusOfErrno(tail.file, "open", errno);
    TableFile input(directory, tail.file, source);
    const int target = directory->OpenFile(tail.copy, O_WRONLY | O_CREAT | O_TRUNC);
    if (target < 0) return StatusOfErrno(tail.copy, "create", errno);
    OutputFile output(directory, health, tail.copy, target);
    std::vector<char> buffer(kPieceSize);
    leveldb::Status status;
    for (uint64_t place = tail.end.offset; status.ok() && place < tail.end.length;) {
        leveldb::Slice piece;
        const uint64_t wanted = std::min<uint64_t>(kPieceSize, tail.end.length - place);
        status = input.Read(place, static_cast<size_t>(wanted), &piece, buffer.data());
        if (status.ok() && piece.empty()) status = StatusOfErrno(tail.file, "read", EIO);
        if (status.ok()) status = output.Append(piece);
        place += piece.size();
    }
    if (status.ok()) status = output.Sync();
    if (status.ok()) status = output.Close();
    return status.ok() ? directory->Sync() : status;
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
    Health health;
    leveldb::Status status;
    const auto is_damaged = [](const LogTail& tail) { return tail.end.kind == LogEnd::kDamaged; };
    if (std::any_of(tails->begin(), tails->end(), is_damaged)) status = RemoveCopies(directory);
    for (LogTail& tail : *tails) {
        if (!status.ok()) break;
        // LevelDB itself passes over a write cut short, but in no other state.
        if (tail.end.kind == LogEnd::kTorn) continue;
        if (is_damaged(tail)) {
            tail.copy = NameOfCopy(tail.file);
            status = Copy(directory, &health, tail);
        }
        if (status.ok()) status = directory->Truncate(tail.file, tail.end.offset);
    }
    return status.ok() ? Failure() : FailureOf(status);
}

}  // namespace cldb

#include "CopyFile.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "Faults.h"
#include "Files.h"

namespace cldb {

namespace {

constexpr size_t kPieceSize = 64 << 10;

// Another file system, one without such links, or a file that has as many as it can.
bool CannotShare(int error) {
    return error == EXDEV || error == EPERM || error == EMLINK || error == ENOTSUP ||
           error == EOPNOTSUPP || error == ENOSYS;
}

}  // namespace

leveldb::Status CopyFile(Directory* from, const std::string& name, uint64_t start, uint64_t end,
                         Directory* to, const std::string& new_name) {
    const int source = from->OpenFile(name, O_RDONLY);
    if (source < 0) return StatusOfErrno(name, "open", errno);
    TableFile input(from, name, source);
    const int target = to->OpenFile(new_name, O_WRONLY | O_CREAT | O_TRUNC);
    if (target < 0) return StatusOfErrno(new_name, "create", errno);
    Health health;
    OutputFile output(to, &health, new_name, target);
    std::vector<char> buffer(kPieceSize);
    leveldb::Status status;
    for (uint64_t place = start; status.ok() && place < end;) {
        leveldb::Slice piece;
        const uint64_t wanted = std::min<uint64_t>(kPieceSize, end - place);
        status = input.Read(place, static_cast<size_t>(wanted), &piece, buffer.data());
        if (status.ok() && piece.empty()) status = StatusOfErrno(name, "read", EIO);
        if (status.ok()) status = output.Append(piece);
        place += piece.size();
    }
    if (status.ok()) status = output.Sync();
    if (status.ok()) status = output.Close();
    return status;
}

leveldb::Status ShareFile(Directory* from, const std::string& name, Directory* to) {
    const int error = from->Link(name, to);
    if (error == 0) return leveldb::Status::OK();
    if (!CannotShare(error)) return StatusOfErrno(name, "link", error);
    uint64_t size;
    const leveldb::Status status = from->Size(name, &size);
    return status.ok() ? CopyFile(from, name, 0, size, to, name) : status;
}

}  // namespace cldb

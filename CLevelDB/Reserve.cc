#include "Reserve.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>

namespace cldb {

namespace {

const char kName[] = "RESERVE";

}  // namespace

// Room for opening, after which two more write buffers have to be free for a batch.
uint64_t ReserveSize(const cldb_options& options) {
    if (options.reserve_size == 0) return 0;
    return std::max(options.reserve_size,
                    4 * static_cast<uint64_t>(options.write_buffer_size) + (4 << 20));
}

bool HasReserve(const Directory& directory) { return directory.IsRegular(kName); }

void KeepReserve(Directory* directory, const cldb_options& options) {
    const uint64_t wanted = ReserveSize(options);
    uint64_t size = 0;
    if (HasReserve(*directory)) {
        if (directory->Size(kName, &size).ok() && size == wanted) return;
        if (!GiveUpReserve(directory)) return;
    }
    if (wanted == 0 || !directory->CheckSpace(2 * wanted).ok()) return;
    const int file = directory->OpenFile(kName, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0) return;
    const bool is_made = directory->disk().Allocate(file, wanted) == 0;
    directory->disk().CloseFile(file);
    if (!is_made) GiveUpReserve(directory);
}

bool GiveUpReserve(Directory* directory) {
    return HasReserve(*directory) && directory->Remove(kName).ok();
}

Failure CheckSpaceToOpen(Directory* directory) {
    constexpr uint64_t kOthers = 1 << 20;
    std::vector<std::string> names;
    leveldb::Status status = directory->List(&names);
    uint64_t needed = kOthers;
    for (const std::string& name : names) {
        uint64_t size = 0;
        if (status.ok() && KindOfName(name) == FileKind::kLog) {
            status = directory->Size(name, &size);
            needed += size;
        }
    }
    return status.ok() ? directory->CheckSpace(needed) : FailureOf(status);
}

Failure MakeRoomToOpen(Directory* directory) {
    const Failure failure = CheckSpaceToOpen(directory);
    if (failure.code != CLDB_DISK_FULL || !GiveUpReserve(directory)) return failure;
    return CheckSpaceToOpen(directory);
}

}  // namespace cldb

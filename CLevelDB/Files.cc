#include "Files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "Faults.h"

namespace cldb {

using leveldb::Slice;
using leveldb::Status;

__thread uint64_t table_accesses = 0;

namespace {

// The most that every system takes in one read or write.
constexpr size_t kMaxTransfer = INT_MAX & ~4095;

int SyncData(int descriptor) {
#if defined(__APPLE__)
    // There `fsync` leaves the data in the drive's cache; not all file systems know the stronger
    // request.
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
    return fsync(descriptor);
#else
    return fdatasync(descriptor);
#endif
}

// Has the system begin to write a range to the disk, without waiting. Its failure shows at the next
// sync.
void BeginWriteback(int descriptor, uint64_t offset, uint64_t length) {
#if defined(__linux__)
    (void)sync_file_range(descriptor, static_cast<off_t>(offset), static_cast<off_t>(length),
                          SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor, (void)offset, (void)length;
#endif
}

}  // namespace

OutputFile::OutputFile(Directory* directory, Health* health, std::string name, int descriptor)
    : directory_(directory),
      health_(health),
      name_(std::move(name)),
      kind_(KindOfName(name_)),
      descriptor_(descriptor),
      buffer_(new char[kBufferSize]) {}

OutputFile::~OutputFile() {
    try {
        Close();
    } catch (...) {
        // No memory to say what went wrong.
        health_->BreakSilently();
    }
}

Status OutputFile::Fail(const char* operation, int error_number) {
    const Status status = StatusOfErrno(name_, operation, error_number);
    health_->Poison(FailureOf(status));
    return status;
}

Status OutputFile::Refuse() const {
    return Status::IOError(name_, "refused after an earlier failure");
}

Status OutputFile::Append(const Slice& data) {
    if (health_->poisoned()) return Refuse();
    const char* bytes = data.data();
    size_t length = data.size();
    const size_t fits = std::min(length, kBufferSize - filled_);
    if (fits > 0) memcpy(buffer_.get() + filled_, bytes, fits);
    filled_ += fits;
    if (fits == length) return Status::OK();
    bytes += fits;
    length -= fits;
    const Status status = Flush();
    if (!status.ok()) return status;
    if (length >= kBufferSize) return Write(bytes, length);
    memcpy(buffer_.get(), bytes, length);
    filled_ = length;
    return Status::OK();
}

Status OutputFile::Flush() {
    if (health_->poisoned()) return Refuse();
    const size_t length = filled_;
    filled_ = 0;
    return length == 0 ? Status::OK() : Write(buffer_.get(), length);
}

Status OutputFile::Write(const char* bytes, size_t length) {
    unsynced_ = true;
    written_ += length;
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_APPEND);
    if (fault.error_number != 0) {
        if (fault.short_write) (void)!write(descriptor_, bytes, length / 2);
        return Fail("write", fault.error_number);
    }
    while (length > 0) {
        const ssize_t written = write(descriptor_, bytes, std::min(length, kMaxTransfer));
        if (written < 0) {
            if (errno == EINTR) continue;
            return Fail("write", errno);
        }
        bytes += written;
        length -= static_cast<size_t>(written);
    }
    if (kind_ == FileKind::kLog && written_ - begun_ >= kWritebackSize) {
        BeginWriteback(descriptor_, begun_, written_ - begun_);
        begun_ = written_;
    }
    return Status::OK();
}

Status OutputFile::Sync() {
    if (health_->poisoned()) return Refuse();
    // A log that is not in its directory after a power cut is lost however well its data is synced;
    // a manifest may not name tables that are not.
    if (kind_ == FileKind::kLog || kind_ == FileKind::kManifest) {
        const Status status = directory_->Sync();
        if (!status.ok()) {
            health_->Poison(FailureOf(status));
            return status;
        }
    }
    const Status status = Flush();
    if (!status.ok()) return status;
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_SYNC);
    if (fault.error_number != 0) return Fail("sync", fault.error_number);
    if (SyncData(descriptor_) != 0) return Fail("sync", errno);
    unsynced_ = false;
    return Status::OK();
}

Status OutputFile::Close() {
    if (descriptor_ < 0) return Status::OK();
    Status status = health_->poisoned() ? Refuse() : Flush();
    if (status.ok() && kind_ == FileKind::kLog && unsynced_) status = Sync();
    const int error = CheckFault(directory_->path(), name_, CLDB_OPERATION_CLOSE).error_number;
    const int result = close(descriptor_);
    descriptor_ = -1;
    if (!status.ok()) return status;
    if (error != 0) return Fail("close", error);
    // Interrupted or not, the descriptor is gone.
    if (result != 0 && errno != EINTR) return Fail("close", errno);
    return Status::OK();
}

InputFile::~InputFile() { close(descriptor_); }

Status InputFile::Read(size_t length, Slice* result, char* scratch) {
    *result = Slice(scratch, 0);
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_READ);
    if (fault.error_number != 0) return StatusOfErrno(name_, "read", fault.error_number);
    for (;;) {
        const ssize_t count = read(descriptor_, scratch, std::min(length, kMaxTransfer));
        if (count >= 0) {
            *result = Slice(scratch, static_cast<size_t>(count));
            return Status::OK();
        }
        if (errno != EINTR) return StatusOfErrno(name_, "read", errno);
    }
}

Status InputFile::Skip(uint64_t length) {
    if (lseek(descriptor_, static_cast<off_t>(length), SEEK_CUR) >= 0) return Status::OK();
    return StatusOfErrno(name_, "skip", errno);
}

TableFile::~TableFile() { close(descriptor_); }

Status TableFile::Read(uint64_t offset, size_t length, Slice* result, char* scratch) const {
    table_accesses++;
    *result = Slice(scratch, 0);
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_READ);
    if (fault.error_number != 0) return StatusOfErrno(name_, "read", fault.error_number);
    size_t filled = 0;
    // Ends early only at the end of the file, which LevelDB reports as a truncated block.
    while (filled < length) {
        const ssize_t count =
            pread(descriptor_, scratch + filled, std::min(length - filled, kMaxTransfer),
                  static_cast<off_t>(offset + filled));
        if (count == 0) break;
        if (count < 0) {
            if (errno == EINTR) continue;
            return StatusOfErrno(name_, "read", errno);
        }
        filled += static_cast<size_t>(count);
    }
    *result = Slice(scratch, filled);
    return Status::OK();
}

}  // namespace cldb

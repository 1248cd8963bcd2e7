#include "Files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>

#include "Faults.h"
#include "FilesInUse.h"

namespace cldb {

using leveldb::Slice;
using leveldb::Status;

__thread uint64_t table_accesses = 0;

namespace {

__thread uint64_t last_table = 0;

}  // namespace

void ForgetTable() { last_table = 0; }

Failure NamingTable(Failure failure) {
    const bool names_a_file = failure.text.find(".ldb") != std::string::npos ||
                              failure.text.find(".sst") != std::string::npos ||
                              failure.text.find(".log") != std::string::npos ||
                              failure.text.find("MANIFEST") != std::string::npos ||
                              failure.text.find("CURRENT") != std::string::npos;
    if (failure.code == CLDB_CORRUPTION && last_table != 0 && !names_a_file) {
        char name[32];
        snprintf(name, sizeof name, " in %06llu.ldb", static_cast<unsigned long long>(last_table));
        failure.text += name;
    }
    return failure;
}

Status NewManifest::Sync() {
    const Status status = file_ == nullptr ? Status::OK() : file_->SyncNow();
    file_ = nullptr;
    return status;
}

OutputFile::OutputFile(Directory* directory, Health* health, std::string name, int descriptor,
                       NewManifest* manifest, CommitMarker* marker)
    : directory_(directory),
      health_(health),
      manifest_(manifest),
      marker_(marker),
      name_(std::move(name)),
      kind_(KindOfName(name_)),
      records_(kind_ == FileKind::kManifest ? NumberOfManifest(name_) : NumberOfName(name_)),
      descriptor_(descriptor) {
    if (directory->disk().Identify(descriptor, &identity_) != 0) identity_ = FileIdentity();
    // Many a database is opened and never written.
    if (kind_ == FileKind::kLog) CloseUntilWritten();
}

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

Status OutputFile::Reopen() {
    if (descriptor_ >= 0 || is_closed_) return Status::OK();
    const int descriptor = directory_->OpenFile(name_, O_WRONLY | O_APPEND);
    if (descriptor < 0) return Fail("open", errno);
    FileIdentity identity;
    if (directory_->disk().Identify(descriptor, &identity) != 0 || identity != identity_) {
        directory_->disk().CloseFile(descriptor);
        return Fail("open", ESTALE);
    }
    descriptor_ = descriptor;
    return Status::OK();
}

// Whatever that gives: nothing is lost with it.
void OutputFile::CloseUntilWritten() {
    directory_->disk().CloseFile(descriptor_);
    descriptor_ = -1;
    buffer_.reset();
}

Status OutputFile::Append(const Slice& data) {
    if (health_->poisoned()) return Refuse();
    if (const Status status = Reopen(); !status.ok()) return status;
    if (marker_ != nullptr) records_.Append(data.data(), data.size());
    if (buffer_ == nullptr) buffer_.reset(new char[kBufferSize]);
    const char* bytes = data.data();
    size_t length = data.size();
    const size_t fits = std::min(length, kBufferSize - filled_);
    if (fits > 0) memcpy(buffer_.get() + filled_, bytes, fits);
    filled_ += fits;
    if (fits == length) return Status::OK();
    bytes += fits;
    length -= fits;
    const Status status = WriteBuffer();
    if (!status.ok()) return status;
    if (length >= kBufferSize) return Write(bytes, length);
    memcpy(buffer_.get(), bytes, length);
    filled_ = length;
    return Status::OK();
}

Status OutputFile::Flush() {
    if (kind_ != FileKind::kTable) {
        const Status status = WriteBuffer();
        if (status.ok() && marker_ != nullptr && kind_ == FileKind::kLog) {
            marker_->NoteWritten(records_.place());
        }
        return status;
    }
    return health_->poisoned() ? Refuse() : Status::OK();
}

Status OutputFile::WriteBuffer() {
    if (health_->poisoned()) return Refuse();
    const size_t length = filled_;
    filled_ = 0;
    return length == 0 ? Status::OK() : Write(buffer_.get(), length);
}

Status OutputFile::Write(const char* bytes, size_t length) {
    // The system may put the manifest's bytes on the disk at once, and tables that they name may not
    // be in the directory then.
    if (kind_ == FileKind::kManifest) {
        const Status status = SyncNames();
        if (!status.ok()) return status;
    }
    unsynced_ = true;
    written_ += length;
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_APPEND);
    if (fault.error_number != 0) {
        if (fault.short_write) (void)!directory_->disk().Append(descriptor_, bytes, length / 2);
        return Fail("write", fault.error_number);
    }
    while (length > 0) {
        const ssize_t written = directory_->disk().Append(descriptor_, bytes, length);
        if (written < 0) return Fail("write", errno);
        bytes += written;
        length -= static_cast<size_t>(written);
    }
    if ((kind_ == FileKind::kLog || kind_ == FileKind::kTable) && written_ - begun_ >= kWritebackSize) {
        BeginWriteback();
    }
    return Status::OK();
}

void OutputFile::BeginWriteback() {
    directory_->disk().BeginWriteback(descriptor_, begun_, written_ - begun_);
    begun_ = written_;
}

bool OutputFile::IsNewManifest() const { return manifest_ != nullptr && manifest_->Is(this); }

// A log that is not in its directory after a power cut is lost however well its data is synced; nor may
// one be missing that the manifest names. That beside a new manifest is made durable with the switch of CURRENT.
Status OutputFile::SyncNames() {
    Status status;
    if (IsNewManifest()) {
        status = directory_->SyncTables();
    } else if (kind_ == FileKind::kLog || kind_ == FileKind::kManifest) {
        status = directory_->Sync();
    }
    if (!status.ok()) health_->Poison(FailureOf(status));
    return status;
}

Status OutputFile::Sync() {
    if (!IsNewManifest()) return SyncNow();
    const Status status = WriteBuffer();
    if (status.ok()) BeginWriteback();
    return status;
}

Status OutputFile::SyncNow() {
    if (health_->poisoned()) return Refuse();
    Status status = SyncNames();
    if (status.ok()) status = Reopen();
    if (status.ok()) status = WriteBuffer();
    if (!status.ok()) return status;
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_SYNC);
    const int error = fault.error_number != 0                               ? fault.error_number
                      : directory_->disk().SyncFile(descriptor_) != 0 ? errno
                                                                            : 0;
    if (error != 0) {
        if (marker_ != nullptr && kind_ == FileKind::kLog) marker_->NoteLoss();
        return Fail("sync", error);
    }
    unsynced_ = false;
    if (marker_ != nullptr && kind_ == FileKind::kLog) marker_->NoteDurable(records_.place());
    if (marker_ != nullptr && kind_ == FileKind::kManifest) marker_->NoteManifest(records_.place());
    // It is written as seldom as a table is made.
    if (kind_ == FileKind::kManifest) CloseUntilWritten();
    return Status::OK();
}

Status OutputFile::Close() {
    if (is_closed_) return Status::OK();
    is_closed_ = true;
    // A database that is created has its manifest closed before CURRENT names it.
    const bool must_sync = kind_ == FileKind::kLog || IsNewManifest();
    if (IsNewManifest()) manifest_->Forget();
    Status status = health_->poisoned() ? Refuse() : WriteBuffer();
    if (status.ok() && must_sync && unsynced_) status = SyncNow();
    const int error = CheckFault(directory_->path(), name_, CLDB_OPERATION_CLOSE).error_number;
    const int result = descriptor_ < 0 ? 0 : directory_->disk().CloseFile(descriptor_);
    descriptor_ = -1;
    if (!status.ok()) return status;
    if (error != 0) return Fail("close", error);
    if (result != 0) return Fail("close", errno);
    return Status::OK();
}

namespace {

// Ends early only at the end of the file: what a disk gives of a read may be less than is there.
Status ReadWhole(Directory* directory, const std::string& name, int descriptor, uint64_t offset,
                 size_t length, Slice* result, char* scratch) {
    size_t filled = 0;
    while (filled < length) {
        const ssize_t count = directory->disk().ReadAt(descriptor, scratch + filled,
                                                       length - filled, offset + filled);
        if (count == 0) break;
        if (count < 0) return StatusOfErrno(name, "read", errno);
        filled += static_cast<size_t>(count);
    }
    *result = Slice(scratch, filled);
    return Status::OK();
}

}  // namespace

InputFile::~InputFile() { directory_->disk().CloseFile(descriptor_); }

Status InputFile::Read(size_t length, Slice* result, char* scratch) {
    *result = Slice(scratch, 0);
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_READ);
    if (fault.error_number != 0) return StatusOfErrno(name_, "read", fault.error_number);
    // LevelDB takes a block of a log that is short for the last one.
    const Status status =
        ReadWhole(directory_, name_, descriptor_, offset_, length, result, scratch);
    offset_ += result->size();
    return status;
}

Status InputFile::Skip(uint64_t length) {
    offset_ += length;
    return Status::OK();
}

Status TableFile::Read(uint64_t offset, size_t length, Slice* result, char* scratch) const {
    table_accesses++;
    last_table = number_;
    *result = Slice(scratch, 0);
    const Fault fault = CheckFault(directory_->path(), name_, CLDB_OPERATION_READ);
    if (fault.error_number != 0) return StatusOfErrno(name_, "read", fault.error_number);
    const TableDescriptor::Use use(&descriptor_);
    if (use.file() < 0) {
        if (use.error() == ENOENT) return Status::Corruption(name_, "the table file is missing");
        return StatusOfErrno(name_, "open", use.error());
    }
    // LevelDB reports one that is short as a truncated block.
    return ReadWhole(directory_, name_, use.file(), offset, length, result, scratch);
}

}  // namespace cldb

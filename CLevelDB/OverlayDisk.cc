#include "OverlayDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <algorithm>

namespace cldb {

namespace {

int Fail(int error) {
    errno = error;
    return -1;
}

}  // namespace

bool OverlayDisk::IsOnBase(const std::string& name) const {
    bool is_regular = false;
    uint64_t size;
    return removed_.count(name) == 0 && base_->Stat(name, &is_regular, &size) == 0 && is_regular;
}

OverlayDisk::Bytes OverlayDisk::Take(const std::string& name) {
    const auto found = files_.find(name);
    if (found != files_.end()) return found->second;
    if (!IsOnBase(name)) {
        errno = ENOENT;
        return nullptr;
    }
    const int file = base_->OpenFile(name, O_RDONLY);
    if (file < 0) return nullptr;
    const Bytes bytes = std::make_shared<std::string>();
    std::vector<char> piece(64 << 10);
    ssize_t count;
    while ((count = base_->ReadAt(file, piece.data(), piece.size(), bytes->size())) > 0) {
        bytes->append(piece.data(), static_cast<size_t>(count));
    }
    const int error = errno;
    base_->CloseFile(file);
    errno = error;
    if (count < 0) return nullptr;
    files_[name] = bytes;
    return bytes;
}

int OverlayDisk::OpenFile(const std::string& name, int flags) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_TRUNC)) != 0;
    const bool exists = files_.count(name) > 0 || IsOnBase(name);
    if (!exists && (flags & O_CREAT) == 0) return Fail(ENOENT);
    if (exists && (flags & O_EXCL) != 0) return Fail(EEXIST);
    if (!writes && files_.count(name) == 0 && exists) return base_->OpenFile(name, flags);
    Bytes bytes;
    if (!exists || (flags & O_TRUNC) != 0) {
        bytes = files_[name] = std::make_shared<std::string>();
    } else {
        bytes = Take(name);
        if (bytes == nullptr) return -1;
    }
    open_[++last_number_] = bytes;
    return last_number_;
}

int OverlayDisk::CloseFile(int file) {
    if (file < kFirstNumber) return base_->CloseFile(file);
    const std::lock_guard<std::mutex> lock(mutex_);
    return open_.erase(file) > 0 ? 0 : Fail(EBADF);
}

ssize_t OverlayDisk::ReadAt(int file, void* bytes, size_t length, uint64_t offset) {
    if (file < kFirstNumber) return base_->ReadAt(file, bytes, length, offset);
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = open_.find(file);
    if (found == open_.end()) return Fail(EBADF);
    const std::string& all = *found->second;
    if (offset >= all.size()) return 0;
    const size_t count = std::min<size_t>(length, all.size() - static_cast<size_t>(offset));
    memcpy(bytes, all.data() + offset, count);
    return static_cast<ssize_t>(count);
}

ssize_t OverlayDisk::Append(int file, const void* bytes, size_t length) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = open_.find(file);
    if (found == open_.end()) return Fail(EBADF);
    found->second->append(static_cast<const char*>(bytes), length);
    return static_cast<ssize_t>(length);
}

int OverlayDisk::Truncate(int file, uint64_t length) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = open_.find(file);
    if (found == open_.end()) return Fail(EBADF);
    found->second->resize(static_cast<size_t>(length));
    return 0;
}

int OverlayDisk::List(std::vector<std::string>* names) {
    std::vector<std::string> below;
    if (base_->List(&below) != 0) return -1;
    const std::lock_guard<std::mutex> lock(mutex_);
    names->clear();
    for (const std::string& name : below) {
        if (removed_.count(name) == 0 && files_.count(name) == 0) names->push_back(name);
    }
    for (const auto& file : files_) names->push_back(file.first);
    return 0;
}

int OverlayDisk::Stat(const std::string& name, bool* is_regular, uint64_t* size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = files_.find(name);
    if (found == files_.end()) {
        return removed_.count(name) > 0 ? Fail(ENOENT) : base_->Stat(name, is_regular, size);
    }
    *is_regular = true;
    *size = found->second->size();
    return 0;
}

int OverlayDisk::Rename(const std::string& from, const std::string& to) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Bytes bytes = Take(from);
    if (bytes == nullptr) return -1;
    files_.erase(from);
    removed_.insert(from);
    files_[to] = bytes;
    return 0;
}

int OverlayDisk::Remove(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool is_below = IsOnBase(name);
    if (files_.erase(name) == 0 && !is_below) return Fail(ENOENT);
    removed_.insert(name);
    return 0;
}

}  // namespace cldb

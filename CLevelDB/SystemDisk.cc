#include "SystemDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "FileNames.h"

namespace cldb {

namespace {

// The most that every system takes in one read or write.
constexpr size_t kMaxTransfer = INT_MAX & ~4095;
constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;

// Calls again what a signal interrupted.
template <class Call>
auto Uninterrupted(Call call) {
    for (;;) {
        const auto result = call();
        if (result != -1 || errno != EINTR) return result;
    }
}

// Some file systems know no syncing of directories; there is nothing more to be had from them.
bool IsUnsupported(int error) { return error == EINVAL || error == ENOTSUP || error == EOPNOTSUPP; }

Failure SystemFailure(const char* operation, int error) {
    return Failure{CodeOfErrno(error), DescribeErrno(operation, error)};
}

// With a slash at the end a link would be followed after all.
std::string WithoutSlashes(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

// It is asked for later too, and the process may have changed its own directory by then.
std::string Absolute(const std::string& path) {
    char directory[PATH_MAX];
    if (path.empty() || path[0] == '/' || getcwd(directory, sizeof directory) == nullptr) return path;
    return std::string(directory) + "/" + path;
}

}  // namespace

int SyncDirectory(int base, const std::string& path) {
    const int directory = Uninterrupted(
        [&] { return openat(base, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    // One that may be passed through but not read cannot be synced by us.
    if (directory < 0) return errno == EACCES ? 0 : -1;
    const int result = fsync(directory) != 0 && !IsUnsupported(errno) ? -1 : 0;
    const int error = errno;
    close(directory);
    errno = error;
    return result;
}

Failure SystemDisk::Open(const std::string& path, bool create, std::unique_ptr<Disk>* disk,
                         const std::vector<uint32_t>& owners) {
    const std::string name = Absolute(WithoutSlashes(path));
    if (create && mkdir(name.c_str(), 0700) != 0 && errno != EEXIST) {
        return SystemFailure("create directory", errno);
    }
    std::shared_ptr<DirectoryDescriptor> handle;
    if (const int error = DirectoryDescriptor::Open(name, &handle); error != 0) {
        if (error == ENOENT) return Failure{CLDB_NOT_FOUND, "there is no database here"};
        struct stat info;
        if (lstat(name.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) {
            return Failure{CLDB_UNTRUSTED, "a symbolic link; name the directory that it leads to"};
        }
        if (error == ENOTDIR) return Failure{CLDB_INVALID_ARGUMENT, "not a directory"};
        return SystemFailure("open directory", error);
    }
    std::unique_ptr<SystemDisk> opened(new SystemDisk(name, std::move(handle)));
    const Failure failure = opened->CheckOwner(create, owners);
    if (failure.ok()) *disk = std::move(opened);
    return failure;
}

namespace {

bool IsTrusted(uid_t user, const std::vector<uint32_t>& owners) {
    return user == geteuid() || std::find(owners.begin(), owners.end(), user) != owners.end();
}

}  // namespace

// Whoever can write to the directory can have the process read and write what they like.
Failure SystemDisk::CheckOwner(bool create, const std::vector<uint32_t>& owners) const {
    struct stat info;
    if (fstat(descriptor(), &info) != 0) return SystemFailure("stat directory", errno);
    if (!IsTrusted(info.st_uid, owners)) {
        return Failure{CLDB_UNTRUSTED, "the directory belongs to another user"};
    }
    std::vector<std::string> names;
    if (const_cast<SystemDisk*>(this)->List(&names) != 0) {
        return SystemFailure("list directory", errno);
    }
    if ((info.st_mode & kWritableByOthers) == 0) return CheckFiles(names, owners);
    // One that the application has just made, by its own mask.
    const bool is_new = create && names.empty();
    if (is_new && fchmod(descriptor(), info.st_mode & 07755) == 0) return Failure();
    return Failure{CLDB_UNTRUSTED,
                   "others than its owner can write to the directory; make it its owner's alone "
                   "(chmod go-w) if its content can be trusted"};
}

// Whoever may write to a file need not write to the directory. What else an application keeps beside is its own business.
Failure SystemDisk::CheckFiles(const std::vector<std::string>& names,
                               const std::vector<uint32_t>& owners) const {
    for (const std::string& name : names) {
        struct stat info;
        const int found = fstatat(descriptor(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW);
        if (found != 0 || !S_ISREG(info.st_mode) || KindOfName(name) == FileKind::kNone) continue;
        if (!IsTrusted(info.st_uid, owners)) {
            return Failure{CLDB_UNTRUSTED, "the file \"" + name + "\" belongs to another user"};
        }
        if ((info.st_mode & kWritableByOthers) != 0) {
            return Failure{CLDB_UNTRUSTED, "others than its owner can write to the file \"" + name +
                                               "\"; make it its owner's alone (chmod go-w) if its "
                                               "content can be trusted"};
        }
    }
    return Failure();
}

int SystemDisk::OpenFile(const std::string& name, int flags) {
    // Not to wait for the other end of a pipe that somebody put here.
    const int file = Uninterrupted([&] {
        return openat(descriptor(), name.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    });
    if (file < 0) return -1;
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        errno = EPERM;
        return -1;
    }
    return file;
}

// Interrupted or not, the descriptor is gone.
int SystemDisk::CloseFile(int file) { return close(file) != 0 && errno != EINTR ? -1 : 0; }

ssize_t SystemDisk::ReadAt(int file, void* bytes, size_t length, uint64_t offset) {
    return Uninterrupted([&] {
        return pread(file, bytes, std::min(length, kMaxTransfer), static_cast<off_t>(offset));
    });
}

ssize_t SystemDisk::Append(int file, const void* bytes, size_t length) {
    return Uninterrupted([&] { return write(file, bytes, std::min(length, kMaxTransfer)); });
}

int SystemDisk::Truncate(int file, uint64_t length) {
    return Uninterrupted([&] { return ftruncate(file, static_cast<off_t>(length)); });
}

int SystemDisk::SyncFile(int file) {
#if defined(__APPLE__)
    // There `fsync` leaves the data in the drive's cache; not all file systems know the stronger
    // request.
    if (fcntl(file, F_FULLFSYNC) == 0) return 0;
    return fsync(file);
#else
    return fdatasync(file);
#endif
}

void SystemDisk::BeginWriteback(int file, uint64_t offset, uint64_t length) {
#if defined(__linux__)
    (void)sync_file_range(file, static_cast<off_t>(offset), static_cast<off_t>(length),
                          SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)offset, (void)length;
#endif
}

int SystemDisk::List(std::vector<std::string>* names) {
    names->clear();
    return Walk([&](const dirent& entry) { names->push_back(entry.d_name); });
}

int SystemDisk::ListFiles(std::vector<std::string>* names) {
    names->clear();
    return Walk([&](const dirent& entry) {
        bool is_regular = entry.d_type == DT_REG;
        uint64_t size;
        // Not all file systems say what an entry is.
        if (entry.d_type == DT_UNKNOWN && Stat(entry.d_name, &is_regular, &size) != 0) return;
        if (is_regular) names->push_back(entry.d_name);
    });
}

int SystemDisk::Walk(const std::function<void(const dirent&)>& take) {
    // A descriptor of its own, as reading moves the descriptor's position.
    const int place = openat(descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0) return -1;
    DIR* stream = fdopendir(place);
    if (stream == nullptr) {
        const int error = errno;
        close(place);
        errno = error;
        return -1;
    }
    std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, closedir);
    for (;;) {
        errno = 0;
        const dirent* entry = readdir(stream);
        if (entry == nullptr) return errno == 0 ? 0 : -1;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) take(*entry);
    }
}

int SystemDisk::Stat(const std::string& name, bool* is_regular, uint64_t* size) {
    struct stat info;
    if (fstatat(descriptor(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return -1;
    *is_regular = S_ISREG(info.st_mode);
    *size = static_cast<uint64_t>(info.st_size);
    return 0;
}

int SystemDisk::Rename(const std::string& from, const std::string& to) {
    return renameat(descriptor(), from.c_str(), descriptor(), to.c_str());
}

int SystemDisk::Remove(const std::string& name) { return unlinkat(descriptor(), name.c_str(), 0); }

int SystemDisk::Sync() { return fsync(descriptor()) != 0 && !IsUnsupported(errno) ? -1 : 0; }

int SystemDisk::SyncParent() { return SyncDirectory(descriptor(), ".."); }

void SystemDisk::RemoveIfEmpty() { rmdir(path_.c_str()); }

bool SystemDisk::FreeSpace(uint64_t* bytes) {
    struct statvfs info;
    if (fstatvfs(descriptor(), &info) != 0) return false;
    *bytes = static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
    return true;
}

int SystemDisk::LinkTo(const std::string& name, const std::string& directory) {
    const std::string target = WithoutSlashes(directory) + "/" + name;
    return linkat(descriptor(), name.c_str(), AT_FDCWD, target.c_str(), 0);
}

int SystemDisk::Identify(int file, FileIdentity* identity) {
    struct stat info;
    if (fstat(file, &info) != 0) return -1;
    *identity = FileIdentity{static_cast<uint64_t>(info.st_dev), static_cast<uint64_t>(info.st_ino)};
    return 0;
}

int SystemDisk::Allocate(int file, uint64_t bytes) {
#if defined(__APPLE__)
    fstore_t request{F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(bytes), 0};
    if (fcntl(file, F_PREALLOCATE, &request) == -1) return -1;
    return ftruncate(file, static_cast<off_t>(bytes));
#else
    const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
    errno = error;
    return error == 0 ? 0 : -1;
#endif
}

Failure SystemDisk::LockShared(std::unique_ptr<DirectoryLock>* lock) {
    return DirectoryLock::AcquireShared(handle_, lock);
}

Failure SystemDisk::Lock(std::unique_ptr<DirectoryLock>* lock) {
    return DirectoryLock::Acquire(handle_, lock);
}

bool SystemDisk::IsInPlace() {
    struct stat own, found;
    return fstat(descriptor(), &own) == 0 && lstat(path_.c_str(), &found) == 0 &&
           own.st_dev == found.st_dev && own.st_ino == found.st_ino;
}

bool SystemDisk::IsReplaced() {
    struct stat own, found;
    return fstat(descriptor(), &own) == 0 && lstat(path_.c_str(), &found) == 0 &&
           S_ISDIR(found.st_mode) && (own.st_dev != found.st_dev || own.st_ino != found.st_ino);
}

ssize_t SystemDisk::WriteAt(int file, const void* bytes, size_t length, uint64_t offset) {
    return Uninterrupted(
        [&] { return pwrite(file, bytes, length, static_cast<off_t>(offset)); });
}

int SystemDisk::Identify(const std::string& name, Identity* identity) {
    struct stat info;
    if (fstatat(descriptor(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return -1;
    *identity = Identity(info.st_dev, info.st_ino);
    return 0;
}

bool SystemDisk::LastChange(int64_t* time, bool* is_settled) {
    // The kernel's clock for files ticks every 10 ms or more often; some file systems keep seconds alone.
    constexpr int64_t kSecond = 1'000'000'000, kTick = kSecond / 50;
    struct stat info;
    timespec now;
    if (fstat(descriptor(), &info) != 0) return false;
#if defined(__APPLE__)
    const timespec& changed = info.st_ctimespec;
#else
    const timespec& changed = info.st_ctim;
#endif
    const auto nanoseconds = [](const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; };
    const int64_t last = nanoseconds(changed);
    if (*is_settled && *time == last) return true;
    *time = last;
    clock_gettime(CLOCK_REALTIME, &now);
    *is_settled = nanoseconds(now) - last > (changed.tv_nsec == 0 ? 2 * kSecond : kTick);
    return true;
}

namespace {

// Two numbers that are others after each start of the system; zeros where it does not tell.
std::pair<uint64_t, uint64_t> ReadBoot() {
#if defined(__linux__)
    char text[37] = {};
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? 0 : read(file, text, 36);
    if (file >= 0) close(file);
    if (length != 36) return {};
    uint64_t halves[2] = {};
    int digits = 0;
    for (const char* next = text; *next != 0; next++) {
        if (*next == '-') continue;
        const int value = *next <= '9' ? *next - '0' : (*next | 0x20) - 'a' + 10;
        if (value < 0 || value > 15 || digits == 32) return {};
        uint64_t& half = halves[digits++ / 16];
        half = half << 4 | static_cast<uint64_t>(value);
    }
    return {halves[0], halves[1]};
#else
    return {};
#endif
}

}  // namespace

Disk::Session SystemDisk::CurrentSession() {
    static const std::pair<uint64_t, uint64_t> boot = ReadBoot();
    struct stat info;
    if (boot == std::pair<uint64_t, uint64_t>() || fstat(descriptor(), &info) != 0) return Session{};
    uint64_t mount = 0;
#if defined(STATX_MNT_ID)
    struct statx more;
    if (statx(descriptor(), "", AT_EMPTY_PATH, STATX_MNT_ID, &more) == 0 &&
        (more.stx_mask & STATX_MNT_ID) != 0) {
        mount = more.stx_mnt_id;
    }
#endif
    return Session{boot.first, boot.second, info.st_dev, mount};
}

}  // namespace cldb

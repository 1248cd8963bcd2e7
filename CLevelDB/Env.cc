#include "Env.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

namespace cldb {

using leveldb::Slice;
using leveldb::Status;

const char *const kLockedMarker = "already open";
const char *const kPoisonedMarker = "an earlier write failed";
const char *const kDiskFullMarker = "no space left";

Status PosixError(const std::string &context, int error_number) {
    if (error_number == ENOENT) return Status::NotFound(context, strerror(error_number));
    if (error_number == ENOSPC || error_number == EDQUOT)
        return Status::IOError(context, kDiskFullMarker);
    return Status::IOError(context, strerror(error_number));
}

std::string DirectoryOf(const std::string &path) {
    size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

Status SyncDirectory(const std::string &directory) {
    int fd = ::open(directory.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (fd < 0) return PosixError(directory, errno);
    Status status;
    if (::fsync(fd) != 0 && errno != EINVAL) status = PosixError(directory, errno);
    ::close(fd);
    return status;
}

static bool EndsWith(const std::string &text, const char *ending) {
    size_t length = strlen(ending);
    return text.size() >= length && text.compare(text.size() - length, length, ending) == 0;
}

static bool IsNumber(const std::string &text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool IsDatabaseFile(const std::string &name) {
    if (name == "CURRENT" || name == "LOCK" || name == "LOG" || name == "LOG.old") return true;
    if (name.compare(0, 9, "MANIFEST-") == 0) return IsNumber(name.substr(9));
    size_t point = name.find('.');
    if (point == std::string::npos || !IsNumber(name.substr(0, point))) return false;
    std::string ending = name.substr(point);
    return ending == ".log" || ending == ".ldb" || ending == ".sst" || ending == ".dbtmp";
}

namespace {

int Open(const std::string &path, int flags) {
    int fd;
    do {
        fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

class SequentialFile final : public leveldb::SequentialFile {
  public:
    SequentialFile(Env *env, std::string path, int fd)
        : env_(env), path_(std::move(path)), fd_(fd) {}
    ~SequentialFile() override { ::close(fd_); }

    Status Read(size_t count, Slice *result, char *scratch) override {
        if (int error = env_->Fault(CLDB_FAULT_READ)) return PosixError(path_, error);
        size_t done = 0;
        while (done < count) {
            ssize_t got = ::read(fd_, scratch + done, count - done);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) {
                *result = Slice();
                return PosixError(path_, errno);
            }
            if (got == 0) break;
            done += size_t(got);
        }
        *result = Slice(scratch, done);
        return Status::OK();
    }

    Status Skip(uint64_t count) override {
        return ::lseek(fd_, off_t(count), SEEK_CUR) < 0 ? PosixError(path_, errno) : Status::OK();
    }

  private:
    Env *env_;
    std::string path_;
    int fd_;
};

class RandomAccessFile final : public leveldb::RandomAccessFile {
  public:
    RandomAccessFile(Env *env, std::string path, int fd)
        : env_(env), path_(std::move(path)), fd_(fd) {}
    ~RandomAccessFile() override { ::close(fd_); }

    Status Read(uint64_t offset, size_t count, Slice *result, char *scratch) const override {
        if (int error = env_->Fault(CLDB_FAULT_READ)) return PosixError(path_, error);
        size_t done = 0;
        while (done < count) {
            ssize_t got = ::pread(fd_, scratch + done, count - done, off_t(offset + done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) {
                *result = Slice();
                return PosixError(path_, errno);
            }
            if (got == 0) break;
            done += size_t(got);
        }
        *result = Slice(scratch, done);
        return Status::OK();
    }

  private:
    Env *env_;
    std::string path_;
    int fd_;
};

class WritableFile final : public leveldb::WritableFile {
  public:
    WritableFile(Env *env, std::string path, int fd)
        : env_(env), path_(std::move(path)), fd_(fd), is_log_(EndsWith(path_, ".log")),
          is_manifest_(path_.find("/MANIFEST-") != std::string::npos) {}

    ~WritableFile() override {
        if (fd_ >= 0) Close();
    }

    Status Append(const Slice &data) override {
        if (env_->IsPoisoned()) return Poisoned();
        const char *next = data.data();
        size_t left = data.size();
        size_t fits = std::min(left, sizeof(buffer_) - used_);
        memcpy(buffer_ + used_, next, fits);
        used_ += fits;
        next += fits;
        left -= fits;
        if (left == 0) return Status::OK();
        Status status = Flush();
        if (!status.ok()) return status;
        if (left < sizeof(buffer_)) {
            memcpy(buffer_, next, left);
            used_ = left;
            return status;
        }
        return Write(next, left);
    }

    Status Flush() override {
        Status status = Write(buffer_, used_);
        used_ = 0;
        return status;
    }

    Status Sync() override {
        Status status = Flush();
        if (!status.ok()) return status;
        if (int error = env_->Fault(CLDB_FAULT_SYNC)) return Fail(error);
        if ((is_log_ || is_manifest_) && !directory_synced_) {
            status = SyncDirectory(DirectoryOf(path_));
            if (!status.ok()) {
                env_->Poison();
                return status;
            }
            directory_synced_ = true;
        }
#if defined(__APPLE__)
        if (::fcntl(fd_, F_FULLFSYNC) != 0 && ::fsync(fd_) != 0) return Fail(errno);
#else
        if (::fdatasync(fd_) != 0) return Fail(errno);
#endif
        return Status::OK();
    }

    Status Close() override {
        if (fd_ < 0) return Status::OK();
        // A log that ends before its successor begins must be whole before anything of that is synced.
        Status status = env_->IsPoisoned() ? Poisoned() : is_log_ ? Sync() : Flush();
        int fd = fd_;
        fd_ = -1;
        if (::close(fd) != 0 && status.ok()) status = Fail(errno);
        return status;
    }

  private:
    Status Write(const char *bytes, size_t count) {
        if (count == 0) return Status::OK();
        if (env_->IsPoisoned()) return Poisoned();
        bool is_short = false;
        if (int error = env_->Fault(CLDB_FAULT_APPEND, &is_short)) {
            if (is_short) (void)!::write(fd_, bytes, count / 2);
            return Fail(error);
        }
        while (count > 0) {
            ssize_t done = ::write(fd_, bytes, count);
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) return Fail(errno);
            bytes += done;
            count -= size_t(done);
        }
        return Status::OK();
    }

    Status Fail(int error) {
        env_->Poison();
        return PosixError(path_, error);
    }

    Status Poisoned() { return Status::IOError(path_, kPoisonedMarker); }

    Env *env_;
    std::string path_;
    int fd_;
    bool is_log_, is_manifest_;
    bool directory_synced_ = false;
    char buffer_[64 << 10];
    size_t used_ = 0;
};

// Directories that this process has open, by device and inode.
std::mutex registry_mutex;
std::set<std::pair<dev_t, ino_t>> &Registry() {
    static auto *registry = new std::set<std::pair<dev_t, ino_t>>();
    return *registry;
}

class Lock final : public leveldb::FileLock {
  public:
    Lock(int fd, std::pair<dev_t, ino_t> directory) : fd(fd), directory(directory) {}
    int fd;
    std::pair<dev_t, ino_t> directory;
};

}  // namespace

Env::Env() : EnvWrapper(leveldb::Env::Default()), worker_([this] { Work(); }) {}

Env::~Env() { Join(); }

void Env::Join() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    ready_.notify_all();
    if (worker_.joinable()) worker_.join();
}

void Env::Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
        ready_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        auto task = tasks_.front();
        tasks_.pop_front();
        lock.unlock();
        task.first(task.second);
        lock.lock();
    }
}

void Env::Schedule(void (*function)(void *), void *argument) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        tasks_.emplace_back(function, argument);
    }
    ready_.notify_one();
}

void Env::SetFault(cldb_fault_class fault, int after, int count, int error_number, bool is_short) {
    std::lock_guard<std::mutex> lock(fault_mutex_);
    fault_ = fault;
    fault_after_ = after;
    fault_count_ = count;
    fault_error_ = error_number;
    fault_short_ = is_short;
    has_fault_.store(fault != CLDB_FAULT_NONE);
}

int Env::Fault(cldb_fault_class kind, bool *short_write) {
    if (!has_fault_.load(std::memory_order_relaxed)) return 0;
    std::lock_guard<std::mutex> lock(fault_mutex_);
    if (fault_ != kind) return 0;
    if (fault_after_ > 0) {
        fault_after_--;
        return 0;
    }
    if (fault_count_ <= 0) return 0;
    fault_count_--;
    if (short_write) *short_write = fault_short_;
    return fault_error_;
}

Status Env::NewSequentialFile(const std::string &path, leveldb::SequentialFile **result) {
    *result = nullptr;
    int fd = Open(path, O_RDONLY);
    if (fd < 0) return PosixError(path, errno);
    *result = new SequentialFile(this, path, fd);
    return Status::OK();
}

Status Env::NewRandomAccessFile(const std::string &path, leveldb::RandomAccessFile **result) {
    *result = nullptr;
    int fd = Open(path, O_RDONLY);
    if (fd < 0) return PosixError(path, errno);
    *result = new RandomAccessFile(this, path, fd);
    return Status::OK();
}

Status Env::NewWritableFile(const std::string &path, leveldb::WritableFile **result) {
    *result = nullptr;
    if (IsPoisoned()) return Status::IOError(path, kPoisonedMarker);
    if (int error = Fault(CLDB_FAULT_CREATE)) {
        Poison();
        return PosixError(path, error);
    }
    int fd = Open(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (fd < 0) {
        int error = errno;
        Poison();
        return PosixError(path, error);
    }
    *result = new WritableFile(this, path, fd);
    return Status::OK();
}

// Only asked for with reuse_logs, which is never on: appending after an incomplete record corrupts.
Status Env::NewAppendableFile(const std::string &path, leveldb::WritableFile **result) {
    *result = nullptr;
    return Status::NotSupported(path, "appending");
}

bool Env::FileExists(const std::string &path) { return ::access(path.c_str(), F_OK) == 0; }

Status Env::GetChildren(const std::string &directory, std::vector<std::string> *result) {
    result->clear();
    DIR *stream = ::opendir(directory.c_str());
    if (stream == nullptr) return PosixError(directory, errno);
    while (struct dirent *entry = ::readdir(stream)) {
        if (IsDatabaseFile(entry->d_name)) result->emplace_back(entry->d_name);
    }
    ::closedir(stream);
    return Status::OK();
}

Status Env::RemoveFile(const std::string &path) {
    return ::unlink(path.c_str()) != 0 ? PosixError(path, errno) : Status::OK();
}

// The shim makes the directory itself; LevelDB asks again and ignores the answer.
Status Env::CreateDir(const std::string &path) {
    return ::mkdir(path.c_str(), 0700) != 0 ? PosixError(path, errno) : Status::OK();
}

Status Env::RenameFile(const std::string &from, const std::string &to) {
    if (IsPoisoned()) return Status::IOError(to, kPoisonedMarker);
    int error = Fault(CLDB_FAULT_RENAME);
    if (error == 0 && ::rename(from.c_str(), to.c_str()) != 0) error = errno;
    if (error != 0) {
        Poison();
        return PosixError(to, error);
    }
    if (!EndsWith(to, "/CURRENT")) return Status::OK();
    Status status = SyncDirectory(DirectoryOf(to));
    if (!status.ok()) Poison();
    return status;
}

Status Env::LockFile(const std::string &path, leveldb::FileLock **result) {
    *result = nullptr;
    struct stat info;
    if (::stat(DirectoryOf(path).c_str(), &info) != 0) return PosixError(path, errno);
    std::pair<dev_t, ino_t> directory(info.st_dev, info.st_ino);
    {
        std::lock_guard<std::mutex> lock(registry_mutex);
        if (!Registry().insert(directory).second) {
            return Status::IOError(path, std::string(kLockedMarker) + " in this process");
        }
    }
    Status status;
    int fd = Open(path, O_RDWR | O_CREAT);
    if (fd < 0) {
        status = PosixError(path, errno);
    } else if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK
                     ? Status::IOError(path, std::string(kLockedMarker) + " in another process")
                     : PosixError(path, errno);
        ::close(fd);
    }
    if (!status.ok()) {
        std::lock_guard<std::mutex> lock(registry_mutex);
        Registry().erase(directory);
        return status;
    }
    *result = new Lock(fd, directory);
    return status;
}

Status Env::UnlockFile(leveldb::FileLock *file_lock) {
    auto *held = static_cast<Lock *>(file_lock);
    ::close(held->fd);
    {
        std::lock_guard<std::mutex> lock(registry_mutex);
        Registry().erase(held->directory);
    }
    delete held;
    return Status::OK();
}

Status Env::NewLogger(const std::string &, leveldb::Logger **result) {
    *result = new NullLogger();
    return Status::OK();
}

}  // namespace cldb

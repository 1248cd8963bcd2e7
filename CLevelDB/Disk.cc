#include "Disk.h"

#include <errno.h>

#include <atomic>
#include <map>
#include <mutex>

#include "SystemDisk.h"

namespace cldb {

namespace {

struct Mounts {
    std::mutex mutex;
    std::atomic<int> count{0};
    std::map<std::string, std::function<std::unique_ptr<Disk>()>> by_path;
};

Mounts& TheMounts() {
    static Mounts* mounts = new Mounts;
    return *mounts;
}

}  // namespace

int Disk::ListFiles(std::vector<std::string>* names) {
    std::vector<std::string> all;
    names->clear();
    if (List(&all) != 0) return -1;
    for (const std::string& name : all) {
        bool is_regular = false;
        uint64_t size;
        if (Stat(name, &is_regular, &size) == 0 && is_regular) names->push_back(name);
    }
    return 0;
}

int Disk::LinkTo(const std::string&, const std::string&) {
    errno = ENOTSUP;
    return -1;
}

int Disk::Identify(int, FileIdentity* identity) {
    *identity = FileIdentity();
    return 0;
}

int Disk::Allocate(int, uint64_t) {
    errno = ENOTSUP;
    return -1;
}

ssize_t Disk::WriteAt(int, const void*, size_t, uint64_t) {
    errno = ENOTSUP;
    return -1;
}

int Disk::Identify(const std::string& name, Identity* identity) {
    *identity = Identity();
    bool is_regular;
    uint64_t size;
    return Stat(name, &is_regular, &size);
}

bool Disk::LastChange(int64_t*, bool*) { return false; }

Failure Disk::LockShared(std::unique_ptr<DirectoryLock>*) { return Failure(); }

Failure OpenDisk(const std::string& path, bool create, std::unique_ptr<Disk>* disk,
                 const std::vector<uint32_t>& owners) {
    Mounts& mounts = TheMounts();
    if (mounts.count.load(std::memory_order_relaxed) > 0) {
        std::lock_guard<std::mutex> lock(mounts.mutex);
        const auto found = mounts.by_path.find(path);
        if (found != mounts.by_path.end()) {
            *disk = found->second();
            return Failure();
        }
    }
    return SystemDisk::Open(path, create, disk, owners);
}

void MountDisk(const std::string& path, std::function<std::unique_ptr<Disk>()> make) {
    Mounts& mounts = TheMounts();
    std::lock_guard<std::mutex> lock(mounts.mutex);
    if (make) {
        mounts.by_path[path] = std::move(make);
    } else {
        mounts.by_path.erase(path);
    }
    mounts.count.store(static_cast<int>(mounts.by_path.size()));
}

}  // namespace cldb

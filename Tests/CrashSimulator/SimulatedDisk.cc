// The disk, and the C interface to it.

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "Contents.h"
#include "Disk.h"

namespace crash {

uint64_t NextSession() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

// What the handles of one disk share.
struct State {
    std::mutex mutex;
    Contents contents;
    std::map<int, size_t> open_files;
    int last_handle = 0;
    const uint64_t session = NextSession();
    std::vector<Operation> operations;

    // The contents at first, and after so many operations: where the last image was made.
    Contents first;
    Contents reached;
    size_t reached_count = 0;

    void Do(Operation operation) {
        contents.Apply(operation);
        operations.push_back(std::move(operation));
    }
};

namespace {

// A read may give less than is asked for and there: on file systems over a network it does.
constexpr size_t kLongestRead = 5000;

class SimulatedDisk final : public cldb::Disk {
  public:
    explicit SimulatedDisk(std::shared_ptr<State> state) : state_(std::move(state)) {}

    int OpenFile(const std::string& name, int flags) override {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        const auto& names = state_->contents.names();
        const auto found = names.find(name);
        size_t file;
        if (found != names.end()) {
            file = found->second;
            if ((flags & O_TRUNC) != 0) Do({Operation::kTruncate, "", "", file, 0});
        } else if ((flags & O_CREAT) != 0) {
            file = state_->contents.file_count();
            Do({Operation::kCreate, name, "", file, 0});
        } else {
            return Fail(ENOENT);
        }
        state_->open_files[++state_->last_handle] = file;
        return state_->last_handle;
    }

    int CloseFile(int handle) override {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        return state_->open_files.erase(handle) > 0 ? 0 : Fail(EBADF);
    }

    ssize_t ReadAt(int handle, void* bytes, size_t length, uint64_t offset) override {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        const auto found = state_->open_files.find(handle);
        if (found == state_->open_files.end()) return Fail(EBADF);
        const std::string& all = state_->contents.file(found->second).bytes;
        if (offset >= all.size()) return 0;
        const size_t count = std::min({length, all.size() - offset, kLongestRead});
        memcpy(bytes, all.data() + offset, count);
        return static_cast<ssize_t>(count);
    }

    ssize_t Append(int handle, const void* bytes, size_t length) override {
        const std::string data(static_cast<const char*>(bytes), length);
        return OnFile(handle, {Operation::kAppend, "", data}) == 0 ? static_cast<ssize_t>(length)
                                                                   : -1;
    }

    ssize_t WriteAt(int handle, const void* bytes, size_t length, uint64_t offset) override {
        if (offset != 0) return Fail(ENOTSUP);
        const std::string data(static_cast<const char*>(bytes), length);
        return OnFile(handle, {Operation::kOverwrite, "", data}) == 0 ? static_cast<ssize_t>(length)
                                                                      : -1;
    }

    int Truncate(int handle, uint64_t length) override {
        return OnFile(handle, {Operation::kTruncate, "", "", 0, length});
    }

    int SyncFile(int handle) override { return OnFile(handle, {Operation::kSyncFile, "", ""}); }

    void BeginWriteback(int, uint64_t, uint64_t) override {}

    int List(std::vector<std::string>* names) override {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        names->clear();
        for (const auto& entry : state_->contents.names()) names->push_back(entry.first);
        return 0;
    }

    int Stat(const std::string& name, bool* is_regular, uint64_t* size) override {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        const auto found = state_->contents.names().find(name);
        if (found == state_->contents.names().end()) return Fail(ENOENT);
        *is_regular = true;
        *size = state_->contents.file(found->second).bytes.size();
        return 0;
    }

    int Rename(const std::string& from, const std::string& to) override {
        return OnName(from, {Operation::kRename, from, to});
    }

    int Remove(const std::string& name) override {
        return OnName(name, {Operation::kRemove, name, ""});
    }

    int Sync() override {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        Do({Operation::kSyncNames, "", ""});
        return 0;
    }

    int SyncParent() override { return 0; }
    void RemoveIfEmpty() override {}
    bool FreeSpace(uint64_t*) override { return false; }
    // The image of a power cut is a disk of its own.
    Session CurrentSession() override { return Session{state_->session}; }
    cldb::Failure Lock(std::unique_ptr<cldb::DirectoryLock>*) override { return cldb::Failure(); }

  private:
    static int Fail(int error) {
        errno = error;
        return -1;
    }

    void Do(Operation operation) { state_->Do(std::move(operation)); }

    int OnFile(int handle, Operation operation) {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        const auto found = state_->open_files.find(handle);
        if (found == state_->open_files.end()) return Fail(EBADF);
        operation.file = found->second;
        Do(std::move(operation));
        return 0;
    }

    int OnName(const std::string& name, Operation operation) {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        if (state_->contents.names().count(name) == 0) return Fail(ENOENT);
        Do(std::move(operation));
        return 0;
    }

    const std::shared_ptr<State> state_;
};

}  // namespace

}  // namespace crash

struct crash_disk {
    std::shared_ptr<crash::State> state = std::make_shared<crash::State>();
};

extern "C" {

crash_disk* crash_disk_create(void) { return new crash_disk; }

void crash_disk_free(crash_disk* disk) { delete disk; }

void crash_disk_mount(crash_disk* disk, const char* path) {
    cldb::MountDisk(path, [state = disk->state] {
        return std::unique_ptr<cldb::Disk>(new crash::SimulatedDisk(state));
    });
}

void crash_disk_unmount(const char* path) { cldb::MountDisk(path, nullptr); }

uint64_t crash_disk_operations(crash_disk* disk) {
    const std::lock_guard<std::mutex> lock(disk->state->mutex);
    return disk->state->operations.size();
}

crash_disk* crash_disk_image(crash_disk* disk, uint64_t operations, crash_names names,
                             crash_tail tail, uint64_t seed) {
    crash::State& state = *disk->state;
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (operations < state.reached_count || state.reached_count == 0) {
        state.reached = state.first;
        state.reached_count = 0;
    }
    while (state.reached_count < std::min<uint64_t>(operations, state.operations.size())) {
        state.reached.Apply(state.operations[state.reached_count++]);
    }
    std::mt19937_64 random(seed);
    crash_disk* image = new crash_disk;
    image->state->first = state.reached.AfterPowerCut(names, tail, random);
    image->state->contents = image->state->first;
    return image;
}

}  // extern "C"

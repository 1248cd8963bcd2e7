#include "TableDescriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>

namespace cldb {

struct TableDescriptor::Places {
    std::mutex mutex;
    // In the order in which they are looked at.
    std::list<TableDescriptor*> taken;

    // Asked anew each time, as the process may change its limit.
    static size_t Most() {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMost;
        return std::min(kMost, static_cast<size_t>(limit.rlim_cur / 2));
    }
};

TableDescriptor::Places& TableDescriptor::ThePlaces() {
    // Never freed: databases may be closed when what is static is gone.
    static Places* places = new Places;
    return *places;
}

TableDescriptor::~TableDescriptor() {
    {
        Places& places = ThePlaces();
        std::lock_guard<std::mutex> lock(places.mutex);
        if (has_place_) places.taken.erase(place_);
    }
    if (file_ >= 0) directory_->disk().CloseFile(file_);
}

bool TableDescriptor::TakePlace() {
    Places& places = ThePlaces();
    std::lock_guard<std::mutex> lock(places.mutex);
    const size_t most = Places::Most();
    const size_t shared = std::min(most, kShared);
    // Twice around at most: the first look may be the one that passes over.
    for (size_t looks = 2 * places.taken.size(); looks > 0 && places.taken.size() >= shared; looks--) {
        TableDescriptor* const oldest = places.taken.front();
        const bool is_wanted = oldest->directory_ != directory_ || places.taken.size() >= most;
        if (is_wanted && oldest->GiveUp()) {
            oldest->has_place_ = false;
            places.taken.pop_front();
        } else {
            places.taken.splice(places.taken.end(), places.taken, places.taken.begin());
        }
    }
    if (places.taken.size() >= most) return false;
    place_ = places.taken.insert(places.taken.end(), this);
    has_place_ = true;
    return true;
}

// Whether the descriptor is closed.
bool TableDescriptor::GiveUp() {
    // Whoever holds it reads, or waits for a place.
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || readers_ > 0) return false;
    if (is_recent_) {
        is_recent_ = false;
        return false;
    }
    directory_->disk().CloseFile(file_);
    file_ = -1;
    return true;
}

TableDescriptor::Use::Use(TableDescriptor* descriptor) : descriptor_(descriptor) {
    std::lock_guard<std::mutex> lock(descriptor->mutex_);
    if (descriptor->file_ < 0) {
        file_ = descriptor->directory_->OpenFile(descriptor->name_, O_RDONLY);
        error_ = errno;
        if (file_ < 0 || !descriptor->TakePlace()) return;
        descriptor->file_ = file_;
    }
    file_ = descriptor->file_;
    is_kept_ = true;
    descriptor->readers_++;
    descriptor->is_recent_ = true;
}

TableDescriptor::Use::~Use() {
    if (!is_kept_) {
        if (file_ >= 0) descriptor_->directory_->disk().CloseFile(file_);
        return;
    }
    std::lock_guard<std::mutex> lock(descriptor_->mutex_);
    descriptor_->readers_--;
}

}  // namespace cldb

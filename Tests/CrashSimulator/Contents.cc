#include "Contents.h"

#include <algorithm>
#include <bitset>

namespace crash {

void Contents::Make(const Change& change, Names* names) {
    if (!change.from.empty()) names->erase(change.from);
    if (!change.to.empty()) (*names)[change.to] = change.file;
}

void Contents::Apply(const Operation& operation) {
    const auto change = [&](Change change) {
        Make(change, &names_);
        changes_.push_back(std::move(change));
    };
    switch (operation.kind) {
        case Operation::kCreate:
            files_.resize(operation.file + 1);
            change(Change{"", operation.name, operation.file});
            break;
        case Operation::kAppend:
            files_[operation.file].bytes += operation.other;
            break;
        case Operation::kOverwrite: {
            File& file = files_[operation.file];
            file.overwritten.push_back(file.bytes);
            file.bytes.replace(0, std::min(file.bytes.size(), operation.other.size()),
                               operation.other);
            break;
        }
        case Operation::kTruncate: {
            File& file = files_[operation.file];
            if (!file.before) file.before = file.bytes.substr(0, file.synced);
            file.bytes.resize(operation.length);
            file.synced = std::min(file.synced, file.bytes.size());
            break;
        }
        case Operation::kSyncFile: {
            File& file = files_[operation.file];
            file.synced = file.bytes.size();
            file.before.reset();
            file.overwritten.clear();
            break;
        }
        case Operation::kRename:
            change(Change{operation.name, operation.other, names_[operation.name]});
            break;
        case Operation::kRemove:
            change(Change{operation.name, "", 0});
            break;
        case Operation::kSyncNames:
            durable_ = names_;
            changes_.clear();
            break;
    }
}

namespace {

// How many bits of `bytes` are not those of `truth`, which is no shorter.
size_t DifferingBits(const std::string& bytes, const std::string& truth) {
    size_t count = 0;
    for (size_t i = 0; i < bytes.size(); i++) {
        count += std::bitset<8>(static_cast<unsigned char>(bytes[i] ^ truth[i])).count();
    }
    return count;
}

size_t UpTo(size_t most, std::mt19937_64& random) { return random() % (most + 1); }

// What it held at any time, later than anything else that survives or earlier; with noise, a
// mixture of two such.
std::string OverwrittenAfterPowerCut(const Contents::File& file, crash_tail tail,
                                     std::mt19937_64& random) {
    const auto version = [&] {
        const size_t index = UpTo(file.overwritten.size(), random);
        return index < file.overwritten.size() ? file.overwritten[index] : file.bytes;
    };
    std::string bytes = version();
    if (tail != CRASH_TAIL_GARBAGE || random() % 4 != 0) return bytes;
    const std::string other = version();
    const size_t place = UpTo(std::min(bytes.size(), other.size()), random);
    return bytes.substr(0, place) + other.substr(place);
}

std::string BytesAfterPowerCut(const Contents::File& file, crash_tail tail,
                               std::mt19937_64& random) {
    if (file.before && random() % 2 == 0) return *file.before;
    if (!file.overwritten.empty()) return OverwrittenAfterPowerCut(file, tail, random);
    const size_t unsynced = file.bytes.size() - file.synced;
    if (unsynced == 0 || tail == CRASH_TAIL_DROPPED) return file.bytes.substr(0, file.synced);
    const size_t kept = random() % 4 == 0 ? unsynced : UpTo(unsynced, random);
    std::string bytes = file.bytes.substr(0, file.synced + kept);
    if (tail == CRASH_TAIL_KEPT) return bytes;
    for (size_t more = UpTo(unsynced - kept, random); more > 0; more--) {
        bytes.push_back(tail == CRASH_TAIL_ZEROED ? 0 : static_cast<char>(random()));
    }
    // What is one bit off is taken for damage, not for a power cut, and refused: no remains of a
    // power cut are so near to the truth, but for a few bytes of them.
    if (DifferingBits(bytes, file.bytes) == 1) bytes.resize(file.synced + kept);
    return bytes;
}

}  // namespace

Contents Contents::AfterPowerCut(crash_names names, crash_tail tail,
                                 std::mt19937_64& random) const {
    Names left = names == CRASH_NAMES_ALL ? names_ : durable_;
    if (names == CRASH_NAMES_PREFIX) {
        const size_t count = UpTo(changes_.size(), random);
        for (size_t index = 0; index < count; index++) Make(changes_[index], &left);
    } else if (names == CRASH_NAMES_REMOVED) {
        for (const Change& change : changes_) {
            if (change.to.empty()) left.erase(change.from);
        }
    }
    Contents result;
    for (const auto& [name, number] : left) {
        File file;
        file.bytes = BytesAfterPowerCut(files_[number], tail, random);
        file.synced = file.bytes.size();
        result.names_[name] = result.files_.size();
        result.files_.push_back(std::move(file));
    }
    result.durable_ = result.names_;
    return result;
}

}  // namespace crash

#include "CommitMark.h"

#include <fcntl.h>
#include <string.h>

#include "LogReader.h"

namespace cldb {

namespace {

const char kName[] = "COMMITTED";
// LevelDB removes such files as it opens.
const char kNewName[] = "000000.dbtmp";

// "textmark", and the version of what follows.
constexpr uint64_t kMagic = 0x7465'7874'6d61'726bu + 1;

// As it lies in the file: it stays within a sector, which a disk writes whole or not at all.
struct Stored {
    uint64_t magic;
    uint64_t session[Disk::kSessionLength];
    uint64_t places[3][3];
    uint64_t digest;
};
static_assert(sizeof(Stored) <= 128, "more than one sector");

uint64_t Mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * 0x9e37'79b9'7f4a'7c15u;
    return digest ^ digest >> 32;
}

uint64_t DigestOf(const Stored& stored) {
    uint64_t words[sizeof(Stored) / 8];
    memcpy(words, &stored, sizeof stored);
    uint64_t digest = 0;
    for (size_t index = 0; index + 1 < sizeof stored / 8; index++) digest = Mix(digest, words[index]);
    return digest;
}

void Store(const LogPlace& place, uint64_t* words) {
    words[0] = place.number;
    words[1] = place.length;
    words[2] = place.digest;
}

LogPlace Load(const uint64_t* words) { return LogPlace{words[0], words[1], words[2]}; }

}  // namespace

uint64_t DigestOfRecord(uint64_t digest, const char* header) {
    uint64_t word = 0;
    memcpy(&word, header, kLogHeaderSize);
    return Mix(digest, word);
}

bool CommitMark::Read(Directory* directory, CommitMark* mark) {
    const int file = directory->OpenFile(kName, O_RDONLY);
    if (file < 0) return false;
    Stored stored;
    char* const bytes = reinterpret_cast<char*>(&stored);
    size_t filled = 0;
    while (filled < sizeof stored) {
        const ssize_t count =
            directory->disk().ReadAt(file, bytes + filled, sizeof stored - filled, filled);
        if (count <= 0) break;
        filled += static_cast<size_t>(count);
    }
    directory->disk().CloseFile(file);
    if (filled < sizeof stored || stored.magic != kMagic || stored.digest != DigestOf(stored)) {
        return false;
    }
    memcpy(mark->session.data(), stored.session, sizeof stored.session);
    mark->manifest = Load(stored.places[0]);
    mark->written = Load(stored.places[1]);
    mark->durable = Load(stored.places[2]);
    return true;
}

void CommitMarker::Begin() {
    const std::lock_guard<std::mutex> lock(mutex_);
    Disk& disk = directory_->disk();
    mark_.session = disk.CurrentSession();
    is_there_ = false;
    // The name need not last: the mark of before says less, and nothing wrong.
    const int file = disk.OpenFile(kNewName, O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0) return;
    const bool is_written = disk.Identify(file, &identity_) == 0 && WriteTo(file);
    disk.CloseFile(file);
    is_there_ = is_written && disk.Rename(kNewName, kName) == 0;
    if (!is_there_) disk.Remove(kNewName);
}

// Another file of that name is not written to, nor one of the same number and another length: it has got the number of ours.
int CommitMarker::OpenOwn() {
    Disk& disk = directory_->disk();
    const int file = disk.OpenFile(kName, O_WRONLY);
    if (file < 0) return -1;
    FileIdentity identity;
    bool is_regular = false;
    uint64_t size = 0;
    if (disk.Identify(file, &identity) == 0 && !(identity != identity_) &&
        disk.Stat(kName, &is_regular, &size) == 0 && is_regular && size == sizeof(Stored)) {
        return file;
    }
    disk.CloseFile(file);
    return -1;
}

bool CommitMarker::WriteTo(int file) {
    Stored stored;
    stored.magic = kMagic;
    memcpy(stored.session, mark_.session.data(), sizeof stored.session);
    Store(mark_.manifest, stored.places[0]);
    Store(mark_.written, stored.places[1]);
    Store(mark_.durable, stored.places[2]);
    stored.digest = DigestOf(stored);
    return directory_->disk().WriteAt(file, &stored, sizeof stored, 0) == sizeof stored;
}

bool CommitMarker::Write() {
    if (!is_there_) return true;
    const int file = OpenOwn();
    if (file < 0) return false;
    const bool is_written = WriteTo(file);
    directory_->disk().CloseFile(file);
    return is_written;
}

void CommitMarker::NoteWritten(const LogPlace& log) {
    const std::lock_guard<std::mutex> lock(mutex_);
    mark_.written = log;
    Write();
}

void CommitMarker::NoteDurable(const LogPlace& log) {
    const std::lock_guard<std::mutex> lock(mutex_);
    mark_.durable = log;
    if (mark_.written.number <= log.number) mark_.written = log;
    Write();
}

void CommitMarker::NoteManifest(const LogPlace& manifest) {
    const std::lock_guard<std::mutex> lock(mutex_);
    mark_.manifest = manifest;
    Write();
}

void CommitMarker::NoteLoss() {
    const std::lock_guard<std::mutex> lock(mutex_);
    mark_.written = mark_.durable;
    if (Write()) return;
    // One that says too much is worse than none.
    Disk::Identity identity;
    if (directory_->disk().Identify(kName, &identity) == 0 &&
        identity == Disk::Identity(identity_.device, identity_.number)) {
        directory_->disk().Remove(kName);
    }
}

void RecordCounter::Append(const char* bytes, size_t length) {
    place_.length += length;
    if (within_) {
        within_ = false;
    } else if (length == kLogHeaderSize) {
        place_.digest = DigestOfRecord(place_.digest, bytes);
        within_ = true;
    }
}

}  // namespace cldb

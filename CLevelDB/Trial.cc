#include "Trial.h"

#include <fcntl.h>

#include <algorithm>

#include "Files.h"
#include "FilesInUse.h"

namespace cldb {

namespace {

// LevelDB removes such files as it opens.
const char kNewCurrent[] = "000000.dbtmp";

// Another one that it removes, if that comes to it, and that it gives to nothing itself. It gives one number to a manifest and to the file that
// becomes CURRENT, and to no others.
std::string NameAside(const std::string& name) {
    const size_t digits = name.find_first_of("0123456789");
    const bool is_current = name.find(".dbtmp") != std::string::npos;
    return (is_current ? "8" : "9") + name.substr(digits, name.find('.') - digits) + ".dbtmp";
}

}  // namespace

void Trial::Begin() { is_under_way_ = true; }

leveldb::Status Trial::NoteCreation(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_under_way_) return leveldb::Status::OK();
    const bool is_own = std::find(made_.begin(), made_.end(), name) != made_.end();
    if (!is_own && directory_->IsRegular(name)) {
        const std::string other = NameAside(name);
        const leveldb::Status status = directory_->Rename(name, other);
        if (!status.ok()) return status;
        aside_.emplace_back(name, other);
    }
    if (!is_own) made_.push_back(name);
    // What is to be removed in the end is the one aside.
    doomed_.erase(std::remove(doomed_.begin(), doomed_.end(), name), doomed_.end());
    return leveldb::Status::OK();
}

leveldb::Status Trial::NoteSwitch() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_under_way_ || !manifest_.empty()) return leveldb::Status::OK();
    const Failure failure = ReadCurrent(directory_, &manifest_);
    return failure.ok() ? leveldb::Status::OK() : leveldb::Status::IOError("CURRENT", failure.text);
}

bool Trial::Keeps(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool is_own = std::find(made_.begin(), made_.end(), name) != made_.end();
    if (!is_under_way_ || is_own) return false;
    if (std::find(doomed_.begin(), doomed_.end(), name) == doomed_.end()) doomed_.push_back(name);
    return true;
}

// What cannot be removed is in nobody's way.
void Trial::Accept() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_under_way_ = false;
    for (const std::string& name : doomed_) (void)directory_->Remove(name);
    for (const auto& file : aside_) (void)directory_->Remove(file.second);
}

leveldb::Status Trial::RestoreCurrent() {
    if (manifest_.empty()) return leveldb::Status::OK();
    const int file = directory_->OpenFile(kNewCurrent, O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0) return leveldb::Status::IOError("CURRENT", "create");
    Health health;
    OutputFile output(directory_, &health, kNewCurrent, file);
    leveldb::Status status = output.Append(manifest_ + "\n");
    if (status.ok()) status = output.Sync();
    if (status.ok()) status = output.Close();
    if (status.ok()) status = directory_->Rename(kNewCurrent, "CURRENT");
    // What CURRENT named until now goes after that lasts.
    return status.ok() ? directory_->Sync() : status;
}

void Trial::Undo() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_under_way_) return;
    is_under_way_ = false;
    // Where that fails all is left: what CURRENT names is whole.
    if (!RestoreCurrent().ok()) return;
    for (const std::string& name : made_) (void)directory_->Remove(name);
    for (const auto& file : aside_) (void)directory_->Rename(file.second, file.first);
}

}  // namespace cldb

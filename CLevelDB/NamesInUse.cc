#include "NamesInUse.h"

#include <errno.h>

namespace cldb {

namespace {

bool IsInUse(FileKind kind) {
    return kind == FileKind::kCurrent || kind == FileKind::kManifest || kind == FileKind::kLog ||
           kind == FileKind::kTable;
}

}  // namespace

void NamesInUse::Begin() {
    std::vector<std::string> found;
    // Where they cannot be listed, those that are made from now on are asked for.
    (void)directory_->ListFiles(&found);
    for (const std::string& name : found) Note(name, false);
    const std::lock_guard<std::mutex> lock(mutex_);
    has_begun_ = true;
}

void NamesInUse::Add(const std::string& name) { Note(name, true); }

void NamesInUse::Note(const std::string& name, bool is_new) {
    Disk::Identity identity;
    if (!IsInUse(KindOfName(name)) || directory_->disk().Identify(name, &identity) != 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    // A number that a crash left is given again.
    if (is_new) removed_.erase(name);
    if (removed_.count(name) == 0) names_[name] = identity;
}

void NamesInUse::Forget(const std::string& name) {
    constexpr size_t kMostRemoved = 4096;
    const std::lock_guard<std::mutex> lock(mutex_);
    names_.erase(name);
    const FileKind kind = KindOfName(name);
    if (kind != FileKind::kTable && kind != FileKind::kLog && kind != FileKind::kManifest) return;
    // Those with the least numbers are long gone.
    if (removed_.size() >= kMostRemoved) removed_.erase(removed_.begin());
    removed_.insert(name);
}

Failure NamesInUse::Check(bool all) {
    // Held all the time: a file whose removal has begun is not in the list any more.
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!has_begun_) return Failure();
    const int64_t before = change_;
    const bool was_settled = is_settled_;
    if (!directory_->disk().LastChange(&change_, &is_settled_)) return Failure();
    const bool is_same = was_settled && is_settled_ && change_ == before;
    if (is_same && are_tables_checked_ && !all) return Failure();
    if (directory_->disk().IsReplaced()) {
        is_settled_ = false;
        return Failure{CLDB_IO, "another directory has taken the place of the database's"};
    }
    const bool with_tables = all || is_settled_;
    for (const auto& [name, identity] : names_) {
        if (!with_tables && KindOfName(name) == FileKind::kTable) continue;
        const Failure failure = CheckName(name, identity);
        if (failure.ok()) continue;
        is_settled_ = false;
        return failure;
    }
    are_tables_checked_ = is_settled_;
    return Failure();
}

Failure NamesInUse::CheckName(const std::string& name, const Disk::Identity& identity) {
    Disk::Identity found;
    if (directory_->disk().Identify(name, &found) != 0) {
        const int error = errno;
        return Failure{CLDB_IO, error == ENOENT ? name + " was removed while the database was open"
                                                : name + ": " + DescribeErrno("stat", error)};
    }
    if (found == identity) return Failure();
    return Failure{CLDB_IO, name + " was replaced while the database was open"};
}

}  // namespace cldb

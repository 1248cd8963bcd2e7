#include "Wreck.h"

#include <algorithm>
#include <queue>
#include <set>

#include "CLevelDB.h"
#include "CommitMark.h"
#include "FilesInUse.h"
#include "Format.h"
#include "LogReader.h"

namespace cldb {

namespace {

using leveldb::Slice;

constexpr size_t kTrailerSize = 8;

// The keys of a table by the manifest, which has them with their trailers.
KeyRange Bounds(const std::pair<std::string, std::string>& keys) {
    KeyRange range;
    if (keys.first.size() < kTrailerSize || keys.second.size() < kTrailerSize) return range;
    range.has_from = range.has_to = true;
    range.from = keys.first.substr(0, keys.first.size() - kTrailerSize);
    range.to = keys.second.substr(0, keys.second.size() - kTrailerSize);
    return range;
}

struct Source {
    std::unique_ptr<WreckEntries> entries;
    // Whether the manifest names the file.
    bool is_listed;
};

// The newest version of the least key comes first.
struct ComesLater {
    bool operator()(const Source* a, const Source* b) const {
        const WreckEntry &first = a->entries->entry(), &second = b->entries->entry();
        const int order = first.key.compare(second.key);
        return order != 0 ? order > 0 : first.sequence < second.sequence;
    }
};

}  // namespace

Failure Wreck::Open(const std::string& path, uint32_t format, std::unique_ptr<Wreck>* wreck) {
    std::unique_ptr<Wreck> opened(new Wreck);
    Failure failure = Directory::OpenLocked(
        path, false, false, [](Directory*) { return Failure(); }, &opened->directory_, &opened->lock_);
    if (failure.ok()) failure = CheckFormat(opened->directory_.get(), format);
    if (failure.ok()) failure = opened->ReadFiles();
    if (failure.ok()) *wreck = std::move(opened);
    return failure;
}

Failure Wreck::ReadFiles() {
    std::vector<std::string> names;
    const leveldb::Status status = directory_->ListFiles(&names);
    if (!status.ok()) return FailureOf(status);
    std::sort(names.begin(), names.end());
    const bool has_database = std::any_of(names.begin(), names.end(), [](const std::string& name) {
        const FileKind kind = KindOfName(name);
        return kind == FileKind::kManifest || kind == FileKind::kTable || kind == FileKind::kLog;
    });
    if (!has_database) return Failure{CLDB_NOT_FOUND, "there is no database"};
    const bool has_list = ReadManifest(names);
    if (!has_list) Lose("MANIFEST", KeyRange(), UINT64_MAX);
    ReadTables(names, has_list);
    ReadLogs(names, has_list);
    return Failure();
}

bool Wreck::ReadManifest(const std::vector<std::string>& names) {
    std::string manifest;
    LogEnd end;
    if (!ReadCurrent(directory_.get(), &manifest).ok()) return false;
    const Failure failure = ReadLog(
        directory_.get(), manifest, SIZE_MAX,
        [&](const std::string& edit) { return list_.Apply(edit); }, &end);
    if (!failure.ok() || end.kind != LogEnd::kWhole || end.offset == 0) return false;
    // Where the end of the manifest is missing, files that it still names are gone, and there are tables that it does not name yet. One
    // alone tells nothing: a compaction that was cut short leaves tables, too.
    std::set<uint64_t> tables, logs;
    for (const std::string& name : names) {
        if (KindOfName(name) == FileKind::kTable) tables.insert(NumberOfName(name));
        if (KindOfName(name) == FileKind::kLog) logs.insert(NumberOfName(name));
    }
    const bool has_all = std::all_of(list_.tables().begin(), list_.tables().end(),
                                     [&](const auto& table) { return tables.count(table.first); });
    const bool has_log = list_.log_number() == 0 || logs.count(list_.log_number());
    const bool has_later = !tables.empty() && *tables.rbegin() >= list_.next_file_number();
    return (has_all && has_log) || !has_later;
}

void Wreck::ReadTables(const std::vector<std::string>& names, bool has_list) {
    std::map<uint64_t, std::string> present;
    for (const std::string& name : names) {
        if (KindOfName(name) == FileKind::kTable) present[NumberOfName(name)] = name;
    }
    for (const auto& listed : list_.keys()) {
        if (!has_list) break;
        auto found = present.find(listed.first);
        const KeyRange bounds = Bounds(listed.second);
        if (found == present.end()) {
            Lose("table " + std::to_string(listed.first), bounds, UINT64_MAX);
            continue;
        }
        tables_.emplace_back(new WreckTable(directory_.get(), found->second, bounds));
        for (const KeyRange& keys : tables_.back()->lost()) {
            Lose(found->second, keys, UINT64_MAX);
        }
        present.erase(found);
    }
    // They have nothing to add where nothing is lost, and are looked at then too: logs come after.
    for (const auto& other : present) {
        other_tables_.emplace_back(new WreckTable(directory_.get(), other.second, KeyRange()));
        if (!has_list && !other_tables_.back()->lost().empty()) {
            damaged_files_.push_back(other.second);
        }
    }
}

void Wreck::ReadLogs(const std::vector<std::string>& names, bool has_list) {
    const uint64_t first = has_list ? list_.log_number() : UINT64_MAX;
    const std::vector<std::string> listed = LogsToReplay(names, first);
    if (has_list && first != 0 && (listed.empty() || NumberOfName(listed[0]) != first)) {
        log_.Miss("log " + std::to_string(first));
    }
    for (const std::string& name : LogsToReplay(names, 0)) {
        const bool is_listed = NumberOfName(name) >= first;
        (is_listed ? log_ : other_log_).Read(directory_.get(), name);
    }
    log_.Sort();
    other_log_.Sort();
    if (!has_list) return;
    for (const WreckLog::Gap& gap : log_.Gaps(list_.last_sequence() + 1)) {
        Lose(gap.file, KeyRange(), gap.newest);
    }
    MissMarked(names, first);
}

// What was committed last is in a log that is gone, or ends before it: nothing tells what the writes were.
void Wreck::MissMarked(const std::vector<std::string>& names, uint64_t first) {
    CommitMark mark;
    if (!CommitMark::Read(directory_.get(), &mark)) return;
    std::vector<LogPlace> places = {mark.durable};
    const Disk::Session session = directory_->disk().CurrentSession();
    if (session == mark.session && session != Disk::Session{}) places.push_back(mark.written);
    for (const LogPlace& place : places) {
        if (place.number == 0 || place.number < first || place.length == 0) continue;
        const auto log = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
            return KindOfName(name) == FileKind::kLog && NumberOfName(name) == place.number;
        });
        uint64_t size = 0;
        const bool is_there = log != names.end() && directory_->Size(*log, &size).ok();
        if (!is_there || size < place.length) {
            Lose("log " + std::to_string(place.number), KeyRange(), UINT64_MAX);
        }
    }
}

void Wreck::Lose(const std::string& file, const KeyRange& keys, uint64_t newest) {
    constexpr size_t kMostRanges = 1000;
    lost_.push_back({keys, newest});
    // A file of nothing but damage: what is lost is asked for each key.
    if (lost_.size() > kMostRanges) lost_.assign(1, {KeyRange(), UINT64_MAX});
    if (damaged_files_.empty() || damaged_files_.back() != file) damaged_files_.push_back(file);
}

bool Wreck::WasLost(Slice key) const {
    return std::any_of(lost_.begin(), lost_.end(),
                       [&](const Lost& lost) { return lost.keys.Covers(key); });
}

bool Wreck::IsCertain(Slice key, uint64_t sequence) const {
    return std::none_of(lost_.begin(), lost_.end(), [&](const Lost& lost) {
        return lost.newest > sequence && lost.keys.Covers(key);
    });
}

Failure Wreck::Read(const Consumer& consume) const {
    std::vector<Source> sources;
    const auto add = [&](std::unique_ptr<WreckEntries> entries, bool is_listed) {
        sources.push_back({std::move(entries), is_listed});
    };
    for (const auto& table : tables_) add(table->NewEntries(), true);
    add(log_.NewEntries(), true);
    if (!lost_.empty()) {
        for (const auto& table : other_tables_) add(table->NewEntries(), false);
        add(other_log_.NewEntries(), false);
    }
    std::priority_queue<Source*, std::vector<Source*>, ComesLater> queue;
    const auto step = [&](Source* source) {
        bool is_there = source->entries->Next();
        while (is_there && !source->is_listed && !WasLost(source->entries->entry().key)) {
            is_there = source->entries->Next();
        }
        if (is_there) queue.push(source);
        return !source->entries->failed();
    };
    bool is_read = true;
    for (Source& source : sources) is_read = step(&source) && is_read;
    std::string last;
    bool is_first = true;
    while (is_read && !queue.empty()) {
        Source* const source = queue.top();
        queue.pop();
        const WreckEntry& entry = source->entries->entry();
        if (is_first || entry.key.compare(last) != 0) {
            last = entry.key.ToString();
            is_first = false;
            if (!consume(entry, IsCertain(entry.key, entry.sequence))) return Failure();
        }
        is_read = step(source);
    }
    return is_read ? Failure() : Failure{CLDB_IO, "a file cannot be read again as it was before"};
}

}  // namespace cldb

struct cldb_wreck {
    std::unique_ptr<cldb::Wreck> wreck;
};

extern "C" cldb_code cldb_wreck_open(const char* path, uint32_t format, cldb_wreck** wreck,
                                     char** message) {
    *message = nullptr;
    *wreck = nullptr;
    try {
        std::unique_ptr<cldb_wreck> opened(new cldb_wreck);
        const cldb::Failure failure = cldb::Wreck::Open(path, format, &opened->wreck);
        if (failure.ok()) *wreck = opened.release();
        return failure.Report(message);
    } catch (...) {
        return CLDB_IO;
    }
}

extern "C" void cldb_wreck_free(cldb_wreck* wreck) { delete wreck; }

extern "C" cldb_code cldb_wreck_read(const cldb_wreck* wreck,
                                     bool (*consume)(void*, const void*, size_t, const void*,
                                                     size_t, bool),
                                     void* context, char** message) {
    *message = nullptr;
    try {
        const auto consumer = [&](const cldb::WreckEntry& entry, bool is_certain) {
            // An empty value is one, and so has a place.
            const void* const value = entry.value.data() == nullptr ? "" : entry.value.data();
            return consume(context, entry.key.data(), entry.key.size(),
                           entry.is_value ? value : nullptr, entry.value.size(), is_certain);
        };
        return wreck->wreck->Read(consumer).Report(message);
    } catch (...) {
        return CLDB_IO;
    }
}

extern "C" bool cldb_wreck_may_lack(const cldb_wreck* wreck, const void* key, size_t length) {
    return !wreck->wreck->IsCertain(leveldb::Slice(static_cast<const char*>(key), length), 0);
}

extern "C" size_t cldb_wreck_damaged_count(const cldb_wreck* wreck) {
    return wreck->wreck->damaged_files().size();
}

extern "C" const char* cldb_wreck_damaged_at(const cldb_wreck* wreck, size_t index) {
    return wreck->wreck->damaged_files()[index].c_str();
}

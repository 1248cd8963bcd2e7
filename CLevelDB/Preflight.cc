#include "Preflight.h"

#include <algorithm>
#include <map>
#include <vector>

#include "CommitMark.h"
#include "FilesInUse.h"
#include "LogReader.h"
#include "TableList.h"

namespace cldb {

namespace {

// Sequence number, 8 bytes, and count of operations, 4 bytes: how each batch in a log begins.
constexpr size_t kBatchHeaderSize = 12;

uint64_t Number(const char* bytes, size_t length) {
    uint64_t value = 0;
    for (size_t index = length; index > 0; index--) {
        value = value << 8 | static_cast<uint8_t>(bytes[index - 1]);
    }
    return value;
}

Failure CheckTable(Directory* directory, const std::string& name, uint64_t size) {
    bool is_regular;
    uint64_t found;
    if (directory->disk().Stat(name, &is_regular, &found) != 0 || !is_regular) {
        return Damaged(name, "the table is missing");
    }
    return found == size ? Failure() : Damaged(name, "the table is not as long as it was written");
}

Failure CheckTables(Directory* directory, const std::vector<std::string>& names,
                    const TableList& list) {
    std::map<uint64_t, std::string> present;
    for (const std::string& name : names) {
        if (KindOfName(name) == FileKind::kTable) present[NumberOfName(name)] = name;
    }
    for (const auto& table : list.tables()) {
        const auto found = present.find(table.first);
        if (found == present.end()) {
            return Damaged("table " + std::to_string(table.first), "the file is missing");
        }
        const Failure failure = CheckTable(directory, found->second, table.second);
        if (!failure.ok()) return failure;
    }
    return Failure();
}

// A log's end that holds something LevelDB is not to see, or does not tell of.
void Note(const std::string& name, const LogEnd& end, std::vector<LogTail>* tails) {
    if (end.kind != LogEnd::kWhole) tails->push_back(LogTail{name, end, ""});
}

// Compares what is there with what was committed last, where that is known.
class MarkCheck {
  public:
    explicit MarkCheck(Directory* directory) {
        if (!CommitMark::Read(directory, &mark_)) return;
        is_there_ = true;
        const Disk::Session session = directory->disk().CurrentSession();
        // Otherwise a power cut may have taken what was not synced.
        logs_.push_back(mark_.durable);
        if (session == mark_.session && session != Disk::Session{}) logs_.push_back(mark_.written);
    }

    // The places at which a manifest or log is to be compared.
    std::vector<LogWatch> Watches(const std::string& name) const {
        std::vector<LogWatch> watches;
        for (const LogPlace& place : PlacesIn(name)) watches.push_back(LogWatch{place.length});
        return watches;
    }

    Failure CheckRead(const std::string& name, const std::vector<LogWatch>& watches) const {
        const std::vector<LogPlace> places = PlacesIn(name);
        for (size_t index = 0; index < places.size(); index++) {
            if (!watches[index].is_reached) {
                return Behind(name, "it ends before what was written last");
            }
            if (watches[index].digest != places[index].digest) {
                return Behind(name, "it is not the file that was written last");
            }
        }
        return Failure();
    }

    Failure CheckManifest(const std::string& name) const {
        const bool is_older = is_there_ && NumberOfManifest(name) < mark_.manifest.number;
        return is_older ? Behind("CURRENT", "it names an older manifest than the last one") : Failure();
    }

    // What is in logs before the first one is in tables.
    Failure CheckLogs(const std::vector<std::string>& logs, uint64_t first) const {
        for (const LogPlace& place : logs_) {
            if (place.number == 0 || place.number < first) continue;
            const bool is_there = std::any_of(logs.begin(), logs.end(), [&](const std::string& name) {
                return NumberOfName(name) == place.number;
            });
            if (!is_there) {
                return Behind(NameOfLog(place.number), "the file is missing");
            }
        }
        return Failure();
    }

  private:
    static Failure Behind(const std::string& name, const char* what) {
        return Failure{CLDB_CORRUPTION,
                       name + ": " + what +
                           "; nothing was changed. If files were put back from an older copy on purpose, "
                           "remove the file COMMITTED too"};
    }

    std::vector<LogPlace> PlacesIn(const std::string& name) const {
        std::vector<LogPlace> places;
        if (!is_there_) return places;
        if (KindOfName(name) == FileKind::kManifest) {
            if (NumberOfManifest(name) == mark_.manifest.number) places.push_back(mark_.manifest);
            return places;
        }
        for (const LogPlace& place : logs_) {
            if (place.number != 0 && place.number == NumberOfName(name)) places.push_back(place);
        }
        return places;
    }

    bool is_there_ = false;
    CommitMark mark_;
    std::vector<LogPlace> logs_;
};

Failure CheckLogs(Directory* directory, const std::vector<std::string>& names,
                  const TableList& list, const MarkCheck& mark, std::vector<LogTail>* tails) {
    const std::vector<std::string> logs = LogsToReplay(names, list.log_number());
    if (list.log_number() != 0 && (logs.empty() || NumberOfName(logs[0]) != list.log_number())) {
        return Damaged(NameOfLog(list.log_number()), "the file is missing");
    }
    const Failure missing = mark.CheckLogs(logs, list.log_number());
    if (!missing.ok()) return missing;
    // The sequence number that the next batch must have; the first log may begin with writes that
    // are in the tables already.
    uint64_t expected = list.last_sequence() + 1;
    bool is_first = true;
    std::string damaged;
    for (const std::string& name : logs) {
        bool gap = false, goes_on = false;
        const auto batch = [&](const std::string& header) {
            if (header.size() < kBatchHeaderSize) return false;
            // A log is synced before anything is written to the next one.
            goes_on = !damaged.empty();
            if (goes_on) return false;
            const uint64_t sequence = Number(header.data(), 8);
            gap = is_first ? sequence > expected : sequence != expected;
            is_first = false;
            expected = sequence + Number(header.data() + 8, 4);
            return !gap;
        };
        LogEnd end;
        std::vector<LogWatch> watches = mark.Watches(name);
        Failure failure = ReadLog(directory, name, kBatchHeaderSize, batch, &end, &watches);
        if (gap) failure = Damaged(name, "writes before the ones in it are missing");
        if (goes_on) {
            failure = Damaged(damaged, "a record is damaged, and there are others in the next log");
        }
        if (failure.ok()) failure = mark.CheckRead(name, watches);
        if (!failure.ok()) return failure;
        Note(name, end, tails);
        if (end.kind == LogEnd::kDamaged) damaged = name + " at byte " + std::to_string(end.offset);
    }
    return Failure();
}

}  // namespace

Failure Preflight(Directory* directory, std::vector<LogTail>* tails) {
    tails->clear();
    std::vector<std::string> names;
    const leveldb::Status status = directory->List(&names);
    if (!status.ok()) return FailureOf(status);

    std::string manifest;
    Failure failure = ReadCurrent(directory, &manifest);
    if (!failure.ok()) return failure;
    TableList list;
    LogEnd end;
    const MarkCheck mark(directory);
    std::vector<LogWatch> watches = mark.Watches(manifest);
    failure = ReadLog(
        directory, manifest, SIZE_MAX, [&](const std::string& edit) { return list.Apply(edit); },
        &end, &watches);
    if (!failure.ok()) return failure;
    // CURRENT names a manifest only when its beginning is synced.
    if (end.offset == 0) return Damaged(manifest, "it has no whole record");
    failure = mark.CheckManifest(manifest);
    if (failure.ok()) failure = mark.CheckRead(manifest, watches);
    if (!failure.ok()) return failure;
    Note(manifest, end, tails);
    failure = CheckTables(directory, names, list);
    if (failure.ok()) failure = CheckLogs(directory, names, list, mark, tails);
    return failure;
}

}  // namespace cldb

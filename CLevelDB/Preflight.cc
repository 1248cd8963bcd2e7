#include "Preflight.h"

#include <map>
#include <vector>

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

Failure CheckLogs(Directory* directory, const std::vector<std::string>& names,
                  const TableList& list, std::vector<LogTail>* tails) {
    const std::vector<std::string> logs = LogsToReplay(names, list.log_number());
    if (list.log_number() != 0 && (logs.empty() || NumberOfName(logs[0]) != list.log_number())) {
        return Damaged("log " + std::to_string(list.log_number()), "the file is missing");
    }
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
        Failure failure = ReadLog(directory, name, kBatchHeaderSize, batch, &end);
        if (gap) failure = Damaged(name, "writes before the ones in it are missing");
        if (goes_on) {
            failure = Damaged(damaged, "a record is damaged, and there are others in the next log");
        }
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
    failure = ReadLog(
        directory, manifest, SIZE_MAX, [&](const std::string& edit) { return list.Apply(edit); },
        &end);
    if (!failure.ok()) return failure;
    // CURRENT names a manifest only when its beginning is synced.
    if (end.offset == 0) return Damaged(manifest, "it has no whole record");
    Note(manifest, end, tails);
    failure = CheckTables(directory, names, list);
    if (failure.ok()) failure = CheckLogs(directory, names, list, tails);
    return failure;
}

}  // namespace cldb

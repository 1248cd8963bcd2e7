#include "Format.h"

#include "FilesInUse.h"
#include "LogReader.h"
#include "TableList.h"

namespace cldb {

namespace {

const char kMark[] = ", format ";

std::string Describe(const std::string& name) {
    const size_t mark = name.rfind(kMark);
    return mark == std::string::npos ? "no format" : name.substr(mark + 2);
}

}  // namespace

std::string FormatComparator::NameOf(uint32_t format) {
    const std::string order = leveldb::BytewiseComparator()->Name();
    return format == 0 ? order : order + kMark + std::to_string(format);
}

Failure CheckFormat(Directory* directory, uint32_t format) {
    std::string manifest;
    TableList list;
    LogEnd end;
    Failure failure = ReadCurrent(directory, &manifest);
    if (failure.ok()) {
        // The name is in the first record.
        failure = ReadLog(
            directory, manifest, SIZE_MAX,
            [&](const std::string& edit) { return list.Apply(edit) && list.comparator().empty(); },
            &end);
    }
    if (!failure.ok() && failure.code != CLDB_CORRUPTION) return failure;
    const std::string expected = FormatComparator::NameOf(format);
    if (list.comparator().empty() || list.comparator() == expected) return Failure();
    return Failure{CLDB_NOT_SUPPORTED, "it has " + Describe(list.comparator()) + ", and this version " +
                                           Describe(expected)};
}

}  // namespace cldb

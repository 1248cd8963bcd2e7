#include "Format.h"

#include "CLevelDB.h"
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

// The name of the order of keys, empty where none can be read.
static Failure ReadName(Directory* directory, std::string* name) {
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
    *name = list.comparator();
    return failure.code == CLDB_CORRUPTION ? Failure() : failure;
}

Failure CheckFormat(Directory* directory, uint32_t format) {
    std::string name;
    const Failure failure = ReadName(directory, &name);
    const std::string expected = FormatComparator::NameOf(format);
    if (!failure.ok() || name.empty() || name == expected) return failure;
    return Failure{CLDB_NOT_SUPPORTED,
                   "it has " + Describe(name) + ", and this version " + Describe(expected)};
}

bool HasFormat(const std::string& path) {
    std::unique_ptr<Directory> directory;
    std::string name;
    return Directory::Open(path, false, &directory).ok() &&
           ReadName(directory.get(), &name).ok() && name.find(kMark) != std::string::npos;
}

}  // namespace cldb

extern "C" bool cldb_has_format(const char* path) {
    try {
        return cldb::HasFormat(path);
    } catch (...) {
        return false;
    }
}

#include "FilesInUse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>

#include "Files.h"

namespace cldb {

Failure Damaged(const std::string& name, const char* what) {
    return Failure{CLDB_CORRUPTION, name + ": " + what + "; nothing was changed"};
}

uint64_t NumberOfName(const std::string& name) { return strtoull(name.c_str(), nullptr, 10); }

std::string NameOfLog(uint64_t number) {
    char name[32];
    snprintf(name, sizeof name, "%06llu.log", static_cast<unsigned long long>(number));
    return name;
}

uint64_t NumberOfManifest(const std::string& name) {
    return NumberOfName(name.substr(name.find('-') + 1));
}

Failure ReadCurrent(Directory* directory, std::string* manifest) {
    const int descriptor = directory->OpenFile("CURRENT", O_RDONLY);
    if (descriptor < 0) return FailureOf(StatusOfErrno("CURRENT", "open", errno));
    TableFile file(directory, "CURRENT", descriptor);
    char buffer[64];
    leveldb::Slice content;
    const leveldb::Status status = file.Read(0, sizeof buffer, &content, buffer);
    if (!status.ok()) return FailureOf(status);
    *manifest = content.ToString();
    if (manifest->empty() || manifest->back() != '\n') {
        return Damaged("CURRENT", "it does not end with a line feed");
    }
    manifest->pop_back();
    if (KindOfName(*manifest) != FileKind::kManifest) {
        return Damaged("CURRENT", "it does not name a manifest");
    }
    if (!directory->IsRegular(*manifest)) {
        return Damaged("CURRENT", "the manifest it names is missing");
    }
    return Failure();
}

std::vector<std::string> LogsToReplay(const std::vector<std::string>& names, uint64_t first) {
    std::vector<std::string> logs;
    for (const std::string& name : names) {
        if (KindOfName(name) == FileKind::kLog && NumberOfName(name) >= first) logs.push_back(name);
    }
    std::sort(logs.begin(), logs.end(), [](const std::string& a, const std::string& b) {
        return NumberOfName(a) < NumberOfName(b);
    });
    return logs;
}

}  // namespace cldb

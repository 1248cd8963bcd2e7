#include "FileNames.h"

namespace cldb {

namespace {

// The number as printf("%06llu") writes it; 18 digits bound it far below where LevelDB's counter
// would wrap.
bool IsCanonicalNumber(const std::string& text) {
    if (text.size() < 6 || text.size() > 18) return false;
    if (text.size() > 6 && text[0] == '0') return false;
    return text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

FileKind KindOfName(const std::string& name) {
    if (name == "CURRENT") return FileKind::kCurrent;
    if (name == "RESERVE") return FileKind::kReserve;
    if (name == "COMMITTED") return FileKind::kCommitMark;
    if (name == "LOCK") return FileKind::kLock;
    if (name == "LOG" || name == "LOG.old") return FileKind::kInfoLog;
    const std::string manifest = "MANIFEST-";
    if (name.compare(0, manifest.size(), manifest) == 0) {
        return IsCanonicalNumber(name.substr(manifest.size())) ? FileKind::kManifest
                                                               : FileKind::kNone;
    }
    const size_t dot = name.find('.');
    if (dot == std::string::npos || !IsCanonicalNumber(name.substr(0, dot))) return FileKind::kNone;
    const std::string suffix = name.substr(dot);
    if (suffix == ".log") return FileKind::kLog;
    if (suffix == ".ldb" || suffix == ".sst") return FileKind::kTable;
    if (suffix == ".dbtmp") return FileKind::kTemporary;
    if (suffix == ".discarded") return FileKind::kDiscarded;
    return FileKind::kNone;
}

std::string BaseName(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace cldb

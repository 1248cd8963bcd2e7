// The names of a database's files, in their one canonical spelling.

#pragma once

#include <string>

namespace cldb {

// kDiscarded (LogTail.h), kReserve (Reserve.h) and kCommitMark (CommitMark.h) are ours, the others are LevelDB's.
enum class FileKind {
    kNone,
    kCurrent,
    kLock,
    kInfoLog,
    kManifest,
    kLog,
    kTable,
    kTemporary,
    kDiscarded,
    kReserve,
    kCommitMark
};

// The kind of a file of that name. LevelDB itself also takes "7.log" for its log number 7, and
// would delete or replay it; here only the spelling it writes itself ("000007.log") counts,
// anything else is somebody else's file.
FileKind KindOfName(const std::string& name);

// What follows the last slash.
std::string BaseName(const std::string& path);

}  // namespace cldb

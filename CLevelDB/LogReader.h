// Reads a log or manifest of LevelDB, and tells a torn end from a damaged one, as LevelDB does not.
//
// The format: blocks of 32 KiB; in them physical records of a header (masked CRC-32C of type and
// payload, 2 bytes of length, 1 byte of type: full, first, middle, last) and a payload; fewer than 7
// bytes at the end of a block are zero. A logical record is a full one, or a first, any middles and
// a last.
//
// LevelDB itself verifies the checksums of complete records (Options::paranoid_checks), so that is
// left to it. But it takes what reaches beyond the end of the file for a write that a crash cut
// short, so that a damaged length hides all that follows, and it skips a block whose header is zero.

#pragma once

#include <functional>
#include <string>

#include "Directory.h"

namespace cldb {

struct LogSummary {
    // Whether the file ends within a record, as after a crash amid a write.
    bool torn = false;
};

// Gives each logical record's payload to `record`, which returns false for one that makes no sense.
// At most `limit` bytes of each are kept.
Failure ReadLog(Directory* directory, const std::string& name, size_t limit,
                const std::function<bool(const std::string&)>& record, LogSummary* summary);

}  // namespace cldb

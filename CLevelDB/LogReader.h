// Reads a log or manifest of LevelDB, and tells what a crash leaves at its end from damage, as LevelDB does not.
//
// The format: blocks of 32 KiB; in them physical records of a header (masked CRC-32C of type and
// payload, 2 bytes of length, 1 byte of type: full, first, middle, last) and a payload; fewer than 7
// bytes at the end of a block are zero. A logical record is a full one, or a first, any middles and
// a last.
//
// LevelDB takes what reaches beyond the end of the file for a write that a crash cut short, so that
// a damaged length hides all that follows; it skips a block whose header is zero; and it refuses
// whatever else a power cut leaves of writes that were not synced.

#pragma once

#include <stdint.h>

#include <functional>
#include <string>
#include <vector>

#include "Directory.h"

namespace cldb {

// How a log ends.
struct LogEnd {
    enum Kind {
        kWhole,    // with its last record
        kTorn,     // within a record, as after a crash amid a write; LevelDB passes over it
        kZeroed,   // in zeros that were never written over
        kDamaged,  // in anything else that is no record
    };

    Kind kind = kWhole;
    // Where the last whole logical record ends, and where the file does.
    uint64_t offset = 0;
    uint64_t length = 0;
};

// The length of a record's header.
constexpr size_t kLogHeaderSize = 7;

// A length at which a log is compared: whether a record ends there, and the digest of those up to there (CommitMark.h).
struct LogWatch {
    uint64_t length;
    bool is_reached = false;
    uint64_t digest = 0;
};

// Gives each logical record's payload to `record`, which returns false for one that makes no sense.
// At most `limit` bytes of each are kept.
//
// A record that is not whole ends the log where no later one begins after it. Where one does, the
// writer had gone on, and what is in between is damaged: CLDB_CORRUPTION, with the place. So it is
// where the last record would be whole but for one bit, or for its length.
Failure ReadLog(Directory* directory, const std::string& name, size_t limit,
                const std::function<bool(const std::string&)>& record, LogEnd* end,
                std::vector<LogWatch>* watches = nullptr);

// Gives every logical record that is whole to `record`, those after damage too, and says which are the first after it. What the disk
// does not give counts as damage.
//
// Returns whether the log ends with a whole one, whatever lies between others.
bool ReadAroundDamage(Directory* directory, const std::string& name,
                      const std::function<void(const std::string&, bool is_after_damage)>& record);

}  // namespace cldb

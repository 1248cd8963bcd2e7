// What a log or manifest has behind its last whole record, and how it is put aside.

#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "Directory.h"
#include "LogReader.h"

namespace cldb {

struct LogTail {
    std::string file;
    LogEnd end;
    // The file that its bytes were copied to; empty when they are not worth it.
    std::string copy;

    uint64_t length() const { return end.length - end.offset; }
};

// Makes the logs end with their last whole record, and synced so. Bytes other than zeros are copied
// to a file beside them first, which takes the place of the copies of earlier times: it is the one
// file of a database that nothing ever removes but its like and the database's destruction.
//
// Being interrupted does no harm: the next opening finds the same tails, or none.
Failure DiscardTails(Directory* directory, std::vector<LogTail>* tails);

}  // namespace cldb

// What a manifest of LevelDB says: which tables and logs make up the database.

#pragma once

#include <stdint.h>

#include <map>
#include <string>
#include <utility>

namespace cldb {

// The format of an edit: fields of a varint tag and what belongs to it (db/version_edit.cc).
class TableList {
  public:
    // Applies one edit, a logical record of the manifest. False when it makes no sense.
    bool Apply(const std::string& edit);

    // The name of the order of its keys; empty before it was told.
    const std::string& comparator() const { return comparator_; }
    // The bytes of each table, by number.
    const std::map<uint64_t, uint64_t>& tables() const { return tables_; }
    // Logs from this number on hold what is in no table yet; 0 before there was any.
    uint64_t log_number() const { return log_number_; }
    // The first and the last key of each table, with their trailers.
    const std::map<uint64_t, std::pair<std::string, std::string>>& keys() const { return keys_; }
    // No file that it knows of has this number or a higher one.
    uint64_t next_file_number() const { return next_file_number_; }
    uint64_t last_sequence() const { return last_sequence_; }

  private:
    std::string comparator_;
    std::map<uint64_t, uint64_t> tables_;
    std::map<uint64_t, std::pair<std::string, std::string>> keys_;
    uint64_t log_number_ = 0;
    uint64_t next_file_number_ = 0;
    uint64_t last_sequence_ = 0;
};

}  // namespace cldb

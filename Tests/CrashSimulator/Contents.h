// What is on a simulated disk, and what of it is durable.

#pragma once

#include <stdint.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "CrashSimulator.h"

namespace crash {

// One operation of those that matter to a power cut.
struct Operation {
    enum Kind { kCreate, kAppend, kOverwrite, kTruncate, kSyncFile, kRename, kRemove, kSyncNames };

    Kind kind;
    std::string name;   // of names
    std::string other;  // the new name of kRename; the bytes of kAppend and, from the file's beginning on, of kOverwrite
    size_t file = 0;    // of files, and of kCreate
    uint64_t length = 0;
};

class Contents {
  public:
    struct File {
        std::string bytes;
        // So many of them survive a power cut.
        size_t synced = 0;
        // What would be there instead, when the file was cut since.
        std::optional<std::string> before;
        // What it held before each time that bytes of it were overwritten since it was synced.
        std::vector<std::string> overwritten;
    };

    using Names = std::map<std::string, size_t>;

    const Names& names() const { return names_; }
    const File& file(size_t number) const { return files_[number]; }
    size_t file_count() const { return files_.size(); }

    void Apply(const Operation& operation);

    // What a power cut leaves: all of it durable.
    Contents AfterPowerCut(crash_names names, crash_tail tail, std::mt19937_64& random) const;

  private:
    struct Change {
        std::string from, to;  // either may be empty
        size_t file;
    };

    static void Make(const Change& change, Names* names);

    Names names_;
    Names durable_;
    // What happened to names since they were durable.
    std::vector<Change> changes_;
    std::vector<File> files_;
};

}  // namespace crash

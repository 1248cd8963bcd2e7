// What can be read of the logs of a database.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Directory.h"
#include "WreckEntries.h"

namespace cldb {

// The writes of several logs, one after the other, in memory: a log is about as long as a write buffer.
class WreckLog {
  public:
    // Adds the writes of a log that can be read.
    void Read(Directory* directory, const std::string& name);
    // Notes that a log is not there.
    void Miss(const std::string& name);
    // To be called when all are read.
    void Sort();

    // Sequence numbers that were given to writes which cannot be read: up to this one, and the file before which it shows.
    struct Gap {
        std::string file;
        uint64_t newest;
    };
    // `highest_first` is the number that the first write has at most.
    std::vector<Gap> Gaps(uint64_t highest_first) const;

    // The log must outlive it.
    std::unique_ptr<WreckEntries> NewEntries() const;

  private:
    struct Version {
        std::string key;
        uint64_t sequence;
        bool is_value;
        std::string value;
    };
    struct Batch {
        std::string file;
        uint64_t first, count;
        bool is_whole, is_after_damage;
    };
    class Entries;

    void Add(const std::string& name, leveldb::Slice batch, bool is_after_damage);

    std::vector<Version> versions_;
    std::vector<Batch> batches_;
    std::string last_file_;
    bool ends_whole_ = true;
};

}  // namespace cldb

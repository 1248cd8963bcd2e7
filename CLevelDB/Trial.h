// What opening has changed in a directory, and how that is undone.

#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "Directory.h"

namespace cldb {

// Facts:
// 1. LevelDB cannot open a database without writing: its log becomes a table, there is a new log and a new manifest, CURRENT names that, and
//    what was there before is removed. It changes no file but CURRENT.
// 2. So as long as what it removes is kept, CURRENT leads back to all that was. Whoever opens the database, and then finds that it is of no use, leaves
//    it as it was.
// 3. What ends the process in between leaves the one or the other, and files that the next opening removes.
class Trial {
  public:
    explicit Trial(Directory* directory) : directory_(directory) {}

    void Begin();
    bool is_under_way() const { return is_under_way_; }

    // Before a file is made; one of that name, which a crash left, is put aside.
    leveldb::Status NoteCreation(const std::string& name);
    // Before CURRENT is replaced.
    leveldb::Status NoteSwitch();
    // Whether a file is to be kept for now.
    bool Keeps(const std::string& name);

    // Ends it: what is not needed any more is removed.
    void Accept();
    // Ends it: makes the directory what it was. LevelDB must have ended.
    void Undo();

  private:
    leveldb::Status RestoreCurrent();

    Directory* const directory_;
    std::mutex mutex_;
    std::atomic<bool> is_under_way_{false};
    std::vector<std::string> made_;
    std::vector<std::string> doomed_;
    // Files of a name that was given again, and what they are called meanwhile.
    std::vector<std::pair<std::string, std::string>> aside_;
    // What CURRENT named; empty as long as it does.
    std::string manifest_;
};

}  // namespace cldb

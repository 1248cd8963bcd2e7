// Whether the files of an open database are still where the next opening looks for them.

#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "Directory.h"

namespace cldb {

// Facts:
// 1. A file that was removed, or replaced by another one, takes writes like before as long as it is open. What is acknowledged then
//    is in no file that an opening would find.
// 2. The time of the directory's last change is asked for each time. Only when it is another one, or so short ago that a later change may
//    have the same, are the files asked for by name.
// 3. A thread of LevelDB says that it removes a file, and then removes it. In between the file is there to be listed by an opening that begins just
//    then: so names that are being removed are remembered.
class NamesInUse {
  public:
    explicit NamesInUse(Directory* directory) : directory_(directory) {}

    // Takes the files that are there for those in use.
    void Begin();

    // LevelDB has made a file of that name, or is about to remove it.
    void Add(const std::string& name);
    void Forget(const std::string& name);

    // CLDB_IO, with the name of a file that is not there any more. Tables are asked for once the directory has been at rest for a moment, or
    // with `all`.
    Failure Check(bool all);

  private:
    void Note(const std::string& name, bool is_new);
    Failure CheckName(const std::string& name, const Disk::Identity& identity);

    Directory* const directory_;
    std::mutex mutex_;
    bool has_begun_ = false;
    std::map<std::string, Disk::Identity> names_;
    // The last ones that were removed, or are about to be.
    std::set<std::string> removed_;
    // The last change of the directory after which all names were there.
    int64_t change_ = 0;
    bool is_settled_ = false;
    bool are_tables_checked_ = false;
};

}  // namespace cldb

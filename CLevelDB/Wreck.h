// Reads what is left of a database that LevelDB does not open, or not all of.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Directory.h"
#include "TableList.h"
#include "WreckEntries.h"
#include "WreckLog.h"
#include "WreckTable.h"

namespace cldb {

// The files of a database, read one by one, under the directory's lock. Nothing is changed.
//
// Facts:
// 1. Every key in a table has its sequence number, and so has every write in a log. So the newest of the versions that can be
//    read is known, whatever the files are called.
// 2. It is the last one where nothing that cannot be read could have a newer one: see `IsCertain`. A lost block of a table could
//    hold the keys between its neighbours; a lost write in a log could change any key, but not one written later.
// 3. Which files make up the database is only said by the manifest. Files that it does not name hold what was replaced or
//    deleted since. They are asked for keys that were lost alone; and for all keys, none of which is certain, without a manifest.
class Wreck {
  public:
    // CLDB_NOT_SUPPORTED where the manifest says another format.
    static Failure Open(const std::string& path, uint32_t format, std::unique_ptr<Wreck>* wreck);

    // Takes the newest version of a key; a deleted one has no value. False ends the walk.
    using Consumer = std::function<bool(const WreckEntry& entry, bool is_certain)>;

    // Gives every key that can be read, in order.
    Failure Read(const Consumer& consume) const;

    // Whether a version of a key is the last one; that of no version is 0.
    bool IsCertain(leveldb::Slice key, uint64_t sequence) const;

    // The files that cannot be read in part, or at all.
    const std::vector<std::string>& damaged_files() const { return damaged_files_; }

  private:
    // Versions that were lost: of these keys, up to this sequence number.
    struct Lost {
        KeyRange keys;
        uint64_t newest;
    };
    Wreck() = default;

    Failure ReadFiles();
    // Whether the manifest tells which files make up the database.
    bool ReadManifest(const std::vector<std::string>& names);
    void ReadTables(const std::vector<std::string>& names, bool has_list);
    void MissMarked(const std::vector<std::string>& names, uint64_t first);
    void ReadLogs(const std::vector<std::string>& names, bool has_list);
    bool WasLost(leveldb::Slice key) const;
    void Lose(const std::string& file, const KeyRange& keys, uint64_t newest);

    std::unique_ptr<Directory> directory_;
    std::unique_ptr<DirectoryLock> lock_;
    TableList list_;
    // Files that the manifest names come first.
    std::vector<std::unique_ptr<WreckTable>> tables_, other_tables_;
    WreckLog log_, other_log_;
    std::vector<Lost> lost_;
    std::vector<std::string> damaged_files_;
};

}  // namespace cldb

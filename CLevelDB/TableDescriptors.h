// The descriptors of table files, which all databases of a process share.

#pragma once

#include <list>
#include <mutex>
#include <string>

#include "Directory.h"

namespace cldb {

// The descriptor of one table file: opened for the first read, and closed when other tables want its place.
//
// Facts:
// 1. At most kMost are kept, those of one database, and kShared when several have some; never more than half of what the process may
//    open. What finds no place is open for one read.
// 2. A descriptor is closed only while nobody reads through it. One that was read through since the last look is passed over once.
// 3. Whoever holds a table's mutex may ask for that of the places, and not the other way round.
class TableDescriptor {
  public:
    static constexpr size_t kMost = 256;
    static constexpr size_t kShared = 64;

    // The directory and the name must outlive it. One that is opened already, `file`, is kept without a place.
    TableDescriptor(Directory* directory, const std::string& name, int file)
        : directory_(directory), name_(name), file_(file) {}
    ~TableDescriptor();

    TableDescriptor(const TableDescriptor&) = delete;
    TableDescriptor& operator=(const TableDescriptor&) = delete;

    // A read; the descriptor is open while it lives.
    class Use {
      public:
        explicit Use(TableDescriptor* descriptor);
        ~Use();

        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        // -1 where the file cannot be opened.
        int file() const { return file_; }
        // Why not.
        int error() const { return error_; }

      private:
        TableDescriptor* const descriptor_;
        int file_ = -1;
        int error_ = 0;
        bool is_kept_ = false;
    };

  private:
    struct Places;
    static Places& ThePlaces();

    bool TakePlace();
    bool GiveUp();

    Directory* const directory_;
    const std::string& name_;
    std::mutex mutex_;
    // These three are guarded by `mutex_`.
    int file_;
    int readers_ = 0;
    bool is_recent_ = false;
    // Guarded by that of the places.
    bool has_place_ = false;
    std::list<TableDescriptor*>::iterator place_;
};

}  // namespace cldb

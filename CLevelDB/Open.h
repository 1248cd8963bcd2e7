// Opening and destroying: what is in a directory, and what may be done with it.

#pragma once

#include <string>

#include "Handles.h"

namespace cldb {

Failure OpenDatabase(const std::string& path, cldb_mode mode, const cldb_options& options,
                     cldb_database* database);

Failure DestroyDatabase(const std::string& path);

}  // namespace cldb

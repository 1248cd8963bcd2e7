// A database made of another one's files, while that goes on.

#pragma once

#include <string>

#include "Handles.h"

namespace cldb {

// See cldb_link.
Failure LinkDatabase(cldb_database* database, const std::string& path);

}  // namespace cldb

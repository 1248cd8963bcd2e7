// Space that a database keeps for the time when the disk is full.

#pragma once

#include "CLevelDB.h"
#include "Directory.h"

namespace cldb {

// The bytes that a reserve has to have to be of use, for options that ask for one; else 0.
uint64_t ReserveSize(const cldb_options& options);

bool HasReserve(const Directory& directory);

// Makes the reserve if there is so much space that nothing else needs it; removes one that nobody asks for.
void KeepReserve(Directory* directory, const cldb_options& options);

// Gives the space back to the disk. False when there was none.
bool GiveUpReserve(Directory* directory);

// CLDB_DISK_FULL when the disk has no room for opening, even without the reserve: logs become a table,
// and there are a new manifest, CURRENT and log.
Failure CheckSpaceToOpen(Directory* directory);
Failure MakeRoomToOpen(Directory* directory);

}  // namespace cldb

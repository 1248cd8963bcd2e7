// A disk in memory for a database, which remembers every operation and says what a power cut after
// any of them could have left.

#ifndef CRASHSIMULATOR_H
#define CRASHSIMULATOR_H

#include "AddressSpaceLimit.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crash_disk crash_disk;

// An empty directory.
crash_disk *crash_disk_create(void);
// No database may be open on it, and it may not be mounted.
void crash_disk_free(crash_disk *disk);

// Lets databases opened at exactly this path lie on the disk, until it is unmounted.
void crash_disk_mount(crash_disk *disk, const char *path);
void crash_disk_unmount(const char *path);

// How many operations there were that change files, names, or what of them is durable.
uint64_t crash_disk_operations(crash_disk *disk);

// What survives of names that were created, renamed and removed since the last sync of the
// directory.
typedef enum crash_names {
    CRASH_NAMES_ALL,      // everything, as ext4 mostly does
    CRASH_NAMES_PREFIX,   // the first few changes
    CRASH_NAMES_NONE,     // no change
    CRASH_NAMES_REMOVED,  // removals only
} crash_names;

// What survives of bytes that were appended since the last sync of their file.
typedef enum crash_tail {
    CRASH_TAIL_KEPT,     // the first of them, or all
    CRASH_TAIL_DROPPED,  // none
    CRASH_TAIL_ZEROED,   // the first of them; others are zeros
    CRASH_TAIL_GARBAGE,  // the first of them; others are noise
} crash_tail;

// A disk as a power cut right after so many operations could leave it; what is left to chance is
// drawn by `seed`. Fast for one image after another, with no fewer operations.
crash_disk *crash_disk_image(crash_disk *disk, uint64_t operations, crash_names names,
                             crash_tail tail, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif

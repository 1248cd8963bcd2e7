// C interface to LevelDB 1.23, with an Env of our own that keeps what LevelDB forgets.
//
// Every function may be called with the handles it was given and nothing else: what LevelDB would assert is
// checked here first. No C++ exception leaves a function.
#ifndef CLEVELDB_H
#define CLEVELDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cldb_database cldb_database;
typedef struct cldb_batch cldb_batch;
typedef struct cldb_iterator cldb_iterator;

typedef enum {
    CLDB_OK = 0,
    CLDB_NOT_FOUND = 1,
    CLDB_CORRUPTION = 2,
    CLDB_IO = 3,
    CLDB_DISK_FULL = 4,
    CLDB_LOCKED = 5,
    CLDB_POISONED = 6,
    CLDB_EXISTS = 7,
    CLDB_INVALID = 8,
    CLDB_NOT_SUPPORTED = 9,
} cldb_code;

// A code and, unless it is CLDB_OK, what LevelDB or the Env said; cut at the end of the array.
typedef struct {
    cldb_code code;
    char message[600];
} cldb_status;

typedef struct {
    const void *_Nullable bytes;
    size_t count;
} cldb_slice;

typedef struct {
    size_t write_buffer_size;
    size_t block_cache_size;
    size_t block_size;
    size_t max_file_size;
    int max_open_files;
    int bloom_bits_per_key;
    bool compression;
} cldb_options;

typedef enum {
    CLDB_CREATE = 0,          // only in an absent or empty directory
    CLDB_OPEN = 1,            // never creates
    CLDB_OPEN_OR_CREATE = 2,  // creates only in an absent or empty directory
} cldb_mode;

cldb_database *_Nullable cldb_open(const char *_Nonnull path, cldb_mode mode,
                                   const cldb_options *_Nonnull options,
                                   cldb_status *_Nonnull status);
// No other call on the database may be under way, and its iterators must be destroyed.
void cldb_close(cldb_database *_Nonnull database, cldb_status *_Nonnull status);
void cldb_destroy(const char *_Nonnull path, cldb_status *_Nonnull status);

// The value must be freed with cldb_value_free; null when the status is not CLDB_OK.
typedef struct cldb_value cldb_value;
cldb_value *_Nullable cldb_get(cldb_database *_Nonnull database, cldb_slice key,
                               cldb_slice *_Nonnull value, cldb_status *_Nonnull status);
void cldb_value_free(cldb_value *_Nonnull value);

void cldb_write(cldb_database *_Nonnull database, cldb_batch *_Nonnull batch, bool sync,
                cldb_status *_Nonnull status);
bool cldb_is_poisoned(cldb_database *_Nonnull database);
// A null slice is the end on that side.
void cldb_compact(cldb_database *_Nonnull database, const cldb_slice *_Nullable start,
                  const cldb_slice *_Nullable end, cldb_status *_Nonnull status);
uint64_t cldb_approximate_size(cldb_database *_Nonnull database, cldb_slice start, cldb_slice end);
// Writes at most capacity bytes; the length of the property, or -1 when there is none of that name.
long cldb_property(cldb_database *_Nonnull database, const char *_Nonnull name,
                   char *_Nullable buffer, size_t capacity);

cldb_batch *_Nonnull cldb_batch_create(void);
void cldb_batch_free(cldb_batch *_Nonnull batch);
// False, and no change, when key or value are longer than a batch takes.
bool cldb_batch_put(cldb_batch *_Nonnull batch, cldb_slice key, cldb_slice value);
bool cldb_batch_delete(cldb_batch *_Nonnull batch, cldb_slice key);
void cldb_batch_clear(cldb_batch *_Nonnull batch);
size_t cldb_batch_bytes(cldb_batch *_Nonnull batch);

typedef enum {
    CLDB_SEEK,
    CLDB_FIRST,
    CLDB_LAST,
    CLDB_NEXT,
    CLDB_PREVIOUS,
    CLDB_CHECK,  // does not move
} cldb_move;

// Where an iterator stands: the slices are good until it moves.
typedef struct {
    bool valid;
    cldb_code code;  // of the iterator's status, when it is not valid or was checked
    cldb_slice key;
    cldb_slice value;
} cldb_position;

cldb_iterator *_Nullable cldb_iterator_create(cldb_database *_Nonnull database, bool fill_cache,
                                              cldb_status *_Nonnull status);
void cldb_iterator_free(cldb_iterator *_Nonnull iterator);
// Moves; a move from an invalid position other than a seek leaves it invalid.
void cldb_iterator_move(cldb_iterator *_Nonnull iterator, cldb_move move, cldb_slice target,
                        cldb_position *_Nonnull position);
void cldb_iterator_status(cldb_iterator *_Nonnull iterator, cldb_status *_Nonnull status);

// Fault points, for tests: the operation of a class that comes `after` others fails, and `count` in all.
typedef enum {
    CLDB_FAULT_NONE = 0,
    CLDB_FAULT_APPEND,
    CLDB_FAULT_SYNC,
    CLDB_FAULT_RENAME,
    CLDB_FAULT_READ,
    CLDB_FAULT_CREATE,
} cldb_fault_class;
void cldb_set_fault(cldb_database *_Nonnull database, cldb_fault_class fault, int after, int count,
                    int error_number, bool short_write);

// The longest key and value, and the largest batch, in bytes.
enum { CLDB_MAX_KEY = 8 << 10, CLDB_MAX_VALUE = 64 << 20, CLDB_MAX_BATCH = 64 << 20 };

#ifdef __cplusplus
}
#endif

#endif

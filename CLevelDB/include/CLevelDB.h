// LevelDB behind a C interface that cannot be misused into an abort.
//
// What it adds to LevelDB, and why, is told in the sources: every precondition that LevelDB only
// asserts is checked first, C++ exceptions stop here, files go through an environment of our own
// (Environment.h), and a failed write closes the handle for writing.
//
// Conventions, for every function:
// 1. A result other than CLDB_OK may come with a message: `*message` is then a string that the
//    caller releases with cldb_string_free, or NULL. `message` itself may not be NULL.
// 2. A length comes beside every pointer to bytes; a pointer may be NULL when its length is 0.
// 3. Functions on a cldb_database may be called from any thread at any time, also while it is being
//    closed. A cldb_batch or cldb_iterator belongs to one thread at a time.

#ifndef CLEVELDB_H
#define CLEVELDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cldb_database cldb_database;
typedef struct cldb_batch cldb_batch;
typedef struct cldb_iterator cldb_iterator;

typedef enum cldb_code {
    CLDB_OK = 0,
    CLDB_NOT_FOUND,
    CLDB_CORRUPTION,
    CLDB_IO,
    CLDB_DISK_FULL,
    CLDB_LOCKED,
    CLDB_CLOSED,
    CLDB_POISONED,
    CLDB_POISONED_DISK_FULL,  // the same, and what failed was for want of space
    CLDB_EXISTS,
    CLDB_INVALID_ARGUMENT,
    CLDB_NOT_SUPPORTED,
    CLDB_UNTRUSTED,  // the directory is a symbolic link, or others can write to it or to a file of the database
    CLDB_READ_ONLY,  // the database was opened to be read only
} cldb_code;

void cldb_string_free(char *message);

// How many forks led to this process since the first database was opened.
uint32_t cldb_fork_count(void);

// ---- Limits -------------------------------------------------------------------------------------

// LevelDB stores lengths in 32 bits and copies a whole batch into one write buffer; these bounds
// keep both far from their ends. A batch may be a little longer than a value, so that the longest
// value fits with its key.
#define CLDB_MAX_KEY_LENGTH ((size_t)8 << 10)
#define CLDB_MAX_VALUE_LENGTH ((size_t)64 << 20)
#define CLDB_MAX_BATCH_LENGTH (((size_t)64 << 20) + ((size_t)64 << 10))

// ---- Databases ----------------------------------------------------------------------------------

typedef enum cldb_mode {
    CLDB_CREATE,          // the directory must be absent or empty
    CLDB_OPEN,            // the directory must hold a database
    CLDB_OPEN_OR_CREATE,  // creates as CLDB_CREATE does, opens otherwise
    CLDB_READ,            // opens what is there, and changes no byte of it
} cldb_mode;

// Blocks of tables in memory, which several databases may share. It stays as long as one of them uses it.
typedef struct cldb_cache cldb_cache;
cldb_cache *cldb_cache_create(size_t byte_count);
void cldb_cache_free(cldb_cache *cache);

typedef struct cldb_options {
    size_t write_buffer_size;
    size_t block_cache_size;
    size_t block_size;
    size_t max_file_size;
    int32_t max_open_files;
    int32_t bloom_bits_per_key;  // 0: no filter
    bool compression;
    // What the entries mean, in a number that the database is made with, and that opening it asks for; 0: none.
    uint32_t format;
    // Bytes of the disk that are kept for opening and for batches that free space; 0: none.
    uint64_t reserve_size;
    // NULL, or what cldb_open has called once, whatever comes of it: on a thread in the background, from when the disk
    // is waited for on, or by itself before it returns. It may go on after that. It must not use the database, nor
    // wait for whoever opens it.
    void (*meanwhile)(void *context);
    void *meanwhile_context;
    // Whether a database that is there is opened as CLDB_READ does, though locked for one alone, until cldb_begin_writing.
    bool defers_writing;
    // NULL, or what holds the blocks instead of a cache of `block_cache_size` bytes.
    cldb_cache *cache;
    // With CLDB_READ: users besides this one whose directory and files are trusted. Used by cldb_open alone.
    const uint32_t *trusted_owners;
    size_t trusted_owner_count;
} cldb_options;

// CLDB_NOT_SUPPORTED where the database has another format than the options say: nothing is changed then, whatever state it is in.
//
// A database on a disk too full for opening is opened nevertheless, and its files are left alone: what
// opening has to write stays in memory, and writes give CLDB_DISK_FULL. cldb_reopen then opens it on
// the disk.
cldb_code cldb_open(const char *path, cldb_mode mode, const cldb_options *options,
                    cldb_database **database, char **message);

// Opens on the disk what was opened with `defers_writing`, and does nothing otherwise: until then no byte of it is changed, so that
// who finds that it cannot be used leaves it as it was. Iterators made before give CLDB_IO. After a failure every call fails.
cldb_code cldb_begin_writing(cldb_database *database, char **message);

// Ends the database: waits for calls in flight, invalidates the iterators, ends the work in the background,
// releases the lock. Later calls, from anywhere, give CLDB_CLOSED. Closing again does nothing.
// Fails without effect when the calling thread holds an iterator pinned.
cldb_code cldb_close(cldb_database *database, char **message);

// Opens the database anew beneath its handle if a write has failed; does nothing otherwise. Waits for
// calls in flight and has later ones wait; invalidates the iterators, which then give CLDB_IO. After
// a failure, reads go on if the disk took no writes to begin with; otherwise every call fails until a
// later attempt succeeds.
cldb_code cldb_reopen(cldb_database *database, char **message);

// Closes if needed and releases the memory. No other call may be running, no iterator may be left.
void cldb_free(cldb_database *database);

// A value read: the bytes live until cldb_value_free(owner).
typedef struct cldb_value {
    const void *bytes;
    size_t length;
    void *owner;
} cldb_value;

// CLDB_NOT_FOUND, without a message, when the key is not there.
cldb_code cldb_get(cldb_database *database, const void *key, size_t key_length, cldb_value *value,
                   char **message);
void cldb_value_free(void *owner);

// Writes the batch atomically; the batch is left as it was. CLDB_DISK_FULL without effect when the
// disk is so full that the write might fail. After any other failure every later write fails.
cldb_code cldb_write(cldb_database *database, cldb_batch *batch, bool sync, char **message);

// Has what is written from now on go into other table files than what was written before. Waits for
// the files of the call before, not for these; without effect where the disk has no room.
cldb_code cldb_begin_table(cldb_database *database, char **message);

// Compacts from `start` to `end`, both included; NULL for no bound. Blocks until done, and writes wait.
// CLDB_DISK_FULL without effect where a range, which has bounds then, might find no room.
cldb_code cldb_compact(cldb_database *database, const void *start, size_t start_length,
                       const void *end, size_t end_length, char **message);

// The bytes of table files between two keys, without what is still in the write buffer.
cldb_code cldb_approximate_size(cldb_database *database, const void *start, size_t start_length,
                                const void *end, size_t end_length, uint64_t *size, char **message);

// One of LevelDB's properties, or NULL; release with cldb_string_free.
char *cldb_property(cldb_database *database, const char *name);

// What opening found behind the last whole record of a log or manifest: what a power cut leaves of
// writes that were not synced, or damage to the last one.
typedef struct cldb_tail {
    const char *file;
    const char *copy;  // the file that its bytes were copied to; NULL when they were only zeros or
                       // the beginning of a record
    uint64_t offset;
    uint64_t length;
} cldb_tail;

size_t cldb_tail_count(const cldb_database *database);
// The names live as long as the database; `index` is less than the count.
cldb_tail cldb_tail_at(const cldb_database *database, size_t index);

// Whether writes are refused because an earlier one failed, or the disk was too full for opening.
bool cldb_is_poisoned(cldb_database *database);

// Whether what opening had to write is in memory only: the database is read only, or its disk full.
bool cldb_is_in_memory(cldb_database *database);

// Makes a database in `path`, which must be absent or empty, of everything that was written before the
// call, and maybe some of what is written meanwhile, in order. It shares the table files, which never
// change; they are copied where the file system cannot do that. It can be opened by itself, and lasts
// when this returns.
cldb_code cldb_link(cldb_database *database, const char *path, char **message);

// Whether the directory is provably that of a database which was made with a format, whichever: its manifest says so.
bool cldb_has_format(const char *path);

// Removes LevelDB's own files from a directory, and the directory if nothing else is in it.
cldb_code cldb_destroy(const char *path, char **message);

// The files of a database that LevelDB does not open, or not all of, locked until they are freed. Nothing is changed. Error where
// the directory cannot be locked or read. A wreck belongs to one thread at a time.
typedef struct cldb_wreck cldb_wreck;
cldb_code cldb_wreck_open(const char *path, uint32_t format, cldb_wreck **wreck, char **message);
void cldb_wreck_free(cldb_wreck *wreck);

// Gives the newest version of each key that can be read, in order, until `consume` is false. The value is NULL where the key was deleted. A version
// is certain when nothing that cannot be read could have a later one.
cldb_code cldb_wreck_read(const cldb_wreck *wreck,
                          bool (*consume)(void *context, const void *key, size_t key_length,
                                          const void *value, size_t value_length, bool is_certain),
                          void *context, char **message);
// Whether a key that was not given may have been there.
bool cldb_wreck_may_lack(const cldb_wreck *wreck, const void *key, size_t length);
// The names of the files that cannot be read in part, or at all.
size_t cldb_wreck_damaged_count(const cldb_wreck *wreck);
const char *cldb_wreck_damaged_at(const cldb_wreck *wreck, size_t index);

// Gives a directory another name on its file system, or, with `exchanges`, lets two directories take
// each other's. In one step, which lasts when it returns. A database in it may be open: its files are
// reached through the directory. Without `exchanges`, a name that is taken is an error.
cldb_code cldb_rename(const char *from, const char *to, bool exchanges, char **message);

// Makes the name of a file or directory last, by whatever it came there: the directory that holds it is synced.
cldb_code cldb_sync_name(const char *path, char **message);

// Gives memory that was freed back to the system. An allocator that keeps an arena for each thread, as that of glibc does, keeps it otherwise
// until the thread frees more. Takes some milliseconds for 100 MB; does nothing with other allocators.
void cldb_give_back_memory(void);

// ---- Batches ------------------------------------------------------------------------------------

// NULL when there is no memory; every function accepts that.
cldb_batch *cldb_batch_create(void);
void cldb_batch_free(cldb_batch *batch);

// What breaks a limit is left out and remembered: cldb_write of the batch then fails.
void cldb_batch_put(cldb_batch *batch, const void *key, size_t key_length, const void *value,
                    size_t value_length);
void cldb_batch_delete(cldb_batch *batch, const void *key, size_t key_length);
void cldb_batch_clear(cldb_batch *batch);
// Whether the batch may be written with the space that is kept in reserve: for what frees space.
void cldb_batch_use_reserve(cldb_batch *batch, bool uses);
size_t cldb_batch_count(const cldb_batch *batch);
// A batch of which all was left out is not empty: writing it fails.
bool cldb_batch_is_empty(const cldb_batch *batch);
size_t cldb_batch_length(const cldb_batch *batch);

// ---- Iterators ----------------------------------------------------------------------------------

// The entry an iterator stands on. The pointers are good until it moves, while it is pinned.
typedef struct cldb_entry {
    const void *key;
    size_t key_length;
    const void *value;
    size_t value_length;
    bool valid;
} cldb_entry;

cldb_code cldb_iterator_create(cldb_database *database, bool fill_cache, cldb_iterator **iterator,
                               char **message);

// Must come before cldb_free of its database.
void cldb_iterator_free(cldb_iterator *iterator);

// Each move fills `entry`, all zero when there is no such entry. Damage found on the way is an
// error, whether or not LevelDB found another entry behind it.
cldb_code cldb_iterator_seek(cldb_iterator *iterator, const void *key, size_t key_length,
                             cldb_entry *entry, char **message);
cldb_code cldb_iterator_first(cldb_iterator *iterator, cldb_entry *entry, char **message);
cldb_code cldb_iterator_last(cldb_iterator *iterator, cldb_entry *entry, char **message);
// On an iterator that stands nowhere these two check its status and stay there.
cldb_code cldb_iterator_next(cldb_iterator *iterator, cldb_entry *entry, char **message);
cldb_code cldb_iterator_previous(cldb_iterator *iterator, cldb_entry *entry, char **message);
cldb_code cldb_iterator_status(cldb_iterator *iterator, char **message);

// Between these two the entry's pointers stay good: closing the database waits. Only the two
// functions below, and cldb_iterator_status, may be called on a pinned iterator.
cldb_code cldb_iterator_pin(cldb_iterator *iterator, char **message);
void cldb_iterator_unpin(cldb_iterator *iterator);

// Moves of a pinned iterator. They give CLDB_CLOSED as soon as somebody wants to close the
// database.
cldb_code cldb_iterator_next_pinned(cldb_iterator *iterator, cldb_entry *entry, char **message);
cldb_code cldb_iterator_previous_pinned(cldb_iterator *iterator, cldb_entry *entry, char **message);

// The order of keys: negative, zero or positive as the first is less, equal or greater.
static inline int32_t cldb_compare(const void *a, size_t a_length, const void *b, size_t b_length) {
    const size_t common = a_length < b_length ? a_length : b_length;
    const int result = common == 0 ? 0 : memcmp(a, b, common);
    if (result != 0) return result;
    return a_length < b_length ? -1 : a_length > b_length;
}

// ---- Faults, for tests --------------------------------------------------------------------------

typedef enum cldb_operation {
    CLDB_OPERATION_CREATE,
    CLDB_OPERATION_APPEND,
    CLDB_OPERATION_SYNC,
    CLDB_OPERATION_SYNC_DIRECTORY,
    CLDB_OPERATION_CLOSE,
    CLDB_OPERATION_RENAME,
    CLDB_OPERATION_REMOVE,
    CLDB_OPERATION_OPEN,
    CLDB_OPERATION_READ,
    CLDB_OPERATION_TRUNCATE,
    CLDB_OPERATION_SPACE,  // asking for the space that is free
    CLDB_OPERATION_LOCK,   // locking the directory that was opened
} cldb_operation;

typedef enum cldb_fault_action {
    CLDB_FAULT_COUNT,        // only count
    CLDB_FAULT_FAIL,         // fail with the error number
    CLDB_FAULT_SHORT_WRITE,  // an append: write half, then fail with the error number
    CLDB_FAULT_STALL,        // block until disarmed
    CLDB_FAULT_KILL,         // end the process as kill -9 does
} cldb_fault_action;

typedef struct cldb_fault {
    const char *path;  // databases whose path contains this
    const char *file;  // files whose name contains this; "" for all
    cldb_operation operation;
    cldb_fault_action action;
    int32_t error_number;
    uint64_t skip;   // matching operations that go well first
    uint64_t times;  // and then so many that do not; UINT64_MAX for all
} cldb_fault;

// Arms a fault for databases that are open or will be; costs one relaxed load per file operation
// while none is. Gives its number, never 0, or 0 when there is no memory.
uint64_t cldb_fault_arm(const cldb_fault *fault);
// How many matching operations there were since.
uint64_t cldb_fault_seen(uint64_t number);
void cldb_fault_disarm(uint64_t number);

#ifdef __cplusplus
}
#endif

#endif

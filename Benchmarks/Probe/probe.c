// Preloaded into the benchmark, counts what does not depend on the machine's mood: allocations, and
// blocks of LevelDB's files that were decompressed because no cache had them. Under callgrind it
// also marks where an operation begins and ends.
//   cc -O2 -shared -fPIC probe.c -o probe.so -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_ZERO_STATS
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

static _Atomic uint64_t allocations, blocks;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

typedef bool (*uncompress_function)(const char *, size_t, char *);

// snappy::RawUncompress(const char*, size_t, char*), which LevelDB calls for each compressed block
// it reads.
bool uncompress(const char *from, size_t length, char *to) __asm__("_ZN6snappy13RawUncompressEPKcmPc");
bool uncompress(const char *from, size_t length, char *to) {
    static _Atomic(uncompress_function) next;
    uncompress_function function = atomic_load(&next);
    if (!function) {
        function = (uncompress_function)dlsym(RTLD_NEXT, "_ZN6snappy13RawUncompressEPKcmPc");
        atomic_store(&next, function);
    }
    atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    return function(from, length, to);
}

uint64_t probe_allocations(void) { return atomic_load(&allocations); }

uint64_t probe_blocks(void) { return atomic_load(&blocks); }

uint64_t probe_heap(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

void probe_begin(void) { CALLGRIND_ZERO_STATS; }

void probe_end(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }

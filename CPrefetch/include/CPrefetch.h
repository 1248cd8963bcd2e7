// A hint to the processor that Swift has no word for.

#ifndef CPREFETCH_H
#define CPREFETCH_H

// Has the cache line of `address` fetched, soon to be read. Nothing waits for it; any address may be given.
static inline void cprefetch_read(const void *address) {
    __builtin_prefetch(address, 0, 3);
}

#endif

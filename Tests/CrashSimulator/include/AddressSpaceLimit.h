// For tests in processes of their own that may use little memory.

#ifndef ADDRESS_SPACE_LIMIT_H
#define ADDRESS_SPACE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Limits the address space of this process, and has its threads share what the allocator of glibc
// sets aside: 64 MB for each thread otherwise, used or not. False where this cannot be done.
bool address_space_limit(uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif

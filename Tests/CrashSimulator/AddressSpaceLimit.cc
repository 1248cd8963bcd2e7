#include "AddressSpaceLimit.h"

#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

bool address_space_limit(uint64_t bytes) {
#ifdef __GLIBC__
    if (mallopt(M_ARENA_MAX, 2) == 0) return false;
#endif
    const rlimit limits = {static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    return setrlimit(RLIMIT_AS, &limits) == 0;
}

#include "CLevelDB.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

extern "C" void cldb_give_back_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

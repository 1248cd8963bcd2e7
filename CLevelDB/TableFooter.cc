#include "TableFooter.h"

#include <string.h>

#include "Varint.h"

namespace cldb {

bool IsTableFooter(leveldb::Slice footer, uint64_t file_size) {
    static const char kMagic[] = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
    if (footer.size() != kTableFooterSize || file_size < kTableFooterSize ||
        memcmp(footer.data() + kTableFooterSize - 8, kMagic, 8) != 0) {
        return false;
    }
    const uint64_t limit = file_size - kTableFooterSize;
    leveldb::Slice handles(footer.data(), kTableFooterSize - 8);
    // Of the index of metadata and the index of blocks.
    for (int handle = 0; handle < 2; handle++) {
        uint64_t offset, size;
        if (!TakeVarint(&handles, &offset) || !TakeVarint(&handles, &size)) return false;
        if (offset > limit || size > limit - offset) return false;
    }
    return true;
}

}  // namespace cldb

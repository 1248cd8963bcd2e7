// Numbers as LevelDB stores them with variable length: seven bits a byte, the lowest first.

#pragma once

#include <stdint.h>

#include "leveldb/slice.h"

namespace cldb {

// Takes a number from the front of `input`. False when it is cut off or longer than 64 bits.
inline bool TakeVarint(leveldb::Slice* input, uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift <= 63 && !input->empty(); shift += 7) {
        const auto byte = static_cast<uint8_t>((*input)[0]);
        input->remove_prefix(1);
        *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

}  // namespace cldb

// Numbers as LevelDB stores them, with variable length: seven bits a byte, the lowest first; or with a fixed one, the lowest byte first.

#pragma once

#include <stdint.h>

#include <string>

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

inline void AppendVarint(std::string* output, uint64_t value) {
    for (; value >= 0x80; value >>= 7) output->push_back(static_cast<char>(value | 0x80));
    output->push_back(static_cast<char>(value));
}

inline uint64_t Fixed64(const char* bytes) {
    uint64_t value = 0;
    for (int index = 7; index >= 0; index--) value = value << 8 | static_cast<uint8_t>(bytes[index]);
    return value;
}

inline uint32_t Fixed32(const char* bytes) {
    uint32_t value = 0;
    for (int index = 3; index >= 0; index--) value = value << 8 | static_cast<uint8_t>(bytes[index]);
    return value;
}

inline void AppendFixed32(std::string* output, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) output->push_back(static_cast<char>(value >> shift));
}

}  // namespace cldb

// The checksum of LevelDB's logs.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace cldb {

// CRC-32C of bytes that follow those which gave `checksum` (0 for none).
uint32_t ExtendChecksum(uint32_t checksum, const char* bytes, size_t length);

// A checksum as LevelDB stores it: rotated and shifted, so that data which contains checksums is no
// special case.
inline uint32_t MaskedChecksum(uint32_t checksum) {
    return ((checksum >> 15) | (checksum << 17)) + 0xa282ead8u;
}

}  // namespace cldb

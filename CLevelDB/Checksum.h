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

inline uint32_t UnmaskedChecksum(uint32_t masked) {
    const uint32_t rotated = masked - 0xa282ead8u;
    return (rotated >> 17) | (rotated << 15);
}

// Whether bytes whose checksum differs by `difference` from the right one, so many of them, may be
// right but for one bit.
bool IsOneBitOff(uint32_t difference, size_t length);

}  // namespace cldb

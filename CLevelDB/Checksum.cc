#include "Checksum.h"

#include <array>

namespace cldb {

namespace {

constexpr std::array<uint32_t, 256> MakeTable() {
    std::array<uint32_t, 256> table{};
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        // Castagnoli's polynomial, its bits reversed.
        for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ ((value & 1) ? 0x82f63b78u : 0);
        table[byte] = value;
    }
    return table;
}

constexpr std::array<uint32_t, 256> kTable = MakeTable();

}  // namespace

uint32_t ExtendChecksum(uint32_t checksum, const char* bytes, size_t length) {
    uint32_t value = ~checksum;
    for (size_t index = 0; index < length; index++) {
        value = kTable[(value ^ static_cast<uint8_t>(bytes[index])) & 0xff] ^ (value >> 8);
    }
    return ~value;
}

// Checksums are linear: a changed bit changes them by what the bit and the bytes behind it give.
bool IsOneBitOff(uint32_t difference, size_t length) {
    std::array<uint32_t, 8> changes;
    for (int bit = 0; bit < 8; bit++) changes[static_cast<size_t>(bit)] = kTable[1u << bit];
    for (size_t index = 0; index < length; index++) {
        for (uint32_t& change : changes) {
            if (change == difference) return true;
            change = kTable[change & 0xff] ^ (change >> 8);
        }
    }
    return false;
}

}  // namespace cldb

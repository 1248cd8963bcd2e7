#include "BlockSearch.h"

#include <algorithm>
#include <array>
#include <utility>

#include "Checksum.h"
#include "Varint.h"

namespace cldb {

namespace {

// What is in memory besides the bytes is eight times as much.
constexpr size_t kLongestSearch = 64 << 20;

// LevelDB knows two: plain and compressed.
bool IsBlockType(char byte) { return byte == 0 || byte == 1; }

// Checksums of all stretches of some bytes at once.
//
// The register of the checksum after a byte is linear in the register before. Let Z be what a zero byte makes of it, and P(n) the
// register after n bytes, from 0. A checksum that begins at i has the register P(n) + Zⁿ⁻ⁱ(P(i) + 1…1) after byte n. It is the
// stored one, S, where Z⁻ⁿ(P(n) + S) = Z⁻ⁱ(P(i) + 1…1): the left side depends on the end alone, the right side on the beginning.
class Registers {
  public:
    Registers() {
        for (uint32_t byte = 0; byte < 256; byte++) {
            // The register is the complement of the checksum.
            after_zero_[byte] = ~ExtendChecksum(~byte, "", 1);
            from_top_[after_zero_[byte] >> 24] = byte;
        }
        for (int bit = 0; bit < 32; bit++) back_[static_cast<size_t>(bit)] = 1u << bit;
    }

    // Takes one more byte.
    void Take(char byte) {
        register_ = after_zero_[(register_ ^ static_cast<uint8_t>(byte)) & 0xff] ^ (register_ >> 8);
        for (uint32_t& column : back_) column = BeforeZero(column);
    }

    uint32_t OfBeginning() const { return Back(register_ ^ ~0u); }
    uint32_t OfEnd(uint32_t checksum) const { return Back(register_ ^ ~checksum); }

  private:
    uint32_t BeforeZero(uint32_t value) const {
        const uint32_t low = from_top_[value >> 24];
        return ((value ^ after_zero_[low]) << 8) | low;
    }

    uint32_t Back(uint32_t value) const {
        uint32_t result = 0;
        for (uint32_t column : back_) {
            if (value & 1) result ^= column;
            value >>= 1;
        }
        return result;
    }

    uint32_t register_ = 0;
    std::array<uint32_t, 256> after_zero_, from_top_;
    // What each bit becomes of the zero bytes so far, taken back.
    std::array<uint32_t, 32> back_;
};

}  // namespace

bool FindBlockAt(leveldb::Slice bytes, uint64_t start, BlockPlace* place) {
    uint32_t checksum = 0;
    for (uint64_t end = start; end + kBlockTrailerSize <= bytes.size(); end++) {
        checksum = ExtendChecksum(checksum, bytes.data() + end, 1);
        if (IsBlockType(bytes[end]) && MaskedChecksum(checksum) == Fixed32(bytes.data() + end + 1)) {
            *place = {start, end - start};
            return true;
        }
    }
    return false;
}

std::vector<BlockPlace> FindBlocks(leveldb::Slice bytes, uint64_t start) {
    std::vector<BlockPlace> found;
    if (start > bytes.size() || bytes.size() - start > kLongestSearch) return found;
    using Place = std::pair<uint32_t, uint64_t>;
    std::vector<Place> beginnings, ends;
    Registers registers;
    for (uint64_t place = start; place + kBlockTrailerSize <= bytes.size(); place++) {
        beginnings.emplace_back(registers.OfBeginning(), place);
        registers.Take(bytes[place]);
        if (!IsBlockType(bytes[place])) continue;
        const uint32_t stored = UnmaskedChecksum(Fixed32(bytes.data() + place + 1));
        ends.emplace_back(registers.OfEnd(stored), place);
    }
    std::sort(beginnings.begin(), beginnings.end());
    for (const Place& end : ends) {
        auto begin = std::lower_bound(beginnings.begin(), beginnings.end(), Place(end.first, 0));
        for (; begin != beginnings.end() && begin->first == end.first && begin->second <= end.second;
             begin++) {
            found.push_back({begin->second, end.second - begin->second});
        }
    }
    std::sort(found.begin(), found.end(), [](const BlockPlace& a, const BlockPlace& b) {
        return std::make_pair(a.offset, a.size) < std::make_pair(b.offset, b.size);
    });
    return found;
}

}  // namespace cldb

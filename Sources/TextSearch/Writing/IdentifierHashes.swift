/// A set of identifiers by 32 bits of their hashes: one look at it mostly tells that an identifier
/// is not among thousands.
///
/// **Memory**: 8 bytes for each, up to 16.
struct IdentifierHashes: Sendable {
    /// Open addressing by the highest bits, at most half full; 0 for an empty slot.
    private var slots: [UInt32] = []
    private var count = 0

    /// Whether an identifier with this hash may be among them; false where it is not.
    func mayContain(_ hash: UInt64) -> Bool {
        if count == 0 { return false }
        let mark = Self.mark(hash)
        return slots.withUnsafeBufferPointer { $0[Self.slot(of: mark, in: $0)] == mark }
    }

    /// Complexity: linear in the hashes, taken over many calls.
    mutating func insert(_ hashes: borrowing Buffer<UInt64>) {
        reserve(hashes.count)
        slots.withUnsafeMutableBufferPointer { slots in
            for number in 0..<hashes.count {
                let mark = Self.mark(hashes[number])
                let slot = Self.slot(of: mark, in: UnsafeBufferPointer(slots))
                if slots[slot] == 0 { count += 1 }
                slots[slot] = mark
            }
        }
    }

    private mutating func reserve(_ additional: Int) {
        var size = max(slots.count, 64)
        while size < 2 * (count + additional) { size *= 2 }
        guard size > slots.count else { return }
        let old = slots
        slots = [UInt32](repeating: 0, count: size)
        slots.withUnsafeMutableBufferPointer { slots in
            for mark in old where mark != 0 {
                slots[Self.slot(of: mark, in: UnsafeBufferPointer(slots))] = mark
            }
        }
    }

    private static func mark(_ hash: UInt64) -> UInt32 {
        max(UInt32(truncatingIfNeeded: hash >> 32), 1)
    }

    /// Where a mark is, or the empty slot that it would come to.
    @inline(__always)
    private static func slot(of mark: UInt32, in slots: UnsafeBufferPointer<UInt32>) -> Int {
        let bits = slots.count.trailingZeroBitCount
        var index = bits >= 32 ? Int(mark) : Int(mark) >> (32 - bits)
        while slots[index] != 0, slots[index] != mark { index = (index + 1) & (slots.count - 1) }
        return index
    }
}

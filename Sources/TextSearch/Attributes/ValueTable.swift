/// Distinct values in their column form, numbered in the order in which they came.
struct ValueTable: ~Copyable {
    private var bytes = Buffer<UInt8>(capacity: 64)
    /// Where each value ends in `bytes`.
    private var ends = Buffer<Int>(capacity: 8)
    /// Numbers of values plus one, by hash; 0 where there is none.
    private var slots = Buffer<UInt32>(repeating: 0, count: 16)

    var count: Int { ends.count }

    /// Of memory.
    var byteCount: Int { bytes.byteCount + ends.byteCount + slots.byteCount }

    /// How many bytes the values have together.
    var valueByteCount: Int { bytes.count }

    /// The number of a value, which is added where it is new.
    mutating func number(of value: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: Self.hash(value)) & mask
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            if withBytes(of: Int(number), { TermOrder.compare($0, value) }) == 0 { return number }
            slot = (slot + 1) & mask
        }
        let number = UInt32(ends.count)
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
        slots[slot] = number + 1
        if ends.count * 2 > slots.count { grow() }
        return number
    }

    @inline(__always)
    borrowing func withBytes<R>(
        of number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        let start = number == 0 ? 0 : ends[number - 1]
        let end = ends[number]
        return bytes.withElements { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    /// The numbers in the order of the values' bytes.
    borrowing func sorted() -> [UInt32] {
        (0..<UInt32(count)).sorted { a, b in
            withBytes(of: Int(a)) { a in
                withBytes(of: Int(b)) { TermOrder.compare(a, $0) < 0 }
            }
        }
    }

    /// Gives back what only adding takes; nothing may be added any more.
    mutating func seal() {
        slots = Buffer(capacity: 1)
        bytes.trim()
        ends.trim()
    }

    mutating func removeAll() {
        bytes.removeAll()
        ends.removeAll()
        slots = Buffer(repeating: 0, count: 16)
    }

    private mutating func grow() {
        let mask = slots.count * 2 - 1
        var larger = Buffer<UInt32>(repeating: 0, count: mask + 1)
        for number in 0..<ends.count {
            var slot = Int(truncatingIfNeeded: withBytes(of: number) { Self.hash($0) }) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = UInt32(number) + 1
        }
        slots = larger
    }

    private static func hash(_ value: UnsafeBufferPointer<UInt8>) -> UInt64 {
        HashSeed.process.hash(value)
    }
}

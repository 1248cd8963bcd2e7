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
        let slot = slot(of: value)
        if slots[slot] != 0 { return slots[slot] - 1 }
        let number = UInt32(ends.count)
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
        slots[slot] = number + 1
        if ends.count * 2 > slots.count { grow() }
        return number
    }

    /// The number of a value that is there.
    private borrowing func find(_ value: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let number = slots[slot(of: value)]
        return number == 0 ? nil : number - 1
    }

    /// Where the number of a value is, or would be.
    private borrowing func slot(of value: UnsafeBufferPointer<UInt8>) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: Self.hash(value)) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot] - 1)
            if withBytes(of: number, { TermOrder.compare($0, value) }) == 0 { break }
            slot = (slot + 1) & mask
        }
        return slot
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
        // Most differ in the first bytes, which are read once.
        var entries = (0..<UInt32(count)).map { number in
            (prefix: withBytes(of: Int(number)) { TermOrder.prefix($0) }, number: number)
        }
        entries.sort { a, b in
            a.prefix != b.prefix ? a.prefix < b.prefix : precedes(a.number, b.number)
        }
        return entries.map(\.number)
    }

    /// The numbers in the order of the values; and the first place of an equal value for each
    /// place, where some are equal that are different bytes.
    ///
    /// Complexity: n log n for n values.
    ///
    /// - Throws: `SearchEnded` when the time is over.
    borrowing func inOrder(_ clock: SearchClock) throws -> (numbers: [UInt32], equals: [UInt32]?) {
        guard (0..<count).contains(where: { withBytes(of: $0) { Self.isString($0) } }) else {
            return (try sorted(clock), nil)
        }
        // What compares are the keys of texts.
        var composed = ValueTable()
        var keys = CollationKeys()
        var key: [UInt8] = []
        for number in 0..<count {
            if number & 0xff == 0 { try clock.work(1_024) }
            withBytes(of: number) { bytes in
                guard Self.isString(bytes) else { return composed.append(bytes) }
                key.removeAll(keepingCapacity: true)
                key.append(ColumnValue.Kind.string.rawValue)
                let text = UnsafeBufferPointer(rebasing: bytes.dropFirst())
                if text.allSatisfy({ $0 < 0x80 }) {
                    keys.append(ascii: text, to: &key)
                } else {
                    keys.append(String(decoding: text, as: UTF8.self), to: &key)
                }
                key.withUnsafeBufferPointer { composed.append($0) }
            }
        }
        let numbers = try composed.sorted(clock)
        var equals = [UInt32](0..<UInt32(count))
        var hasEquals = false
        for place in numbers.indices.dropFirst()
        where composed.compare(numbers[place - 1], numbers[place]) == 0 {
            equals[place] = equals[place - 1]
            hasEquals = true
        }
        return (numbers, hasEquals ? equals : nil)
    }

    /// A value's first bytes, by which most are told apart, and its number.
    private struct Entry: BitwiseCopyable {
        var prefix: UInt64
        var number: UInt32
    }

    private borrowing func sorted(_ clock: SearchClock) throws -> [UInt32] {
        var entries = (0..<UInt32(count)).map { number in
            Entry(prefix: withBytes(of: Int(number)) { TermOrder.prefix($0) }, number: number)
        }
        let work = MatchWork(clock: clock, needsAll: true, countsMemory: false)
        let isDone = try entries.withUnsafeMutableBufferPointer { entries in
            try work.sort(entries) { a, b in
                if a.prefix != b.prefix { return a.prefix < b.prefix }
                let order = compare(a.number, b.number)
                return order != 0 ? order < 0 : a.number < b.number
            }
        }
        guard isDone else { throw SearchEnded() }
        return entries.map(\.number)
    }

    /// Adds a value without a look whether it is there.
    private mutating func append(_ value: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
    }

    /// The numbers of those that are no numbers: of numbers, and of dates.
    borrowing func notNumbers() -> [UInt32] {
        [ColumnValue.Kind.number, .date].compactMap { kind in
            var value = Buffer<UInt8>()
            ColumnValue.append(.nan, kind, to: &value)
            return value.withElements { find($0) }
        }
    }

    private static func isString(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        value.first == ColumnValue.Kind.string.rawValue
    }

    private borrowing func precedes(_ a: UInt32, _ b: UInt32) -> Bool { compare(a, b) < 0 }

    private borrowing func compare(_ a: UInt32, _ b: UInt32) -> Int {
        withBytes(of: Int(a)) { a in
            withBytes(of: Int(b)) { TermOrder.compare(a, $0) }
        }
    }

    /// Gives the values other numbers: each that of its place in `order`. Nothing may be added any
    /// more.
    mutating func arrange(_ order: [UInt32]) {
        var moved = Buffer<UInt8>(capacity: bytes.count)
        var movedEnds = Buffer<Int>(capacity: ends.count)
        for number in order {
            withBytes(of: Int(number)) { moved.append(contentsOf: $0) }
            movedEnds.append(moved.count)
        }
        slots = Buffer(capacity: 1)
        bytes = moved
        ends = movedEnds
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

/// What a decoder throws when stored bytes are not what an encoder writes.
///
/// The storage layer turns it into ``TextIndexError/Code/corrupted`` with the place.
struct MalformedData: Error {}

extension Buffer where Element == UInt8 {
    /// Appends a variable-length integer, seven bits a byte, low bits first (LEB128).
    @inline(__always)
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    mutating func appendVarint(_ value: Int) { appendVarint(UInt64(value)) }

    /// Appends an integer with its most significant byte first, so that byte order is number order.
    @inline(__always)
    mutating func appendBigEndian(_ value: UInt32) {
        append(UInt8(truncatingIfNeeded: value >> 24))
        append(UInt8(truncatingIfNeeded: value >> 16))
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    mutating func appendLittleEndian(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    mutating func append(bytes: UnsafeRawBufferPointer) {
        append(contentsOf: bytes.bindMemory(to: UInt8.self))
    }

    mutating func append(bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends the length of `bytes` and then `bytes`.
    mutating func appendPrefixed(_ bytes: [UInt8]) {
        appendVarint(bytes.count)
        append(bytes: bytes)
    }

    /// Appends what is stored as the length of the beginning that it shares with the value before,
    /// and its rest. The value before begins at `previous` and ends where this one begins.
    @inline(__always)
    mutating func appendRest(
        _ reader: inout ByteReader, after previous: Int
    ) throws(MalformedData) {
        let shared = try reader.varint(atMost: count - previous)
        for place in previous..<(previous + shared) { append(self[place]) }
        append(bytes: try reader.prefixed())
    }

    borrowing func toArray() -> [UInt8] { withElements { Array($0) } }

    @inline(__always)
    borrowing func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withElements { (elements) throws(E) in try body(UnsafeRawBufferPointer(elements)) }
    }
}

/// Reads encoded values one after the other, never past the end.
///
/// **Lifetime**: valid as long as the bytes it was made over; make it inside the closure that lends
/// them.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MalformedData) {
        guard offset >= 0, offset <= bytes.count else { throw MalformedData() }
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset == bytes.count }
    var remaining: Int { bytes.count - offset }

    @inline(__always)
    mutating func byte() throws(MalformedData) -> UInt8 {
        guard offset < bytes.count else { throw MalformedData() }
        defer { offset &+= 1 }
        return bytes[offset]
    }

    @inline(__always)
    mutating func varint() throws(MalformedData) -> UInt64 {
        var result = UInt64(try byte())
        if result < 0x80 { return result }
        result &= 0x7f
        var shift: UInt64 = 7
        while true {
            let next = UInt64(try byte())
            guard shift < 63 || next <= 1 else { throw MalformedData() }
            result |= (next & 0x7f) << shift
            if next < 0x80 { return result }
            shift &+= 7
            guard shift <= 63 else { throw MalformedData() }
        }
    }

    /// The next eight bytes, the first one lowest, which are not passed over; nil where there are
    /// fewer.
    var nextWord: UInt64? {
        @inline(__always)
        get {
            guard remaining >= 8 else { return nil }
            return UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }

    /// The next eight bytes, the first one lowest, which are not passed over; zeros stand for those
    /// behind the end.
    var paddedWord: UInt64 {
        @inline(__always)
        get {
            if let word = nextWord { return word }
            var word: UInt64 = 0
            for place in 0..<remaining {
                word |= UInt64(bytes[offset + place]) << UInt64(8 * place)
            }
            return word
        }
    }

    /// Passes over some bytes of `nextWord`.
    @inline(__always)
    mutating func skip(ofWord count: Int) throws(MalformedData) {
        guard count >= 0, count <= remaining else { throw MalformedData() }
        offset &+= count
    }

    /// Reads as many varints of 32 bits as there is room for, in a word of memory as many as are
    /// whole in it.
    @inline(__always)
    mutating func readVarints(
        into values: UnsafeMutableBufferPointer<UInt32>
    ) throws(MalformedData) {
        var place = 0
        while place < values.count {
            let start = place
            if var word = nextWord {
                var size = 0
                // Four have two bytes each at most.
                let end = min(place &+ 4, values.count)
                while place < end, word & 0x8080 != 0x8080 {
                    let hasSecond = word >> 7 & 1
                    values[place] = UInt32(
                        truncatingIfNeeded: word & 0x7f | word >> 1 & 0x3f80 & (0 &- hasSecond))
                    word >>= 8 &+ 8 &* hasSecond
                    size &+= 1 &+ Int(truncatingIfNeeded: hasSecond)
                    place &+= 1
                }
                try skip(ofWord: size)
            }
            if place == start {
                values[place] = try uint32()
                place &+= 1
            }
        }
    }

    /// Passes over varints; a word at a time, as each of them has one byte below 0x80, its last.
    mutating func skipVarints(_ count: Int) throws(MalformedData) {
        var left = count
        while left > 0, remaining >= 8 {
            // The highest bit of each last byte.
            var ends =
                ~bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                & 0x8080_8080_8080_8080
            let endCount = Int(truncatingIfNeeded: ((ends >> 7) &* 0x0101_0101_0101_0101) >> 56)
            if endCount < left {
                left &-= endCount
                offset &+= 8
                continue
            }
            for _ in 1..<left { ends &= ends &- 1 }
            offset &+= ends.trailingZeroBitCount >> 3 &+ 1
            return
        }
        while left > 0 { if try byte() < 0x80 { left &-= 1 } }
    }

    /// A varint that is at most `limit`: a count or a length, checked before anything is sized by
    /// it.
    @inline(__always)
    mutating func varint(atMost limit: Int) throws(MalformedData) -> Int {
        let value = try varint()
        guard value <= UInt64(limit) else { throw MalformedData() }
        return Int(value)
    }

    @inline(__always)
    mutating func uint32() throws(MalformedData) -> UInt32 {
        let value = try varint()
        guard value <= UInt64(UInt32.max) else { throw MalformedData() }
        return UInt32(truncatingIfNeeded: value)
    }

    mutating func bigEndian32() throws(MalformedData) -> UInt32 {
        guard remaining >= 4 else { throw MalformedData() }
        defer { offset += 4 }
        return UInt32(
            bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    mutating func littleEndian64() throws(MalformedData) -> UInt64 {
        guard remaining >= 8 else { throw MalformedData() }
        defer { offset += 8 }
        return UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The next `count` bytes, lent.
    @inline(__always)
    mutating func slice(_ count: Int) throws(MalformedData) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw MalformedData() }
        defer { offset &+= count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset &+ count)])
    }

    mutating func prefixed() throws(MalformedData) -> UnsafeRawBufferPointer {
        try slice(try varint(atMost: remaining))
    }
}

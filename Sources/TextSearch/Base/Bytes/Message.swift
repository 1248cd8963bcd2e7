/// Writes values that ``MessageReader`` reads in the same order: what processes of one version say
/// to each other.
///
/// Numbers are varints (LEB128) of their 64 bits; floating-point numbers their 64 bits, the low
/// byte first; texts and bytes have their length before them.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: about how many bytes will be written.
    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    package mutating func write(byte: UInt8) { bytes.append(byte) }

    package mutating func write(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func write(_ number: Double) { write(word: number.bitPattern) }

    package mutating func write(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
    }

    package mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes += text.utf8
    }

    package mutating func write(_ other: some Collection<UInt8>) {
        write(other.count)
        bytes += other
    }

    /// Writes bytes without their length: what is read to the end.
    package mutating func write(rest: some Collection<UInt8>) { bytes += rest }
}

/// What is thrown for bytes that are no message, or end too early.
package struct MalformedMessage: Error {
    package init() {}
}

/// Reads what a ``MessageWriter`` wrote, never past the end.
package struct MessageReader {
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    package var remaining: Int { bytes.endIndex - place }
    package var isAtEnd: Bool { remaining == 0 }

    /// What is left.
    package var rest: ArraySlice<UInt8> { bytes[place...] }

    package mutating func byte() throws(MalformedMessage) -> UInt8 {
        guard place < bytes.endIndex else { throw MalformedMessage() }
        defer { place += 1 }
        return bytes[place]
    }

    package mutating func number() throws(MalformedMessage) -> Int {
        var result: UInt = 0
        var shift: UInt = 0
        while true {
            let next = UInt(try byte())
            guard shift < 63 || next <= 1 else { throw MalformedMessage() }
            result |= (next & 0x7f) << shift
            if next < 0x80 { return Int(bitPattern: result) }
            shift += 7
        }
    }

    /// A number of things that take so many bytes each at least: checked before anything is sized
    /// by it.
    package mutating func count(ofAtLeast size: Int = 1) throws(MalformedMessage) -> Int {
        let count = try number()
        guard count >= 0, count <= remaining / max(size, 1) else { throw MalformedMessage() }
        return count
    }

    package mutating func word() throws(MalformedMessage) -> UInt64 {
        guard remaining >= 8 else { throw MalformedMessage() }
        var word: UInt64 = 0
        for shift in 0..<8 { word |= UInt64(bytes[place + shift]) << UInt64(8 * shift) }
        place += 8
        return word
    }

    package mutating func double() throws(MalformedMessage) -> Double {
        Double(bitPattern: try word())
    }

    package mutating func slice() throws(MalformedMessage) -> ArraySlice<UInt8> {
        let count = try count()
        defer { place += count }
        return bytes[place..<(place + count)]
    }

    package mutating func text() throws(MalformedMessage) -> String {
        guard let text = String(validating: try slice(), as: UTF8.self) else {
            throw MalformedMessage()
        }
        return text
    }
}

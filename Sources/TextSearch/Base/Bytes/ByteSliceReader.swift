/// Reads stored bytes front to back without ever reading past their end.
///
/// Every method checks its bounds and throws ``Malformed``; none traps, whatever the bytes are.
struct ByteSliceReader {
    /// What the bytes turned out to be, and where.
    struct Malformed: Error, Hashable {
        enum Reason: Hashable { case truncated, badLength, badTag, badText, tooDeep, overflow }

        let reason: Reason
        /// The offset of the offending byte from the start of the slice.
        let offset: Int
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    /// How many bytes have been read.
    var offset: Int { position - bytes.startIndex }

    /// How many bytes are left.
    var remaining: Int { bytes.endIndex - position }

    func malformed(_ reason: Malformed.Reason) -> Malformed {
        Malformed(reason: reason, offset: offset)
    }

    mutating func readByte() throws(Malformed) -> UInt8 {
        guard position < bytes.endIndex else { throw malformed(.truncated) }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads `count` bytes.
    mutating func readBytes(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw malformed(.badLength) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads seven bits a byte, lowest first, a set high bit meaning that more follow.
    mutating func readVarint() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try readByte()
            // The tenth byte has room for one bit.
            guard shift < 63 || byte <= 1 else { throw malformed(.overflow) }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            guard shift < 70 else { throw malformed(.overflow) }
        }
    }

    /// Reads a length that cannot be more than what is left.
    mutating func readLength() throws(Malformed) -> Int {
        let value = try readVarint()
        guard let length = Int(exactly: value), length <= remaining else {
            throw malformed(.badLength)
        }
        return length
    }

    /// Reads a length and that many bytes of valid UTF-8.
    mutating func readString() throws(Malformed) -> String {
        let length = try readLength()
        let start = malformed(.badText)
        guard let string = String(validating: try readBytes(length), as: UTF8.self) else {
            throw start
        }
        return string
    }

    /// Reads eight bytes, lowest first.
    mutating func readFixed64() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in try readBytes(8) {
            value |= UInt64(byte) << shift
            shift += 8
        }
        return value
    }
}

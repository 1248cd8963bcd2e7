/// Decodes the UTF-8 of a term one character at a time, without allocating.
///
/// Terms are valid UTF-8; should one not be, each stray byte counts as U+FFFD, and nothing is read
/// past the end.
struct TermScalars {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int

    /// The pointer must stay valid as long as this value is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    mutating func next() -> UInt32? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        if first < 0x80 {
            position += 1
            return UInt32(first)
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard length > 1, bytes.count - position >= length else {
            position += 1
            return 0xFFFD
        }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            let byte = bytes[position + offset]
            guard byte & 0xC0 == 0x80 else {
                position += 1
                return 0xFFFD
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        position += length
        return value
    }
}

/// Runs of ASCII letters, eight at a time in one machine word.
enum ASCIILetters {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Writes the small letters of a run that begins at `start` to `output`, which has room for the
    /// longest term and eight bytes more, and returns how many they are. It stops early near the
    /// end of the text or of a term: what it leaves is for the table.
    @inline(__always)
    static func fold(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int,
        to output: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        let room = UnsafeMutableRawPointer(output)
        var count = 0
        while start &+ count &+ 8 <= bytes.count, count &+ 8 <= TermTable.maximumTermLength {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(
                    fromByteOffset: start &+ count, as: UInt64.self))
            let small = word | 0x20 &* ones
            room.storeBytes(
                of: small.littleEndian, toByteOffset: count, as: UInt64.self)
            let letters = letterCount(word, small)
            count &+= letters
            if letters < 8 { break }
        }
        return count
    }

    /// How many letters `word` begins with; `small` has the bit set in which small and capital
    /// letters differ.
    ///
    /// A carry out of a byte beyond ASCII reaches only the bytes behind it, which no longer count.
    @inline(__always)
    private static func letterCount(_ word: UInt64, _ small: UInt64) -> Int {
        let fromA = small &+ UInt64(0x80 - 0x61) &* ones
        let behindZ = small &+ UInt64(0x80 - 0x7b) &* ones
        let others = ~(fromA & ~behindZ & ~word) & highBits
        return others.trailingZeroBitCount >> 3
    }
}

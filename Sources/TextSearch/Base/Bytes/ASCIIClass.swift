/// The word-break classes of the ASCII characters (UAX #29), and their lower-case forms.
///
/// The fast path of the scanner decides every boundary between two ASCII characters with these;
/// whatever touches a byte of 0x80 or more goes to the general word breaker.
enum ASCIIClass {
    static let other: UInt8 = 0
    static let letter: UInt8 = 1
    static let digit: UInt8 = 2
    static let extendNumLet: UInt8 = 3
    static let midLetter: UInt8 = 4
    static let midNum: UInt8 = 5
    static let midNumLet: UInt8 = 6
    static let beyond: UInt8 = 7

    /// One table for both questions: class in the low half, lower-case form in the high half.
    static let table: [UInt16] = (0..<256).map { byte in
        let character = UInt8(byte)
        let lower = (0x41...0x5a).contains(character) ? character + 32 : character
        return UInt16(classify(character)) | UInt16(lower) << 8
    }

    private static func classify(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x41...0x5a, 0x61...0x7a: letter
        case 0x30...0x39: digit
        case 0x5f: extendNumLet
        case 0x3a: midLetter
        case 0x2c, 0x3b: midNum
        case 0x27, 0x2e: midNumLet
        case 0x80...0xff: beyond
        default: other
        }
    }
}

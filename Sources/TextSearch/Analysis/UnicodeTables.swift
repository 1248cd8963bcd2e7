import Foundation

/// Properties and folds of Unicode scalars, from the generated tables.
///
/// **Thread safety**: immutable.
final class UnicodeTables: Sendable {
    /// Decoded once, when first asked for.
    static let shared = UnicodeTables()

    private let propertyBlocks: [UInt16]
    private let propertyValues: [UInt8]
    private let records: [ScalarProperties]
    private let foldBlocks: [UInt16]
    private let foldValues: [UInt16]
    private let foldPool: [UInt32]
    private let compositions: [UInt64: UInt32]

    private init() {
        propertyBlocks = Self.decode(UnicodeData.propertyBlocks)
        propertyValues = Self.decode(UnicodeData.propertyValues)
        let bytes: [UInt8] = Self.decode(UnicodeData.propertyRecords)
        records = stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            ScalarProperties(
                wordBreak: WordBreakClass(rawValue: bytes[start]) ?? .other,
                graphemeBreak: GraphemeBreakClass(rawValue: bytes[start + 1]) ?? .other,
                combiningClass: bytes[start + 2], flags: bytes[start + 3])
        }
        foldBlocks = Self.decode(UnicodeData.foldBlocks)
        foldValues = Self.decode(UnicodeData.foldValues)
        foldPool = Self.decode(UnicodeData.foldPool)
        let triples: [UInt32] = Self.decode(UnicodeData.compositions)
        var compositions: [UInt64: UInt32] = [:]
        for start in stride(from: 0, to: triples.count - 2, by: 3) {
            compositions[UInt64(triples[start]) << 32 | UInt64(triples[start + 1])] =
                triples[start + 2]
        }
        self.compositions = compositions
    }

    private static func decode<Number: FixedWidthInteger>(_ text: String) -> [Number] {
        // The generator's own output; a test reads every table.
        let data = Data(base64Encoded: text) ?? Data()
        let size = MemoryLayout<Number>.size
        return data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - size + 1, by: size).map {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Number.self))
            }
        }
    }

    /// The properties of a scalar; numbers beyond Unicode have none.
    @inline(__always)
    func properties(_ scalar: UInt32) -> ScalarProperties {
        let block = Int(scalar >> 7)
        guard block < propertyBlocks.count else { return ScalarProperties() }
        return records[
            Int(propertyValues[Int(propertyBlocks[block]) << 7 | Int(scalar & 127)])]
    }

    /// The place in the pool of what a scalar folds to; 0 for itself.
    @inline(__always)
    func foldPlace(_ scalar: UInt32) -> Int {
        let block = Int(scalar >> 7)
        guard block < foldBlocks.count else { return 0 }
        return Int(foldValues[Int(foldBlocks[block]) << 7 | Int(scalar & 127)])
    }

    /// What lies in the pool at a place.
    @inline(__always)
    func fold(at place: Int) -> ArraySlice<UInt32> {
        foldPool[(place + 1)...].prefix(Int(foldPool[place]))
    }

    /// The canonical composite of two scalars, where there is one that folding leaves alone.
    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        Hangul.composite(first, second) ?? compositions[UInt64(first) << 32 | UInt64(second)]
    }
}

/// What the tables say of a scalar.
struct ScalarProperties: Sendable {
    var wordBreak = WordBreakClass.other
    var graphemeBreak = GraphemeBreakClass.other
    var combiningClass: UInt8 = 0
    /// Stored by the generator; never renumber.
    var flags: UInt8 = 0

    var isPictographic: Bool { flags & 1 != 0 }
    /// A letter, mark or number of a script that is written without spaces.
    var isSpaceless: Bool { flags & 2 != 0 }
    var isLetterOrNumber: Bool { flags & 4 != 0 }
    /// Extend, Format or ZWJ: belongs to what stands before it (WB4).
    var isTrailing: Bool {
        wordBreak == .extend || wordBreak == .format || wordBreak == .zwj
    }
}

/// Word-break classes of UAX #29. Stored by the generator; never renumber.
enum WordBreakClass: UInt8, Sendable {
    case other, cr, lf, newline, extend, zwj, format, katakana, hebrewLetter, aLetter, singleQuote,
        doubleQuote, midNumLet, midLetter, midNum, numeric, extendNumLet, wSegSpace,
        regionalIndicator
}

/// Grapheme-break classes of UAX #29. Stored by the generator; never renumber.
enum GraphemeBreakClass: UInt8, Sendable {
    case other, cr, lf, control, extend, zwj, regionalIndicator, prepend, spacingMark, l, v, t, lv,
        lvt
}

/// The composition of Hangul syllables (The Unicode Standard, 3.12).
enum Hangul {
    static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (0x1100..<0x1113).contains(first), (0x1161..<0x1176).contains(second) {
            return 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
        }
        if (0xac00..<0xd7a4).contains(first), (first - 0xac00) % 28 == 0,
            (0x11a8..<0x11c3).contains(second)
        {
            return first + second - 0x11a7
        }
        return nil
    }
}

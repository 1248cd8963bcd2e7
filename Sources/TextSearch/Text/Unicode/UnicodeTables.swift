import CUnicode

/// Properties and folds of Unicode scalars, from the generated tables.
///
/// The tables are constants of the program, so that reading them counts no references. A test
/// checks every number in them against what it indexes, so that reading them checks only the
/// scalar.
///
/// **Thread safety**: immutable.
struct UnicodeTables: @unchecked Sendable {
    // Unchecked for its pointers: nothing writes through them, and nothing frees what they point
    // to.

    static let shared = UnicodeTables()

    /// How many blocks of 128 scalars there are.
    private static let blockCount = 0x110000 >> 7

    private let propertyBlocks: UnsafePointer<UInt16>
    private let propertyValues: UnsafePointer<UInt8>
    private let records: UnsafePointer<ScalarProperties>
    private let foldBlocks: UnsafePointer<UInt16>
    private let foldValues: UnsafePointer<UInt16>
    private let foldPool: UnsafeBufferPointer<UInt32>
    /// First, second, composite; sorted.
    private let compositions: UnsafeBufferPointer<UInt32>
    /// Scalar, its simple lower case; sorted.
    private let lowerCase: UnsafeBufferPointer<UInt32>

    private init() {
        propertyBlocks = cunicode_property_blocks().numbers
        propertyValues = cunicode_property_values().numbers
        records = Self.records()
        foldBlocks = cunicode_fold_blocks().numbers
        foldValues = cunicode_fold_values().numbers
        foldPool = Self.buffer(cunicode_fold_pool())
        compositions = Self.buffer(cunicode_compositions())
        lowerCase = Self.buffer(cunicode_lower_case())
    }

    static func buffer(_ table: CUnicodeTable32) -> UnsafeBufferPointer<UInt32> {
        UnsafeBufferPointer(start: table.numbers, count: table.count)
    }

    /// The few kinds of scalars there are; never freed.
    private static func records() -> UnsafePointer<ScalarProperties> {
        let table = cunicode_property_records()
        let bytes = UnsafeBufferPointer(start: table.numbers, count: table.count)
        let records = UnsafeMutablePointer<ScalarProperties>.allocate(capacity: bytes.count / 4)
        for number in 0..<(bytes.count / 4) {
            let start = number * 4
            (records + number).initialize(
                to: ScalarProperties(
                    wordBreak: WordBreakClass(rawValue: bytes[start]) ?? .other,
                    graphemeBreak: GraphemeBreakClass(rawValue: bytes[start + 1]) ?? .other,
                    combiningClass: bytes[start + 2], flags: bytes[start + 3]))
        }
        return UnsafePointer(records)
    }

    /// The properties of a scalar; numbers beyond Unicode have none.
    @inline(__always)
    func properties(_ scalar: UInt32) -> ScalarProperties {
        let block = Int(scalar >> 7)
        guard block < Self.blockCount else { return ScalarProperties() }
        return records[
            Int(propertyValues[Int(propertyBlocks[block]) &<< 7 | Int(scalar & 127)])]
    }

    /// The place in the pool of what a scalar folds to; 0 for itself.
    @inline(__always)
    func foldPlace(_ scalar: UInt32) -> Int {
        let block = Int(scalar >> 7)
        guard block < Self.blockCount else { return 0 }
        return Int(foldValues[Int(foldBlocks[block]) &<< 7 | Int(scalar & 127)])
    }

    /// What lies in the pool at a place that `foldPlace` gave.
    @inline(__always)
    func fold(at place: Int) -> Slice<UnsafeBufferPointer<UInt32>> {
        foldPool[(place + 1)..<(place + 1 + Int(foldPool[place]))]
    }

    /// What a plain scalar folds to.
    @inline(__always)
    func plainFold(_ scalar: UInt32) -> UInt32 {
        let place = foldPlace(scalar)
        return place == 0 || foldPool[place] == 0 ? scalar : foldPool[place + 1]
    }

    /// The canonical composite of two scalars, where there is one that folding leaves alone.
    ///
    /// Complexity: logarithmic in the number of composites.
    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        guard properties(second).isComposedWithPrevious else { return nil }
        if let syllable = Hangul.composite(first, second) { return syllable }
        let wanted = (first, second)
        var low = 0
        var high = compositions.count / 3
        while low < high {
            let middle = (low + high) / 2
            let pair = (compositions[middle * 3], compositions[middle * 3 + 1])
            if pair == wanted { return compositions[middle * 3 + 2] }
            if pair < wanted { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The small letter of a capital one, in a single scalar; other scalars are their own.
    ///
    /// Complexity: logarithmic in the number of capitals.
    func lowerCase(_ scalar: UInt32) -> UInt32 {
        guard properties(scalar).isCapital else { return scalar }
        var low = 0
        var high = lowerCase.count / 2
        while low < high {
            let middle = (low + high) / 2
            if lowerCase[middle * 2] == scalar { return lowerCase[middle * 2 + 1] }
            if lowerCase[middle * 2] < scalar { low = middle + 1 } else { high = middle }
        }
        return scalar
    }
}

/// What the tables say of a scalar.
struct ScalarProperties: BitwiseCopyable, Sendable {
    var wordBreak = WordBreakClass.other
    var graphemeBreak = GraphemeBreakClass.other
    var combiningClass: UInt8 = 0
    /// Stored by the generator; never renumber.
    var flags: UInt8 = 0

    var isPictographic: Bool { flags & 1 != 0 }
    /// A letter, mark or number of a script that is written without spaces.
    var isSpaceless: Bool { flags & 2 != 0 }
    var isLetterOrNumber: Bool { flags & 4 != 0 }
    /// Folds to one scalar of the same UTF-16 length and the same part in a character, which
    /// composes with none before it.
    var isPlain: Bool { flags & 8 != 0 }
    /// Folds to something else than itself.
    var isFolded: Bool { flags & 16 != 0 }
    /// The second part of some canonical composite.
    var isComposedWithPrevious: Bool { flags & 32 != 0 }
    /// A sign that people may want to find: a currency, a mathematical or another symbol, an emoji.
    var isSymbol: Bool { flags & 64 != 0 }
    /// A capital or title-case letter, or a sign that has a small form.
    var isCapital: Bool { flags & 128 != 0 }
    /// Extend, Format or ZWJ: belongs to what stands before it (WB4).
    var isTrailing: Bool {
        wordBreak == .extend || wordBreak == .format || wordBreak == .zwj
    }
}

/// Word-break classes of UAX #29. Stored by the generator; never renumber.
enum WordBreakClass: UInt8, BitwiseCopyable, Sendable {
    case other, cr, lf, newline, extend, zwj, format, katakana, hebrewLetter, aLetter, singleQuote,
        doubleQuote, midNumLet, midLetter, midNum, numeric, extendNumLet, wSegSpace,
        regionalIndicator
}

/// Grapheme-break classes of UAX #29. Stored by the generator; never renumber.
enum GraphemeBreakClass: UInt8, BitwiseCopyable, Sendable {
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

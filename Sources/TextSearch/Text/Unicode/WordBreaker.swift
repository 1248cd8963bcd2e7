/// A word, or two characters of a run in a script without spaces.
struct WordSpan {
    /// UTF-8 offsets in the text.
    var start: Int
    var end: Int
    /// UTF-16 offsets in the text.
    var utf16Start: Int
    var utf16End: Int
    /// Whether the next word overlaps this one.
    var isBigram: Bool
}

/// Finds words in text of any script, by the word boundaries of UAX #29.
///
/// Runs in scripts without spaces come out as overlapping pairs of characters, the last character
/// alone at the end, so that every piece of them is a sequence of words or begins one.
struct WordBreaker {
    private let text: UnsafeBufferPointer<UInt8>
    private let tables = UnicodeTables.shared
    private var index: Int
    private var utf16: Int

    init(_ text: UnsafeBufferPointer<UInt8>, from start: Int, utf16Offset: Int) {
        self.text = text
        index = start
        utf16 = utf16Offset
    }

    /// Calls `emit` for each word from a true word boundary on, with its fold where that is plain,
    /// until an ASCII character that no word can hold and no other script follows, or the end;
    /// where that is, in UTF-8 and in UTF-16.
    ///
    /// Complexity: linear.
    @inline(__always)
    mutating func scanRegion(
        folding fold: inout PlainFold, _ emit: (WordSpan, borrowing PlainFold) -> Void
    ) -> (end: Int, utf16End: Int) {
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            let properties = tables.properties(scalar)
            if properties.isSpaceless {
                scanRun(&fold, emit)
            } else if Self.beginsWord(properties) {
                if let span = scanWord(&fold) { emit(span, fold) }
            } else {
                if scalar < 0x80, Self.isHardBoundary(properties.wordBreak),
                    index &+ 1 == text.count || text[index &+ 1] < 0x80
                {
                    break
                }
                index &+= length
                utf16 &+= UTF8Decoding.utf16Length(scalar)
            }
        }
        return (index, utf16)
    }

    @inline(__always)
    private static func isHardBoundary(_ kind: WordBreakClass) -> Bool {
        switch kind {
        case .other, .cr, .lf, .newline, .wSegSpace: true
        default: false
        }
    }

    @inline(__always)
    private static func beginsWord(_ properties: ScalarProperties) -> Bool {
        switch properties.wordBreak {
        case .aLetter, .hebrewLetter, .numeric, .extendNumLet, .katakana: true
        // Signs for numbers such as ½ and ① are words of their own.
        case .other: properties.isLetterOrNumber
        default: false
        }
    }

    // MARK: Words

    /// Goes past one word; nil when it holds no letter or number.
    private mutating func scanWord(_ fold: inout PlainFold) -> WordSpan? {
        let start = index
        let utf16Start = utf16
        var previous = WordBreakClass.other
        var holdsLetter = false
        fold.removeAll()
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            let properties = tables.properties(scalar)
            let kind = properties.wordBreak
            if !(index > start && properties.isTrailing) {
                if index == start || Self.joins(previous, kind) {
                    if index > start, properties.isSpaceless { break }
                    holdsLetter = holdsLetter || properties.isLetterOrNumber
                } else if properties.isSpaceless || !joinsAcross(previous, kind, at: index + length)
                {
                    break
                }
                previous = kind
            }
            fold.append(scalar, properties, tables)
            index &+= length
            utf16 &+= UTF8Decoding.utf16Length(scalar)
        }
        guard holdsLetter else { return nil }
        return WordSpan(
            start: start, end: index, utf16Start: utf16Start, utf16End: utf16, isBigram: false)
    }

    /// WB5, 8, 9, 10, 13, 13a, 13b; and a letter or number after a sign that was let in.
    @inline(__always)
    private static func joins(_ previous: WordBreakClass, _ next: WordBreakClass) -> Bool {
        switch next {
        case .aLetter, .hebrewLetter, .numeric, .katakana, .extendNumLet: break
        default: return false
        }
        switch previous {
        case .aLetter, .hebrewLetter, .numeric:
            return next != .katakana
        case .katakana: return next == .katakana || next == .extendNumLet
        case .extendNumLet: return true
        case .singleQuote, .doubleQuote, .midNumLet, .midLetter, .midNum: return true
        default: return false
        }
    }

    /// Whether a sign between letters or numbers belongs to the word (WB6, 7, 7b, 7c, 11, 12); the
    /// sign ends at `end`.
    ///
    /// WB7a is left out: a quote at the end of a Hebrew word more often closes a quotation than it
    /// shortens the word.
    private func joinsAcross(
        _ previous: WordBreakClass, _ sign: WordBreakClass, at end: Int
    ) -> Bool {
        let isLetter = previous == .aLetter || previous == .hebrewLetter
        guard isLetter || previous == .numeric else { return false }
        let next = nextClass(from: end)
        switch sign {
        case .midLetter: return isLetter && (next == .aLetter || next == .hebrewLetter)
        case .midNum: return previous == .numeric && next == .numeric
        case .doubleQuote: return previous == .hebrewLetter && next == .hebrewLetter
        case .midNumLet, .singleQuote:
            if isLetter { return next == .aLetter || next == .hebrewLetter }
            return next == .numeric
        default: return false
        }
    }

    /// The class of the next scalar that is not Extend, Format or ZWJ.
    private func nextClass(from start: Int) -> WordBreakClass {
        var place = start
        while place < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: place, in: text)
            let properties = tables.properties(scalar)
            if !properties.isTrailing {
                return properties.isSpaceless ? .other : properties.wordBreak
            }
            place += length
        }
        return .other
    }

    // MARK: Scripts without spaces

    private struct Cluster {
        var start: Int
        var utf16Start: Int
    }

    @inline(__always)
    private mutating func scanRun(
        _ fold: inout PlainFold, _ emit: (WordSpan, borrowing PlainFold) -> Void
    ) {
        var previous: Cluster?
        /// The bytes of the previous character in `fold`, and whether they are its fold.
        var previousLength = 0
        var isPreviousPlain = true
        fold.removeAll()
        while true {
            let cluster = Cluster(start: index, utf16Start: utf16)
            if !fold.isPlain {
                fold.removeAll()
                previousLength = 0
            }
            guard takeCluster(&fold) else { break }
            let isPlain = fold.isPlain
            if let previous {
                if !isPreviousPlain { fold.markIrregular() }
                emit(span(previous, isBigram: true), fold)
                if isPlain {
                    fold.restorePlain()
                    fold.removeFirst(previousLength)
                }
            }
            previous = cluster
            previousLength = isPlain ? fold.count : 0
            isPreviousPlain = isPlain
        }
        if let previous {
            if !isPreviousPlain { fold.markIrregular() }
            emit(span(previous, isBigram: false), fold)
        }
    }

    private func runGoesOn(at index: Int) -> Bool {
        index < text.count
            && tables.properties(UTF8Decoding.scalar(at: index, in: text).scalar).isSpaceless
    }

    private func span(_ first: Cluster, isBigram: Bool) -> WordSpan {
        WordSpan(
            start: first.start, end: index, utf16Start: first.utf16Start, utf16End: utf16,
            isBigram: isBigram)
    }

    /// Goes past one character of the run; false when the run ends here.
    private mutating func takeCluster(_ fold: inout PlainFold) -> Bool {
        guard index < text.count else { return false }
        let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
        let properties = tables.properties(scalar)
        guard properties.isSpaceless else { return false }
        let start = index
        fold.append(scalar, properties, tables)
        index &+= length
        utf16 &+= UTF8Decoding.utf16Length(scalar)
        while index < text.count, text[index] >= 0x80 {
            let (next, length) = UTF8Decoding.scalar(at: index, in: text)
            let properties = tables.properties(next)
            switch properties.graphemeBreak {
            case .extend, .zwj, .spacingMark: break
            // What is invisible in a run does not part it, a space of no width neither.
            default:
                guard
                    properties.wordBreak == .format
                        || next == 0x200b && runGoesOn(at: index + length)
                        || ThaiAm.ends(with: next, at: index, after: start, in: text)
                else { return true }
            }
            fold.append(next, properties, tables)
            index &+= length
            utf16 &+= UTF8Decoding.utf16Length(next)
        }
        return true
    }
}

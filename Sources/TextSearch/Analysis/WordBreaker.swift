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

    /// Calls `emit` for each word from a true word boundary on, until an ASCII character that no word can
    /// hold, or the end; where that is, in UTF-8 and in UTF-16.
    ///
    /// Complexity: linear.
    mutating func scanRegion(_ emit: (WordSpan) -> Void) -> (end: Int, utf16End: Int) {
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            let properties = tables.properties(scalar)
            if scalar < 0x80, Self.isHardBoundary(properties.wordBreak) { break }
            if properties.isSpaceless {
                scanRun(emit)
            } else if Self.beginsWord(properties.wordBreak) {
                scanWord(emit)
            } else {
                index += length
                utf16 += UTF8Decoding.utf16Length(scalar)
            }
        }
        return (index, utf16)
    }

    private static func isHardBoundary(_ kind: WordBreakClass) -> Bool {
        switch kind {
        case .other, .cr, .lf, .newline, .wSegSpace: true
        default: false
        }
    }

    private static func beginsWord(_ kind: WordBreakClass) -> Bool {
        switch kind {
        case .aLetter, .hebrewLetter, .numeric, .extendNumLet, .katakana: true
        default: false
        }
    }

    // MARK: Words

    private mutating func scanWord(_ emit: (WordSpan) -> Void) {
        let start = index
        let utf16Start = utf16
        var previous = WordBreakClass.other
        var holdsLetter = false
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            let properties = tables.properties(scalar)
            let kind = properties.wordBreak
            if previous != .other, properties.isTrailing {
                index += length
                utf16 += UTF8Decoding.utf16Length(scalar)
                continue
            }
            if properties.isSpaceless { break }
            if previous == .other || Self.joins(previous, kind) {
                holdsLetter = holdsLetter || properties.isLetterOrNumber
            } else if !joinsAcross(previous, kind, at: index + length) {
                break
            }
            previous = kind
            index += length
            utf16 += UTF8Decoding.utf16Length(scalar)
        }
        guard holdsLetter else { return }
        emit(
            WordSpan(
                start: start, end: index, utf16Start: utf16Start, utf16End: utf16,
                isBigram: false))
    }

    /// WB5, 8, 9, 10, 13, 13a, 13b; and a letter or number after a sign that was let in.
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

    /// Whether a sign between letters or numbers belongs to the word (WB6, 7, 7a, 7b, 11, 12); the sign ends at `end`.
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

    private mutating func scanRun(_ emit: (WordSpan) -> Void) {
        var previous: Cluster?
        while true {
            let cluster = Cluster(start: index, utf16Start: utf16)
            guard takeCluster() else { break }
            if let previous { emit(span(previous, isBigram: true)) }
            previous = cluster
        }
        if let previous { emit(span(previous, isBigram: false)) }
    }

    private func span(_ first: Cluster, isBigram: Bool) -> WordSpan {
        WordSpan(
            start: first.start, end: index, utf16Start: first.utf16Start, utf16End: utf16,
            isBigram: isBigram)
    }

    /// Goes past one character of the run; false when the run ends here.
    private mutating func takeCluster() -> Bool {
        guard index < text.count else { return false }
        let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
        guard tables.properties(scalar).isSpaceless else { return false }
        index += length
        utf16 += UTF8Decoding.utf16Length(scalar)
        while index < text.count {
            let (next, length) = UTF8Decoding.scalar(at: index, in: text)
            switch tables.properties(next).graphemeBreak {
            case .extend, .zwj, .spacingMark: break
            default: return true
            }
            index += length
            utf16 += UTF8Decoding.utf16Length(next)
        }
        return true
    }
}

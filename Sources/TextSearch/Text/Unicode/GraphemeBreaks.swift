/// Boundaries of extended grapheme clusters (UAX #29): what people call characters.
enum GraphemeBreaks {
    /// Whether a character may begin at `offset`: the start, the end, or a boundary.
    ///
    /// Complexity: constant but for runs of flags and joined emoji, which are walked back over.
    /// ``end(ofCharacterAt:in:)`` goes through a text.
    static func isBoundary(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard offset > 0, offset < text.count else { return true }
        if text[offset] < 0x80, text[offset - 1] < 0x80 {
            return !(text[offset - 1] == 0x0d && text[offset] == 0x0a)
        }
        guard text[offset] & 0xc0 != 0x80 else { return false }
        let tables = UnicodeTables.shared
        let next = tables.properties(UTF8Decoding.scalar(at: offset, in: text).scalar)
        let (place, before) = scalar(before: offset, in: text)
        let previous = tables.properties(before)
        switch (previous.graphemeBreak, next.graphemeBreak) {
        case (.zwj, _) where next.isPictographic:
            return !endsPictographic(before: place, in: text)
        case (.regionalIndicator, .regionalIndicator):
            return flagsBefore(offset, in: text) % 2 == 0
        default: return !isJoined(previous.graphemeBreak, next.graphemeBreak)
        }
    }

    /// Where the character that begins at `start` ends.
    ///
    /// Complexity: linear in its length, so that going through a text is linear: runs of flags are
    /// not walked back over.
    static func end(
        ofCharacterAt start: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let tables = UnicodeTables.shared
        func isFlag(at place: Int) -> Bool {
            guard text[place] == 0xf0 else { return false }
            let scalar = UTF8Decoding.scalar(at: place, in: text).scalar
            return tables.properties(scalar).graphemeBreak == .regionalIndicator
        }
        var previous = start
        var flags = 0
        while true {
            let end = previous + UTF8Decoding.scalar(at: previous, in: text).length
            guard end < text.count else { return end }
            if isFlag(at: previous), isFlag(at: end) {
                // A flag is two of them.
                flags += 1
                if flags == 2 { return end }
            } else if isBoundary(at: end, in: text) {
                return end
            }
            previous = end
        }
    }

    /// Whether no boundary lies between scalars of two classes, whatever stands around them (GB3 to
    /// GB9b).
    @inline(__always)
    static func isJoined(_ previous: GraphemeBreakClass, _ next: GraphemeBreakClass) -> Bool {
        switch (previous, next) {
        case (.cr, .lf): true
        case (.cr, _), (.lf, _), (.control, _), (_, .cr), (_, .lf), (_, .control): false
        case (.l, .l), (.l, .v), (.l, .lv), (.l, .lvt): true
        case (.lv, .v), (.lv, .t), (.v, .v), (.v, .t), (.lvt, .t), (.t, .t): true
        case (_, .extend), (_, .zwj), (_, .spacingMark), (.prepend, _): true
        default: false
        }
    }

    /// The scalar that ends at `offset`, and where it begins.
    private static func scalar(
        before offset: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> (Int, UInt32) {
        var start = offset - 1
        while start > 0, offset - start < 4, text[start] & 0xc0 == 0x80 { start -= 1 }
        return (start, UTF8Decoding.scalar(at: start, in: text).scalar)
    }

    /// Whether an emoji and marks on it end at `offset` (GB11).
    private static func endsPictographic(
        before offset: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var place = offset
        while place > 0 {
            let (start, scalar) = scalar(before: place, in: text)
            let properties = UnicodeTables.shared.properties(scalar)
            if properties.isPictographic { return true }
            guard properties.graphemeBreak == .extend else { return false }
            place = start
        }
        return false
    }

    private static func flagsBefore(_ offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        var place = offset
        while place > 0 {
            let (start, scalar) = scalar(before: place, in: text)
            guard UnicodeTables.shared.properties(scalar).graphemeBreak == .regionalIndicator
            else { break }
            count += 1
            place = start
        }
        return count
    }
}

/// Scripts that are written without spaces between words.
enum SpacelessScript {
    /// Whether a term is of such a script: a bigram or a single character of a run.
    static func begins(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = term.first, first >= 0x80 else { return false }
        return UnicodeTables.shared.properties(UTF8Decoding.scalar(at: 0, in: term).scalar)
            .isSpaceless
    }

    static func begins(_ term: [UInt8]) -> Bool { term.withUnsafeBufferPointer { begins($0) } }

    static func has(_ scalar: Unicode.Scalar) -> Bool {
        UnicodeTables.shared.properties(scalar.value).isSpaceless
    }
}

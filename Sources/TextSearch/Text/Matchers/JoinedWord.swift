/// A word that signs join of several parts: *log.txt*, *max_value*, *l'amour*.
enum JoinedWord {
    /// Whether a range of a term's bytes is a part of it, or all of it.
    ///
    /// A range that begins or ends with a sign is one if what is beside that sign is left out.
    static func isPart(_ range: Range<Int>, of term: UnsafeBufferPointer<UInt8>) -> Bool {
        if range.count < term.count,
            isTimeMark(at: range.lowerBound, term) || isTimeMark(at: range.upperBound - 1, term)
        {
            return false
        }
        if range.lowerBound > 0, isInside(range.lowerBound, term) { return false }
        if range.upperBound < term.count, isInside(range.upperBound, term) { return false }
        return !isEnding(range, of: term)
    }

    /// Calls `body` with each of the longest runs of letters and digits in a term.
    static func forEachRun(
        of term: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
    ) {
        var start: Int?
        var offset = 0
        while offset < term.count {
            let isRun = isLetterOrNumber(at: offset, term)
            if !isRun, let begun = start { body(begun..<offset) }
            start = isRun ? start ?? offset : nil
            offset += UTF8Decoding.scalar(at: offset, in: term).length
        }
        if let start { body(start..<term.count) }
    }

    /// Runs of letters and digits in a text, one of which a term has that has the text as a part or
    /// together: the longest one and, as the text does not say whether a letter in it is the mark
    /// of a time in the term, the longest one if none is. Empty where it has none.
    static func longestRuns(of text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var marked = 0..<0
        forEachRun(of: text) { if $0.count > marked.count { marked = $0 } }
        let all = text.split { $0 < 0x80 && !QuerySyntax.isAlphanumeric($0) }
        let plain = all.max { $0.count < $1.count }.map { $0.indices } ?? 0..<0
        guard plain.count > marked.count,
            text.indices.contains(where: { isTimeMark(at: $0, text) })
        else { return marked.isEmpty ? [] : [marked] }
        return marked.isEmpty ? [plain] : [marked, plain]
    }

    /// Whether letters or digits stand on both sides of an offset, or a character goes on there.
    private static func isInside(_ offset: Int, _ term: UnsafeBufferPointer<UInt8>) -> Bool {
        if term[offset] & 0xc0 == 0x80 { return true }
        var previous = offset - 1
        while previous > 0, term[previous] & 0xc0 == 0x80 { previous -= 1 }
        return isLetterOrNumber(at: previous, term) && isLetterOrNumber(at: offset, term)
    }

    /// Whether signs join it: a term of letters and digits alone is no joined word.
    static func isJoined(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
        !term.allSatisfy(QuerySyntax.isAlphanumeric)
            || term.indices.contains { isTimeMark(at: $0, term) }
    }

    /// Whether a joined word is a text but for its signs: *max_value* is *maxvalue*.
    static func isWritten(_ term: UnsafeBufferPointer<UInt8>, together text: [UInt8]) -> Bool {
        guard term.count > text.count, let first = text.first,
            term[0] == first || !QuerySyntax.isAlphanumeric(term[0])
        else { return false }
        var (place, runs) = (0, 0)
        var isEqual = true
        forEachRun(of: term) { run in
            isEqual = isEqual && text[place...].starts(with: term[run])
            place = min(place + run.count, text.count)
            runs += 1
        }
        return isEqual && place == text.count && runs > 1
    }

    private static func isLetterOrNumber(at offset: Int, _ term: UnsafeBufferPointer<UInt8>) -> Bool
    {
        let byte = term[offset]
        if byte < 0x80 {
            return QuerySyntax.isAlphanumeric(byte) && !isTimeMark(at: offset, term)
        }
        let scalar = UTF8Decoding.scalar(at: offset, in: term).scalar
        return UnicodeTables.shared.properties(scalar).isLetterOrNumber
    }

    /// Whether a byte is the T or the Z of a time: `2024-05-01T12:30:05Z` has the words *01t12*,
    /// *30* and *05z*.
    private static func isTimeMark(at offset: Int, _ term: UnsafeBufferPointer<UInt8>) -> Bool {
        let byte = term[offset]
        guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "z"), offset > 1,
            QuerySyntax.isDigit(term[offset - 1]), QuerySyntax.isDigit(term[offset - 2])
        else { return false }
        if offset + 1 == term.count { return byte == UInt8(ascii: "z") }
        return byte == UInt8(ascii: "t") && QuerySyntax.isDigit(term[offset + 1])
    }

    /// Endings of English words behind an apostrophe; a single letter is always one.
    private static let endings = ["re", "ve", "ll"].map { Array($0.utf8) }

    /// Whether a range is what an apostrophe adds to a word: the *s* of *Alice's*, the *da* of
    /// *İstanbul'da*. Of *l'or*, *qu'il* and *dell'io* the word is behind the apostrophe.
    private static func isEnding(_ range: Range<Int>, of term: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count <= 2, range.upperBound == term.count, range.lowerBound > 0,
            let end = apostrophe(before: range.lowerBound, in: term)
        else { return false }
        let letters = range.count { term[$0] & 0xc0 != 0x80 }
        if letters == 1 || endings.contains(where: { $0.elementsEqual(term[range]) }) {
            return true
        }
        let before = term[..<end]
        return before.count > 2
            && !["qu", "ll"].contains { before.suffix(2).elementsEqual($0.utf8) }
    }

    /// Where the apostrophe before an offset begins; nil where none is.
    private static func apostrophe(
        before offset: Int, in term: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        if term[offset - 1] == UInt8(ascii: "'") { return offset - 1 }
        // ’
        let isCurved =
            offset >= 3 && term[(offset - 3)..<offset].elementsEqual([0xe2, 0x80, 0x99])
        return isCurved ? offset - 3 : nil
    }
}

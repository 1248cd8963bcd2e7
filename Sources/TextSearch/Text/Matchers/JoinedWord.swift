/// A word that signs join of several parts: *log.txt*, *max_value*, *l'amour*.
enum JoinedWord {
    /// Whether a range of a term's bytes is a part of it, or all of it.
    ///
    /// A range that begins or ends with a sign is one if what is beside that sign is left out.
    static func isPart(_ range: Range<Int>, of term: UnsafeBufferPointer<UInt8>) -> Bool {
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

    /// The longest run of letters and digits in a term; nil where it has none.
    static func longestRun(of term: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var longest: Range<Int>?
        forEachRun(of: term) { if $0.count > longest?.count ?? 0 { longest = $0 } }
        return longest
    }

    /// Whether letters or digits stand on both sides of an offset, or a character goes on there.
    private static func isInside(_ offset: Int, _ term: UnsafeBufferPointer<UInt8>) -> Bool {
        if term[offset] & 0xc0 == 0x80 { return true }
        var previous = offset - 1
        while previous > 0, term[previous] & 0xc0 == 0x80 { previous -= 1 }
        return isLetterOrNumber(at: previous, term) && isLetterOrNumber(at: offset, term)
    }

    private static func isLetterOrNumber(at offset: Int, _ term: UnsafeBufferPointer<UInt8>) -> Bool
    {
        let byte = term[offset]
        if byte < 0x80 {
            return QuerySyntax.isAlphanumeric(byte)
        }
        let scalar = UTF8Decoding.scalar(at: offset, in: term).scalar
        return UnicodeTables.shared.properties(scalar).isLetterOrNumber
    }

    /// Whether a range is what an apostrophe adds to a word: the *s* of *Alice's*, the *da* of
    /// *İstanbul'da*.
    private static func isEnding(_ range: Range<Int>, of term: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count <= 2, range.upperBound == term.count, range.lowerBound > 0 else {
            return false
        }
        return isApostrophe(before: range.lowerBound, in: term)
    }

    private static func isApostrophe(
        before offset: Int, in term: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if term[offset - 1] == UInt8(ascii: "'") { return true }
        // ’
        return offset >= 3 && term[(offset - 3)..<offset].elementsEqual([0xe2, 0x80, 0x99])
    }
}

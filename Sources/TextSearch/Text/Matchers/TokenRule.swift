/// Which places in a term a keyword may match at.
///
/// A character of a script without spaces says as much as a word, and a symbol too, so that no
/// token that begins with one is too short. (Runs that are cut into bigrams are only matched where
/// these begin: see `KeywordQuery.Unit`.)
struct TokenRule {
    /// The shortest token, in letters.
    let minimalLength: Int
    /// Whether a whole word counts however short it is.
    var allowsWholeWords = false
    /// Of how many bytes a whole part of a joined word is looked for; 0 for any token.
    private var partLength = 0

    init(minimalLength: Int, allowsWholeWords: Bool = false) {
        self.minimalLength = minimalLength
        self.allowsWholeWords = allowsWholeWords
    }

    /// Places where a text is a part of a joined word: see ``Query/part(_:)``.
    init(partOf text: [UInt8]) {
        self.init(minimalLength: 1)
        partLength = text.count
    }

    /// Whether the token at `offset` of `term` exists: it begins at a character, and is long
    /// enough.
    @inline(__always)
    func allows(_ offset: Int, in term: UnsafeBufferPointer<UInt8>) -> Bool {
        if partLength > 0 { return JoinedWord.isPart(offset..<(offset + partLength), of: term) }
        if allowsWholeWords, offset == 0 { return true }
        var end = offset
        while end < term.count, term[end] < 0x80 { end &+= 1 }
        if end == term.count, end > offset {
            return end &- offset >= minimalLength || Self.isSymbol(UInt32(term[offset]))
        }
        return allowsSlowly(offset, in: term)
    }

    private func allowsSlowly(_ offset: Int, in term: UnsafeBufferPointer<UInt8>) -> Bool {
        guard GraphemeBreaks.isBoundary(at: offset, in: term) else { return false }
        let first = UTF8Decoding.scalar(at: offset, in: term).scalar
        if UnicodeTables.shared.properties(first).isSpaceless || Self.isSymbol(first) {
            return true
        }
        // Folding has left of marks only vowels and the like, which are letters; a Korean syllable
        // has two at least.
        var letters = 0
        var next = offset
        while next < term.count, letters < minimalLength {
            let (scalar, length) = UTF8Decoding.scalar(at: next, in: term)
            letters += (0xac00...0xd7a3).contains(scalar) ? 2 : 1
            next += length
        }
        return letters >= minimalLength
    }

    private static func isSymbol(_ scalar: UInt32) -> Bool {
        // What is left of the emoji #️⃣ and *️⃣.
        scalar == 0x23 || scalar == 0x2a || UnicodeTables.shared.properties(scalar).isSymbol
    }
}

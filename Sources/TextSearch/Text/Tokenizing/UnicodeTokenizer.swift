/// Cuts text at the word boundaries of UAX #29, and runs of scripts without spaces into overlapping
/// pairs of characters. The default tokenizer.
public struct UnicodeTokenizer: Tokenizer, Hashable {
    /// Whether symbols are words: currencies, mathematical and other symbols, emoji, `#`, `%`, `&`,
    /// `@`. A `+` or `#` right after a letter belongs to its word, as in C++ and C#. If a letter or
    /// number follows, as in a+b, the word is there without them too.
    public var keepsSymbols: Bool
    /// Whether words have no alternatives.
    private var isForQueries = false

    /// Creates a tokenizer that keeps or drops symbols.
    ///
    /// - Parameter keepsSymbols: whether symbols are words.
    public init(keepsSymbols: Bool = false) { self.keepsSymbols = keepsSymbols }

    /// A tokenizer for the text of queries, in which a+b has no a+.
    public var queryTokenizer: any Tokenizer {
        var tokenizer = self
        tokenizer.isForQueries = true
        return tokenizer
    }

    /// The stored name: "unicode", or "unicode with symbols 2".
    public var identity: String { keepsSymbols ? "unicode with symbols 2" : "unicode" }
}

extension UnicodeTokenizer: ByteTokenizer {
    func forEachWord(
        inBytes text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isBigram: Bool) -> Void
    ) {
        var fold = PlainFold()
        var index = 0
        var end = 0
        while index < text.count {
            // Only how many UTF-16 units there are would need to know what was before.
            var breaker = WordBreaker(text, from: index, utf16Offset: 0)
            let region = breaker.scanRegion(folding: &fold) { span, _ in
                // Pairs of characters overlap.
                if keepsSymbols, span.start > end {
                    forEachSymbol(in: text, end..<span.start) { body($0, false) }
                }
                let (wordEnd, isInside) =
                    keepsSymbols && !span.isBigram
                    ? Self.end(of: span, in: text) : (span.end, false)
                if isInside, !isForQueries { body(span.start..<wordEnd, false) }
                end = max(end, isInside ? span.end : wordEnd)
                body(span.start..<(isInside ? span.end : wordEnd), span.isBigram)
            }
            index = max(region.end, index + 1)
        }
        if keepsSymbols { forEachSymbol(in: text, end..<text.count) { body($0, false) } }
    }

    /// The end of a word with the signs behind it, and whether a letter or number follows them.
    private static func end(
        of span: WordSpan, in text: UnsafeBufferPointer<UInt8>
    ) -> (end: Int, isInside: Bool) {
        var end = span.end
        while end < text.count, text[end] == 0x2b || text[end] == 0x23,
            GraphemeBreaks.isBoundary(at: end + 1, in: text)
        {
            end += 1
        }
        guard end > span.end, end < text.count else { return (end, false) }
        let next = UnicodeTables.shared.properties(UTF8Decoding.scalar(at: end, in: text).scalar)
        return (end, next.isLetterOrNumber)
    }

    /// Punctuation that people look for: # % & @ § ¶ ‰.
    private static func isSignInUse(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x23, 0x25, 0x26, 0x40, 0xa7, 0xb6, 0x2030: true
        default: false
        }
    }

    private func forEachSymbol(
        in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void
    ) {
        let tables = UnicodeTables.shared
        var index = range.lowerBound
        while index < range.upperBound {
            let scalar = UTF8Decoding.scalar(at: index, in: text).scalar
            let end = GraphemeBreaks.end(ofCharacterAt: index, in: text)
            // A combining keycap makes an emoji of # and *.
            let isSymbol =
                tables.properties(scalar).isSymbol || Self.isSignInUse(scalar)
                || end - index > 3 && UTF8Decoding.scalar(at: end - 3, in: text).scalar == 0x20e3
            if isSymbol, end <= range.upperBound { body(index..<end) }
            index = end
        }
    }
}

/// Words of UAX #29 in which runs of scripts without spaces stay whole.
enum WholeWords {
    static func forEach(
        in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
    ) {
        var run: Range<Int>?
        UnicodeTokenizer().forEachWord(inBytes: text) { range, isBigram in
            let whole = (run?.lowerBound ?? range.lowerBound)..<range.upperBound
            run = isBigram ? whole : nil
            if !isBigram { body(whole) }
        }
        if let run { body(run) }
    }

    /// The ends of the characters of a word, in bytes.
    static func characterEnds(
        of word: Range<Int>, in text: UnsafeBufferPointer<UInt8>
    ) -> [Int] {
        let bytes = UnsafeBufferPointer(rebasing: text[word])
        var ends: [Int] = []
        var index = 0
        while index < bytes.count {
            index = GraphemeBreaks.end(ofCharacterAt: index, in: bytes)
            ends.append(word.lowerBound + index)
        }
        return ends
    }
}

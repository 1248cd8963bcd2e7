/// A word as a tokenizer found it.
struct TokenizedWord {
    /// UTF-8 offsets in the text.
    var start: Int
    var end: Int
    /// Whether the next word overlaps it, as bigrams of scripts without spaces do.
    var isBigram: Bool
}

/// The words that a tokenizer found, as far as there can be such words.
///
/// **Invariants**, whatever a tokenizer of the application's gives: 1. Words lie in the text and
/// are not empty. 2. They begin and end between scalars: one that cuts a scalar takes all of it. 3.
/// None begins before the one that came before it.
private struct TokenizedWords {
    let text: UnsafeBufferPointer<UInt8>
    private(set) var words: [TokenizedWord] = []

    init(of text: UnsafeBufferPointer<UInt8>) { self.text = text }

    mutating func append(_ range: Range<Int>, isBigram: Bool = false) {
        var start = range.lowerBound
        var end = range.upperBound
        guard start >= 0, start < end, end <= text.count else { return }
        while start > 0, text[start] & 0xc0 == 0x80 { start -= 1 }
        while end < text.count, text[end] & 0xc0 == 0x80 { end += 1 }
        if let last = words.last, start < last.start { return }
        words.append(TokenizedWord(start: start, end: end, isBigram: isBigram))
    }
}

extension FieldAnalyzer.Source {
    /// The words of a text; nil when the scanner is to find them itself.
    func words(of text: UnsafeBufferPointer<UInt8>) -> [TokenizedWord]? {
        var found = TokenizedWords(of: text)
        switch self {
        case .standard: return nil
        case .bytes(let tokenizer):
            tokenizer.forEachWord(inBytes: text) { found.append($0, isBigram: $1) }
        case .text(let tokenizer):
            let string = String(decoding: text, as: UTF8.self)
            let start = string.startIndex
            tokenizer.forEachWord(in: string) { range in
                let lower = string.utf8.distance(from: start, to: range.lowerBound)
                let upper = string.utf8.distance(from: start, to: range.upperBound)
                if lower < upper { found.append(lower..<upper) }
            }
        }
        return found.words
    }
}

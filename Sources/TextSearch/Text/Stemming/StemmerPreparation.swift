/// Brings words of a text into the form that Snowball's algorithms expect: in lower case, composed,
/// in plain forms instead of those of compatibility, with ASCII apostrophes and with their
/// diacritics, which many suffixes are told by. Folding comes after stemming: folding first would
/// keep a fifth of what French stems join apart, a third in Hungarian (measured over Snowball's
/// vocabularies).
///
/// The same on every machine, and under every locale.
struct StemmerPreparation {
    /// Composing makes a word shorter: Korean from nine bytes to three.
    private static let maximumTextLength = 4 * Stemmer.maximumWordLength

    /// The prepared word.
    private(set) var word: [UInt8] = []
    /// The word as it is written, composed.
    private var composed: [UInt8] = []
    /// Soft hyphens and joiners go too, so that the suffix behind them is seen.
    private let folder = Folder([.width, .compatibility, .punctuation, .invisible])

    /// Prepares a word; false when it is too long to be stemmed.
    ///
    /// Complexity: linear in the length that can be stemmed.
    mutating func prepare(
        _ text: UnsafeBufferPointer<UInt8>, _ language: StemmerLanguage
    ) -> Bool {
        word.removeAll(keepingCapacity: true)
        if text.allSatisfy({ $0 < 0x80 }) {
            guard text.count <= Stemmer.maximumWordLength else { return false }
            for byte in text { Self.appendLower(UInt32(byte), language, to: &word) }
            return word.count <= Stemmer.maximumWordLength
        }
        // Composed before it is put into lower case, so that the dotted capital İ is one letter in
        // Turkish.
        guard folder.fold(text, into: &composed, limit: Self.maximumTextLength) else {
            return false
        }
        composed.withUnsafeBufferPointer { composed in
            var index = 0
            while index < composed.count {
                let (scalar, length) = UTF8Decoding.scalar(at: index, in: composed)
                Self.appendLower(scalar, language, to: &word)
                index += length
            }
        }
        return word.count <= Stemmer.maximumWordLength
    }

    @inline(__always)
    private static func appendLower(
        _ scalar: UInt32, _ language: StemmerLanguage, to word: inout [UInt8]
    ) {
        switch (scalar, language) {
        case (0x49, .turkish): UTF8Decoding.append(0x131, to: &word)
        case (0x130, .turkish): UTF8Decoding.append(0x69, to: &word)
        case (0x41...0x5a, _): UTF8Decoding.append(scalar | 0x20, to: &word)
        case (0..<0x80, _): UTF8Decoding.append(scalar, to: &word)
        // Before 3.0 the algorithm knew s and t with cedilla only, later ones take those for the
        // letters with comma below. Folding makes no difference between them.
        case (0x218...0x219, .romanian): UTF8Decoding.append(0x15f, to: &word)
        case (0x21a...0x21b, .romanian): UTF8Decoding.append(0x163, to: &word)
        default: UTF8Decoding.append(UnicodeTables.shared.lowerCase(scalar), to: &word)
        }
    }
}

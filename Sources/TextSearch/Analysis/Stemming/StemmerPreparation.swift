import Foundation

/// Brings words of a text into the form that Snowball's algorithms expect: in lower case, composed, with ASCII apostrophes and
/// with their diacritics, which many suffixes are told by. Folding comes after stemming: folding first would keep a fifth of what French
/// stems join apart, a third in Hungarian (measured over Snowball's vocabularies).
///
/// The same under every locale.
struct StemmerPreparation {
    /// More marks than this in a row are left out, as in ``Folder``.
    private static let maximumMarks = 30
    /// Composing makes a word shorter: Korean from nine bytes to three.
    private static let maximumTextLength = 4 * Stemmer.maximumWordLength

    /// The prepared word.
    private(set) var word: [UInt8] = []
    /// The word as it is written, composed.
    private var composed: [UInt8] = []

    /// Prepares a word; false when it is too long to be stemmed.
    ///
    /// Complexity: linear in the length that can be stemmed.
    mutating func prepare(
        _ text: UnsafeBufferPointer<UInt8>, _ language: StemmerLanguage
    ) -> Bool {
        guard compose(text) else { return false }
        word.removeAll(keepingCapacity: true)
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

    /// Composes before it is put into lower case, so that the dotted capital İ is one letter in Turkish; false when the text is too long.
    private mutating func compose(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        composed.removeAll(keepingCapacity: true)
        var isComposed = true
        var marks = 0
        var index = 0
        while index < text.count {
            let (scalar, length) = UTF8Decoding.scalar(at: index, in: text)
            index += length
            if !Self.isComposed(scalar) {
                isComposed = false
                let kind = UnicodeTables.shared.properties(scalar).combiningClass
                marks = kind == 0 ? 0 : marks + 1
                if marks > Self.maximumMarks { continue }
            } else {
                marks = 0
            }
            UTF8Decoding.append(scalar, to: &composed)
            if composed.count > Self.maximumTextLength { return false }
        }
        if !isComposed {
            let text = String(decoding: composed, as: UTF8.self)
            composed.removeAll(keepingCapacity: true)
            composed.append(contentsOf: text.precomposedStringWithCanonicalMapping.utf8)
        }
        return true
    }

    /// Whether a scalar stays itself in canonical composition, unless a scalar of which this is false stands behind it.
    @inline(__always)
    private static func isComposed(_ scalar: UInt32) -> Bool {
        // Latin; Greek from Έ on; Cyrillic before its marks.
        scalar < 0x300 || (0x388..<0x483).contains(scalar)
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
        // Before 3.0 the algorithm knew s and t with cedilla only, later ones take those for the letters with comma below. Folding makes
        // no difference between them.
        case (0x218...0x219, .romanian): UTF8Decoding.append(0x15f, to: &word)
        case (0x21a...0x21b, .romanian): UTF8Decoding.append(0x163, to: &word)
        // The apostrophes ‘ ’ ‛ ʼ ＇.
        case (0x2018, _), (0x2019, _), (0x201b, _), (0x2bc, _), (0xff07, _):
            UTF8Decoding.append(0x27, to: &word)
        default:
            guard let properties = Unicode.Scalar(scalar)?.properties else { return }
            // Soft hyphens, joiners: folding leaves them out too, and the suffix behind them is to be seen.
            if properties.isDefaultIgnorableCodePoint { return }
            for lower in properties.lowercaseMapping.unicodeScalars {
                UTF8Decoding.append(lower.value, to: &word)
            }
        }
    }
}

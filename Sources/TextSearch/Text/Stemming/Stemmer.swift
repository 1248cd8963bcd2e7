import CStemmer

/// Reduces words of one language to their stems, by the Snowball algorithm of the installed
/// libstemmer.
///
///     let stemmer = try Stemmer(.german)
///     stemmer.stem(word: bytes, folder: folder, into: &folded)  // "Häuser": "haus"
///
/// **Thread safety**: none; libstemmer works in buffers of the stemmer. Each worker that analyses
/// text has one of its own, and different ones may work at the same time.
///
/// **Invariants**: 1. libstemmer sees only well-formed UTF-8 of at most `maximumWordLength` bytes.
/// 2. No pointer of libstemmer's leaves a method.
final class Stemmer {
    /// Longer words, in bytes, are their own stems: no word of a language is, and some algorithms
    /// take quadratic time.
    static let maximumWordLength = Int(CSTEMMER_MAX_WORD_LENGTH)

    let language: StemmerLanguage
    // Owned: made in `init`, released in `deinit`, seen by nobody else.
    private let handle: OpaquePointer
    // Kept between words for their memory.
    var preparation = StemmerPreparation()
    var unfoldedStem: [UInt8] = []

    /// Creates a stemmer.
    ///
    /// - Throws: ``TextIndexError`` with `invalidArgument` when the installed libstemmer does not
    ///   know the language, and with `limitExceeded` when there is no memory for it.
    init(_ language: StemmerLanguage) throws(TextIndexError) {
        var made: OpaquePointer?
        let code = cstemmer_new(language.rawValue, &made)
        guard code == CSTEMMER_OK, let made else {
            guard code == CSTEMMER_UNKNOWN_LANGUAGE else {
                throw TextIndexError(.limitExceeded, "There is no memory left for a stemmer.")
            }
            throw TextIndexError(
                .invalidArgument,
                "The installed libstemmer has no algorithm named \(language.rawValue). Install "
                    + "libstemmer 2.2 or newer with all its algorithms, or choose another language."
            )
        }
        handle = made
        self.language = language
    }

    deinit { cstemmer_delete(handle) }

    /// The stem of a word, replacing what `result` holds: what the algorithm gives, which may be
    /// empty, and longer than the word.
    ///
    /// A word that is too long or no well-formed UTF-8 is its own stem, as is every word while
    /// there is no memory.
    ///
    /// - Parameters:
    ///   - word: the word as the algorithms expect it: in lower case, composed, with its
    ///     diacritics.
    ///   - result: takes the stem.
    ///
    /// Complexity: linear in the word for most languages, at worst quadratic in
    /// `maximumWordLength`.
    func stem(_ word: UnsafeBufferPointer<UInt8>, into result: inout [UInt8]) {
        result.removeAll(keepingCapacity: true)
        guard word.count <= Self.maximumWordLength, UTF8Decoding.isWellFormed(word) else {
            result.append(contentsOf: word)
            return
        }
        var stem: UnsafePointer<UInt8>?
        var length = 0
        let code = cstemmer_stem(handle, word.baseAddress, word.count, &stem, &length)
        guard code == CSTEMMER_OK, let stem else {
            result.append(contentsOf: word)
            return
        }
        // Valid until the next call with this handle; copied here.
        result.append(contentsOf: UnsafeBufferPointer(start: stem, count: length))
    }
}

extension UTF8Decoding {
    /// Whether a text is nothing but UTF-8.
    static func isWellFormed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            let (scalar, length) = scalar(at: index, in: text)
            // U+FFFD itself has three bytes.
            if scalar == 0xfffd, length == 1 { return false }
            index += length
        }
        return true
    }
}

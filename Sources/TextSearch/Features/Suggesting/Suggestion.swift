/// A text to search for instead of the typed one.
public struct Suggestion: Sendable, Hashable, Codable {
    /// A range of the typed text, and what replaces it.
    public struct Edit: Sendable, Hashable, Codable {
        /// The replaced range, in UTF-8 code units of the typed text; empty for an insertion.
        public let utf8Range: Range<Int>
        /// The text that replaces the range.
        public let replacement: String
        /// The range of the replacement that was typed, in UTF-8 code units: the beginning of a
        /// completion, nothing of a correction.
        public let typedUTF8Range: Range<Int>

        /// The replaced range in the typed text.
        ///
        /// - Parameter text: the text that the suggestion was asked for.
        /// - Returns: The range; nil if `text` is another text.
        public func range(in text: String) -> Range<String.Index>? {
            text.range(ofUTF8: utf8Range)
        }

        /// The typed range of the replacement.
        public var typedRange: Range<String.Index>? { replacement.range(ofUTF8: typedUTF8Range) }
    }

    /// The whole suggested text, with the edits made.
    public let text: String
    /// The differences from the typed text, in order.
    public let edits: [Edit]
    /// How many objects support it; see ``Suggestions``.
    public let objectCount: Int
    /// The order of suggestions: greater is better. Compare it only with suggestions of the same
    /// kind for the same text.
    public let score: Double

    init(_ typed: String, _ edits: [Edit], objectCount: Int, score: Double) {
        let bytes = Array(typed.utf8)
        var result: [UInt8] = []
        var place = 0
        for edit in edits {
            result += bytes[place..<edit.utf8Range.lowerBound]
            result += Array(edit.replacement.utf8)
            place = edit.utf8Range.upperBound
        }
        text = String(decoding: result + bytes[place...], as: UTF8.self)
        self.edits = edits
        self.objectCount = objectCount
        self.score = score
    }
}

/// What a typed text may mean; see ``TextIndex/suggestions(for:options:texts:)``.
///
/// An object supports a suggestion if it matches the filter and, if any object does, the rest of
/// the text. It counts 1 plus its weight. Weights that are negative or not finite count as 0. The
/// sum is the score of a completion or phrase. For a correction it is multiplied by 0.02 for each
/// typing error, or for two easy ones: a neighbouring key, swapped letters, a double letter. Equal
/// scores are ordered by their UTF-8.
public struct Suggestions: Sendable, Hashable, Codable {
    /// Words of the index that begin with the last word of the text, supported by objects that have
    /// such a word. If the text already has the word, an object must have it again directly after
    /// the word before: *new york new* of *New York, New York*.
    public internal(set) var completions: [Suggestion] = []
    /// One or two further words that follow the text in objects; stop words between them do not
    /// count.
    public internal(set) var phrases: [Suggestion] = []
    /// Other words for up to four words at once that no object has, supported by objects that have
    /// all of the others. A word without a near one stays. A word that some object has is never
    /// corrected, nor an unfinished last word that begins some word.
    public internal(set) var corrections: [Suggestion] = []
    /// Whether nothing was left out for lack of time.
    public internal(set) var isComplete = true

    /// Whether there is nothing to suggest.
    public var isEmpty: Bool { completions.isEmpty && phrases.isEmpty && corrections.isEmpty }

    init() {}
}

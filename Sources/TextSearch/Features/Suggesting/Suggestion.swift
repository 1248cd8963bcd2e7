/// Another text to ask for instead of the one that was typed.
public struct Suggestion: Sendable, Hashable, Codable {
    /// A part of the typed text that is replaced.
    public struct Edit: Sendable, Hashable, Codable {
        /// The part, in UTF-8 code units of the typed text; empty where something is only added.
        public let utf8Range: Range<Int>
        /// What takes its place.
        public let replacement: String
        /// Which part of the replacement was typed, in UTF-8 code units: of a completion the beginning, of a correction nothing.
        public let typedUTF8Range: Range<Int>

        /// The part as a range of the text that was typed.
        ///
        /// - Parameter text: the text that the suggestion was asked for.
        /// - Returns: The range; nil when it is another text.
        public func range(in text: String) -> Range<String.Index>? {
            Self.range(utf8Range, in: text)
        }

        /// Which part of the replacement was typed, as a range of it.
        public var typedRange: Range<String.Index>? { Self.range(typedUTF8Range, in: replacement) }

        private static func range(
            _ range: Range<Int>, in text: String
        ) -> Range<String.Index>? {
            let bytes = text.utf8
            guard
                let lower = bytes.index(
                    bytes.startIndex, offsetBy: range.lowerBound, limitedBy: bytes.endIndex),
                let upper = bytes.index(lower, offsetBy: range.count, limitedBy: bytes.endIndex)
            else { return nil }
            return lower..<upper
        }
    }

    /// The whole text, as it is suggested.
    public let text: String
    /// What differs from the typed text, in order.
    public let edits: [Edit]
    /// How many objects speak for it; see ``Suggestions``.
    public let objectCount: Int
    /// What it is ordered by, greater is better; to be compared with suggestions of the same kind for the same text alone.
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

/// What may be meant by a text that is typed: see ``TextIndex/suggestions(for:options:texts:)``.
///
/// Objects speak for a suggestion when they match the filter and the rest of the text, where any object does that. Each counts for 1 and its
/// weight; weights below 0, and those that are no finite numbers, add nothing. That sum is the score of a completion and of a phrase; that of
/// a correction is multiplied by 0.02 for each typing error, or for two that are easily made: a neighbouring key, letters in the wrong order, a
/// double letter. Of the same score the first in the order of their UTF-8 come first.
public struct Suggestions: Sendable, Hashable, Codable {
    /// Words of the index that begin with the word at the end of the text; objects that have such a word speak for it. For a word that the
    /// text has already, only those do in which it stands there again, right behind the word before: *new york new* of *New York, New York*.
    public internal(set) var completions: [Suggestion] = []
    /// One or two further words that follow the text in objects; stop words between them do not count.
    public internal(set) var phrases: [Suggestion] = []
    /// Other words for those that no object has, for up to four of them at once; objects that have all of the others speak for it. A word that
    /// nothing is near to stays. A word that some object has is
    /// never corrected, nor is a word at the end of the text that some word begins with.
    public internal(set) var corrections: [Suggestion] = []
    /// Whether nothing was left out for want of time.
    public internal(set) var isComplete = true

    /// Whether there is nothing to suggest.
    public var isEmpty: Bool { completions.isEmpty && phrases.isEmpty && corrections.isEmpty }

    init() {}
}

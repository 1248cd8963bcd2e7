/// The words that an index leaves out: so frequent that they tell objects apart badly.
///
/// They keep their positions, so that phrases over them keep their gaps, and queries drop them as text does.
public struct StopWords: Sendable, Hashable {
    /// The words, as they are to be compared: folded by the index's own folding when it opens.
    let words: [String]
    /// What goes into the analyzer's fingerprint.
    let name: String

    /// No stop words.
    public static let none = StopWords(words: [], name: "none")

    /// A short list of English function words; no content words.
    public static let english = StopWords(words: englishWords, name: "english-1")

    /// The built-in list of a language given by its ISO 639-1 code, or no stop words when there is none.
    ///
    /// - Parameter code: a language code such as `"en"`.
    /// - Returns: The list.
    public static func language(_ code: String) -> StopWords {
        code == "en" ? .english : .none
    }

    /// A list of your own.
    ///
    /// - Parameter words: the words, in any case and form; they are folded as text is.
    /// - Returns: The list.
    public static func words(_ words: [String]) -> StopWords {
        let sorted = Set(words).sorted()
        return StopWords(words: sorted, name: "words:" + sorted.joined(separator: ","))
    }

    private static let englishWords: [String] = [
        "a", "am", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "did", "do",
        "does", "for", "from", "had", "has", "have", "having", "he", "her", "hers", "him", "his",
        "i", "if", "in", "into", "is", "it", "its", "itself", "me", "my", "nor", "of", "on", "or",
        "our", "ours", "she", "so", "than", "that", "the", "their", "theirs", "them", "then",
        "there", "these", "they", "this", "those", "to", "too", "us", "was", "we", "were", "what",
        "when", "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you",
        "your", "yours",
    ]
}

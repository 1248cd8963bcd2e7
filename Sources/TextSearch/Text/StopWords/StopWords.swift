/// Words of little value, so frequent that they hardly distinguish objects.
///
/// An index has them as it has other words. In a query text they are not required beside other
/// words. If ``TextIndexConfiguration/indexesStopWords`` is false, an index leaves them out: they
/// keep their positions, so phrases keep their gaps, and queries drop them too. Words are compared
/// in folded form, before any ``TermFilter`` changes them.
public struct StopWords: Sendable, Hashable {
    /// The words, as they are to be compared: folded by the index's own folding when it opens.
    let words: [String]
    /// What goes into the analyzer's fingerprint.
    let name: String

    /// No stop words: every word counts.
    public static let none = StopWords(words: [], name: "none")

    /// A short list of English function words; no content words.
    public static let english = StopWords(words: englishWords, name: "english-1")

    /// Returns the built-in list of a language, or no stop words if there is none.
    ///
    /// The lists hold 40 to 120 function words (articles, pronouns, prepositions, conjunctions,
    /// auxiliaries) and no content words. Text is compared without accents and case, so function
    /// words that become a common content word that way are left out of a language's list: Romanian
    /// *peste* (over) is also *pește* (fish), Turkish *şu* (that) also *su* (water), Swedish *är*
    /// (is) also *år* (year). Vietnamese has fewer than 30 words for that reason: *với* (with) is
    /// also *voi* (elephant).
    ///
    /// Chinese, Japanese and Thai are written without spaces and have no list, since the index
    /// holds pairs of their characters, not words.
    ///
    /// - Parameter code: a language code such as `"en"`, in any case; see ``availableLanguages``.
    /// - Returns: The list.
    public static func language(_ code: String) -> StopWords {
        let code = code.lowercased()
        if code == "en" { return .english }
        // Norwegian has two codes for one list; which of them is given must not change the
        // fingerprint.
        let name = (code == "no" ? "nb" : code) + "-1"
        guard let words = StopWordLists.words(code) else { return .none }
        return StopWords(words: words.split(separator: " ").map(String.init), name: name)
    }

    /// The codes of the languages that have a list, sorted.
    public static var availableLanguages: [String] { (StopWordLists.codes + ["en"]).sorted() }

    /// Returns the lists of several languages together, for text in any of them.
    ///
    /// A function word of one language can be a content word of another, as German *die* is. Name
    /// only languages of your text.
    ///
    /// - Parameter codes: language codes in any order; those without a list add nothing.
    /// - Returns: The list.
    public static func languages(_ codes: [String]) -> StopWords {
        var lists: [String: StopWords] = [:]
        for list in codes.map(language) where list != .none { lists[list.name] = list }
        let names = lists.keys.sorted()
        if names.isEmpty { return .none }
        if names.count == 1, let list = lists[names[0]] { return list }
        return StopWords(
            words: Set(lists.values.flatMap(\.words)).sorted(), name: names.joined(separator: "+"))
    }

    /// Returns a list of your own.
    ///
    /// - Parameter words: the words, in any case and form; they are folded as text is.
    /// - Returns: The list.
    public static func words(_ words: [String]) -> StopWords {
        let sorted = Set(words).sorted()
        let names = sorted.map { FieldAnalyzer.name($0, in: ",") }
        return StopWords(words: sorted, name: "words:" + names.joined(separator: ","))
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

/// What to suggest, and from which objects.
public struct SuggestionOptions: Sendable {
    /// The kinds of suggestions, as a set.
    public struct Kinds: OptionSet, Sendable, Hashable {
        /// The bits, one for each kind.
        public let rawValue: Int

        /// Creates a set of kinds from its bits.
        ///
        /// - Parameter rawValue: the bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Words that complete the last word of the text.
        public static let completions = Kinds(rawValue: 1)
        /// Words that follow the text in objects, whose text is read for that.
        public static let phrases = Kinds(rawValue: 2)
        /// Other words for those that no object has.
        public static let corrections = Kinds(rawValue: 4)
        /// All three kinds of suggestions.
        public static let all: Kinds = [.completions, .phrases, .corrections]
    }

    /// The maximum number of suggestions of each kind; 5 by default.
    public var limit = 5
    /// The kinds of suggestions to make; all by default.
    public var kinds = Kinds.all
    /// The name of the field whose words are suggested; nil, the default, for all strings, read as
    /// strings without an analysis of their own.
    public var field: String?
    /// A query that objects must match to support a suggestion; nil by default.
    public var filter: Query?
    /// The keyboard on which typing errors are made; QWERTY by default.
    public var keyboard = KeyboardLayout.qwerty
    /// The time for all suggestions; unlimited by default. It is also checked between the objects
    /// whose text is read for phrases.
    public var budget = SearchBudget.unlimited

    /// Creates options with the defaults of the properties.
    public init() {}
}

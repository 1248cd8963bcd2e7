/// What to suggest.
public struct SuggestionOptions: Sendable {
    /// The kinds of suggestions.
    public struct Kinds: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// Makes kinds of bits.
        ///
        /// - Parameter rawValue: the bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Words that begin with the last one.
        public static let completions = Kinds(rawValue: 1)
        /// What follows the text in objects. Their text is asked for.
        public static let phrases = Kinds(rawValue: 2)
        /// Other words for those that no object has.
        public static let corrections = Kinds(rawValue: 4)
        /// All of them.
        public static let all: Kinds = [.completions, .phrases, .corrections]
    }

    /// How many suggestions of each kind to give at most.
    public var limit = 5
    /// Which kinds to give.
    public var kinds = Kinds.all
    /// The field whose words are suggested, by its name; nil for all strings, whose words are read as those of strings without an
    /// analysis of their own.
    public var field: String?
    /// What objects must match to speak for a suggestion.
    public var filter: Query?
    /// The keyboard that typing errors are made on.
    public var keyboard = KeyboardLayout.qwerty
    /// How long it may take; it is also looked at between the objects whose text is read for phrases.
    public var budget = SearchBudget.unlimited

    /// The default options.
    public init() {}
}

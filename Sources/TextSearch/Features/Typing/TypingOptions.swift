/// What a ``TypingSession`` returns, and how it reads the typed text.
public struct TypingOptions: Sendable {
    /// The maximum number of results of an answer; 20 by default.
    public var limit = 20
    /// How results are ordered; by relevance by default. A custom order needs all matches, so
    /// earlier work is not reused.
    public var ranking = Ranking.relevance
    /// The fields to search if the text names none; empty, the default, for all strings.
    public var fields: [String] = []
    /// A query that results must match too, without an effect on their scores; nil by default.
    public var filter: Query?
    /// How the text is read; nil, the default, for ``TextIndex/queryParser``. The last word may
    /// always be unfinished.
    public var parser: QueryParser?

    /// Creates options with the defaults of the properties.
    public init() {}
}

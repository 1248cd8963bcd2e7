/// What a ``TypingSession`` gives, and how it reads what is typed.
public struct TypingOptions: Sendable {
    /// How many results an answer has at most.
    public var limit = 20
    /// What results are ordered by. An order of the application's own takes all results, and nothing is gained by typing on then.
    public var ranking = Ranking.relevance
    /// The fields to look in, where the text names none; empty for all strings.
    public var fields: [String] = []
    /// What must match besides, without an effect on the scores.
    public var filter: Query?
    /// How the text is read; nil for as ``TextIndex/queryParser`` does. That a word at the end may be unfinished goes without saying.
    public var parser: QueryParser?

    /// The default options.
    public init() {}
}

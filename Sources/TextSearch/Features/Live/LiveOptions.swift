/// What the answer to a live query is.
public struct LiveOptions: Sendable {
    /// How many of the best results the answer has at most.
    public var limit = 20
    /// What results are ordered by. With ``Ranking/learning(_:)`` the answer is found again, too, when something is recorded or forgotten for the
    /// query; that engagements fade shows only when it is.
    public var ranking = Ranking.relevance
    /// Results with a lower score are left out, and not counted.
    public var minimumScore = -Double.infinity
    /// Whether the answer is found again after each commit, also of objects that do not match.
    ///
    /// Relevance depends on all objects: how many there are, and how long their strings are on average. So scores change a little with
    /// each commit, and results may change places that nobody touched. By default that waits until an object comes or goes that matches,
    /// and other commits cost no search. With `true` the answer is at any time that of a search.
    public var rescoresAlways = false
    /// How long each search for the answer may take; nil for as long as ``TextIndexConfiguration/searchTimeout`` says.
    ///
    /// An answer that took longer is the best until then (``LiveDifference/isComplete``). It is searched for again at the next commit,
    /// whatever that changed.
    public var time: Duration?
    /// The fields to look in, where the text or query names none; empty for all strings.
    public var fields: [String] = []
    /// What must match besides, without an effect on the scores.
    public var filter: Query?
    /// How a text is read; nil for as ``TextIndex/queryParser`` does.
    public var parser: QueryParser?

    /// The default options.
    public init() {}
}

/// What the answer to a live query contains, and when it is renewed.
public struct LiveOptions: Sendable {
    /// The maximum number of results; 20 by default.
    public var limit = 20
    /// How results are ordered; by relevance by default. With ``Ranking/learning(_:)`` the answer
    /// is also renewed when an engagement is recorded or forgotten for the query, but not as
    /// engagements decay.
    public var ranking = Ranking.relevance
    /// The lowest score of a result; no limit by default. Results below it are neither returned nor
    /// counted.
    public var minimumScore = -Double.infinity
    /// Whether every commit renews the answer, even if no object of it matches; false by default.
    ///
    /// Relevance depends on all objects: on their number, and on the average length of their
    /// strings. So every commit changes scores a little, and may reorder results that nobody
    /// touched. By default the answer is renewed only when a matching object comes or goes, and
    /// other commits cost no search. With `true` the answer always equals that of a search.
    public var rescoresAlways = false
    /// How long each search for the answer may take; nil, the default, for
    /// ``TextIndexConfiguration/searchTimeout``.
    ///
    /// If time runs out, the answer is the best found so far, ``LiveDifference/isComplete`` is
    /// false, and the next commit searches again.
    public var time: Duration?
    /// The fields to search if the text or query names none; empty, the default, for all strings.
    public var fields: [String] = []
    /// A query that results must match too, without an effect on their scores; nil by default.
    public var filter: Query?
    /// How a text is read; nil, the default, for ``TextIndex/queryParser``.
    public var parser: QueryParser?

    /// Creates options with the defaults of the properties.
    public init() {}
}

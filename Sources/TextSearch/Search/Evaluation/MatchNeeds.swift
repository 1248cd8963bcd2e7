/// What is needed of the matches of a query: the rest is not looked for.
struct MatchNeeds {
    /// Which documents' hits are wanted.
    enum Hits {
        /// Those of none: documents and scores alone.
        case none
        case all
        /// Those of some documents, ascending. Others are not found, and scores are not right.
        case some([UInt32])

        /// Whether hits are wanted.
        var areKept: Bool {
            if case .none = self { false } else { true }
        }

        /// Which documents alone are to be looked at, if some are.
        var documents: [UInt32]? {
            if case .some(let documents) = self { documents } else { nil }
        }
    }

    var hits = Hits.none
    /// How many hits of each document of a part of the query are kept, where they are to be shown.
    var mostHits = Int.max
    /// Whether scores are wanted; otherwise only the documents are right.
    var scores = true
    /// Whether all matches are asked for anyhow, so that nothing is gained where only the best of a
    /// pattern are made.
    var allMatches = false

    /// Documents without scores.
    static var documents: MatchNeeds { MatchNeeds(scores: false) }
}

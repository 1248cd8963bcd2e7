/// What is needed of the matches of a query: the rest is not looked for.
///
/// The collector of the matches chooses a kind. It is handed down from scorer to scorer; one that
/// needs something else of its parts hands them a value of its own.
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
    /// The same of a word: the first ones in the text of the document.
    var mostHitsOfWord = Int.max
    /// Whether scores are wanted, which other indexes are told of; otherwise only the documents are
    /// right.
    var scores = true
    /// The document of which it is noted how words are scored, if somebody wants to know.
    var traced: UInt32?
    /// Whether it is asked in how many living documents each term stands, even where only what a
    /// pattern adds up to is looked for.
    var frequencies = false
    /// Whether what is cut short is of no use: it would let through what is to be left out.
    var whole = false
    /// Whether which terms a pattern stands for is found out before it is looked for in some
    /// documents: in their segments there may be few enough.
    var settledPatterns = false
    /// The documents that alone are scored; others may be found, too.
    var selection: Selection?
    /// What multiplies scores, where the query is made of the tiers of a search: within each tier.
    var tierFactors = TierFactors.none

    // MARK: Kinds

    /// Documents with their scores, of which the best are taken.
    static var scores: MatchNeeds { MatchNeeds() }

    /// Documents without scores, which are counted or listed.
    static var documents: MatchNeeds { MatchNeeds(scores: false) }

    /// Documents with their scores and all hits, which become items.
    static var items: MatchNeeds { MatchNeeds(hits: .all) }

    /// Documents with their scores, and how those of one came about.
    static func trace(of document: UInt32) -> MatchNeeds { MatchNeeds(traced: document) }

    /// Hits of some documents, ascending, which are shown.
    static func hits(of documents: [UInt32]) -> MatchNeeds { MatchNeeds(hits: .some(documents)) }

    /// The same with or without scores.
    func scored(_ scores: Bool) -> MatchNeeds {
        var needs = self
        needs.scores = scores
        return needs
    }
}

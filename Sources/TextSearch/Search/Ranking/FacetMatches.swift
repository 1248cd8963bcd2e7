/// The objects that a query matches, with what orders them where somebody asks.
struct FacetMatches {
    /// Ascending.
    var documents: [UInt32] = []
    /// What they are ordered by, the greatest first; between equal ones relevance decides.
    var order: [Double] = []
    var scores: [Double] = []
    var relevances: [Double] = []

    init() {}

    /// Documents in the order of the results.
    init(ranked: [RankedDocument]) {
        let places = ranked.indices.sorted { ranked[$0].document < ranked[$1].document }
        documents = places.map { ranked[$0].document }
        order = places.map { -Double($0) }
        scores = places.map { ranked[$0].score }
        relevances = places.map { ranked[$0].relevance }
    }

    /// The document at a place with what it is ordered by.
    @inline(__always)
    func entry(_ place: Int) -> RankedDocument {
        RankedDocument(
            document: documents[place], score: order[place], relevance: relevances[place])
    }

    /// A document with what its item shows.
    func shown(_ entry: RankedDocument) -> RankedDocument {
        let place = documents.firstPlace { $0 >= entry.document }
        return RankedDocument(
            document: entry.document, score: scores[place], relevance: relevances[place])
    }
}

/// The best documents of a query, and how many it matches.
struct TopMatches {
    /// Best first.
    var entries: [TopHeap.Entry] = []
    var count = 0
    /// Whether there are no more than `count`.
    var isExact: Bool
    /// Whether the query is nothing but words, all of which some object has.
    var knowsAllWords = false

    var ranked: [RankedDocument] {
        entries.map {
            RankedDocument(document: $0.document, score: $0.score, relevance: $0.score)
        }
    }
}

import TextSearch

/// Similar objects for machines: one JSON document.
struct SimilarReport: Encodable {
    struct Term: Encodable {
        let text: String
        let term: String
        let occurrences: Int
        let documentFrequency: Int
        let weight: Double
    }

    /// What the hits are like by.
    let terms: [Term]
    let notes: [String]
    let total: Int
    let offset: Int
    let seconds: Double
    let hits: [SearchReport.Item]

    init(
        _ terms: [SignificantTerm], _ results: SearchResults<Record>, notes: [String], offset: Int,
        seconds: Double, hits: [Hit], fields: [String]
    ) {
        self.terms = terms.map {
            Term(
                text: $0.text, term: $0.term, occurrences: $0.occurrences,
                documentFrequency: $0.documentFrequency, weight: $0.weight)
        }
        self.notes = notes
        total = results.totalCount.value
        self.offset = offset
        self.seconds = seconds
        self.hits = hits.map { SearchReport.Item($0, fields: fields) }
    }
}

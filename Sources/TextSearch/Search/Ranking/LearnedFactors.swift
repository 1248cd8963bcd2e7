/// What the relevance of documents is multiplied by, for one query in one state of the index.
struct LearnedFactors: Sendable {
    static let none = LearnedFactors([])

    /// Ascending.
    let documents: [UInt32]
    /// Greater than 1.
    private let factors: [Double]

    init(_ entries: [(document: UInt32, factor: Double)]) {
        let sorted = entries.sorted { $0.document < $1.document }
        documents = sorted.map(\.document)
        factors = sorted.map(\.factor)
    }

    var isEmpty: Bool { documents.isEmpty }

    /// The score of a document; one that is not positive stays as it is.
    func raised(_ score: Double, of document: UInt32) -> Double {
        guard score > 0, let factor = factor(of: document) else { return score }
        return score * factor
    }

    func factor(of document: UInt32) -> Double? {
        let place = documents.firstPlace { $0 >= document }
        return place < documents.count && documents[place] == document ? factors[place] : nil
    }

    /// Raises the scores of all matches.
    ///
    /// Complexity: n log m for the n learned documents and m matches.
    func raise(_ matches: inout QueryMatches) {
        for (document, factor) in zip(documents, factors) {
            let place = matches.documents.firstPlace { $0 >= document }
            guard place < matches.documents.count, matches.documents[place] == document,
                matches.scores[place] > 0
            else { continue }
            matches.scores[place] *= factor
        }
    }

    /// How a relevance is raised, as `raised(_:of:)` does it.
    static func raised(
        _ relevance: ScoreExplanation?, of document: UInt32, by learned: LearnedFactors?
    ) -> ScoreExplanation? {
        guard let relevance, relevance.value > 0, let factor = learned?.factor(of: document)
        else { return relevance }
        return ScoreExplanation(
            "relevance · engagement", .product,
            [relevance, ScoreExplanation("chosen before for this query", value: factor)])
    }
}

/// What a request has learned, where it counts: of a query that steps have made, within each step,
/// so that a step's place comes first.
struct RequestFactors: Sendable {
    let ofAll: LearnedFactors
    let ofTiers: LearnedFactors
}

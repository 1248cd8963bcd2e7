/// What the relevance of documents is multiplied by, for one query in one state of the index.
struct DocumentFactors: Sendable {
    static let none = DocumentFactors(learned: [], close: [])

    /// What a document's relevance is multiplied by: 1 or more each.
    private struct Factors {
        var learned = 1.0
        var close = 1.0

        func raised(_ score: Double) -> Double { score > 0 ? score * close * learned : score }
    }

    /// Ascending.
    let documents: [UInt32]
    private let factors: [Factors]
    /// Whether some were chosen before: documents of any step may be.
    let hasLearned: Bool

    /// `learned` are documents that were chosen before for the query, and `close` are those that
    /// have its words close together, ascending; each document comes once in either.
    init(
        learned: [(document: UInt32, factor: Double)], close: [(document: UInt32, factor: Double)]
    ) {
        hasLearned = !learned.isEmpty
        let learned = learned.sorted { $0.document < $1.document }
        var documents: [UInt32] = []
        var factors: [Factors] = []
        documents.reserveCapacity(close.count + learned.count)
        factors.reserveCapacity(close.count + learned.count)
        var next = 0
        func append(_ entry: (document: UInt32, factor: Double)) {
            documents.append(entry.document)
            factors.append(Factors(learned: entry.factor))
        }
        for (document, factor) in close {
            while next < learned.count, learned[next].document < document {
                append(learned[next])
                next += 1
            }
            let isLearned = next < learned.count && learned[next].document == document
            documents.append(document)
            factors.append(Factors(learned: isLearned ? learned[next].factor : 1, close: factor))
            if isLearned { next += 1 }
        }
        for entry in learned[next...] { append(entry) }
        self.documents = documents
        self.factors = factors
    }

    var isEmpty: Bool { documents.isEmpty }

    /// The score of a document; one that is not positive stays as it is.
    func raised(_ score: Double, of document: UInt32) -> Double {
        factors(of: document)?.raised(score) ?? score
    }

    private func factors(of document: UInt32) -> Factors? {
        let place = documents.firstPlace { $0 >= document }
        return place < documents.count && documents[place] == document ? factors[place] : nil
    }

    /// Raises the scores of all matches.
    ///
    /// Complexity: n log m for the n documents that have factors and m matches.
    func raise(_ matches: inout QueryMatches) {
        for (document, factors) in zip(documents, factors) {
            let place = matches.documents.firstPlace { $0 >= document }
            guard place < matches.documents.count, matches.documents[place] == document else {
                continue
            }
            matches.scores[place] = factors.raised(matches.scores[place])
        }
    }

    /// How a relevance is raised, as `raised(_:of:)` does it.
    static func raised(
        _ relevance: ScoreExplanation?, of document: UInt32, by factors: DocumentFactors?
    ) -> ScoreExplanation? {
        guard let relevance, relevance.value > 0, let found = factors?.factors(of: document)
        else { return relevance }
        var raised = relevance
        if found.close > 1 {
            raised = ScoreExplanation(
                "relevance · closeness", .product,
                [raised, ScoreExplanation(Closeness.name(of: found.close), value: found.close)])
        }
        if found.learned > 1 {
            raised = ScoreExplanation(
                "relevance · engagement", .product,
                [raised, ScoreExplanation("chosen before for this query", value: found.learned)])
        }
        return raised
    }
}

/// What multiplies the relevance for a request, where it counts: of a query that steps have made,
/// within each step, so that a step's place comes first.
struct RequestFactors: Sendable {
    let ofAll: DocumentFactors
    let ofTiers: DocumentFactors
}

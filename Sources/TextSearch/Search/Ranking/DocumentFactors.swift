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
    func raise(_ matches: inout QueryMatches) { raise(&matches.scores, of: matches.documents) }

    /// Raises the scores of some ascending documents.
    func raise(_ scores: inout [Double], of some: [UInt32]) {
        for (document, factors) in zip(documents, factors) {
            let place = some.firstPlace { $0 >= document }
            guard place < some.count, some[place] == document else { continue }
            scores[place] = factors.raised(scores[place])
        }
    }

    /// The scores of all matches as they are raised.
    func raised(_ matches: QueryMatches) -> [Double] {
        var scores = matches.scores
        raise(&scores, of: matches.documents)
        return scores
    }

    /// The same with documents that have the words of a query close together, besides; ascending.
    ///
    /// Complexity: linear.
    func adding(close others: [(document: UInt32, factor: Double)]) -> DocumentFactors {
        if others.isEmpty { return self }
        var all: [(document: UInt32, factor: Double)] = []
        all.reserveCapacity(documents.count + others.count)
        var next = 0
        for (document, own) in zip(documents, factors) where own.close > 1 {
            while next < others.count, others[next].document < document {
                all.append(others[next])
                next += 1
            }
            if next < others.count, others[next].document == document { next += 1 }
            all.append((document, own.close))
        }
        all += others[next...]
        return DocumentFactors(
            learned: zip(documents, factors).filter { $1.learned > 1 }.map { ($0, $1.learned) },
            close: all)
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

/// What multiplies the relevance within each tier of a search.
struct TierFactors: Sendable {
    static let none = TierFactors(documents: .none, countsWeights: false)

    let documents: DocumentFactors
    /// Whether weights do, too.
    let countsWeights: Bool

    /// Raises the scores of a tier. Those for which there is no time are the last.
    func raise(
        _ matches: inout QueryMatches, _ snapshot: Snapshot, _ clock: SearchClock
    ) throws {
        documents.raise(&matches)
        guard countsWeights else { return }
        var weights = WeightLookup(snapshot)
        for (place, document) in matches.documents.enumerated() where matches.scores[place] != 0 {
            if clock.isOver(afterCombining: 4) {
                matches.scores[place] = -.infinity
                continue
            }
            matches.scores[place] = Ranking.weighed(
                matches.scores[place], by: try weights.weight(of: document))
        }
    }

    /// How the relevance of a document in a tier is raised, as `raise` does it.
    func raised(
        _ relevance: ScoreExplanation?, of document: UInt32, _ snapshot: Snapshot
    ) throws -> ScoreExplanation? {
        let raised = DocumentFactors.raised(relevance, of: document, by: documents)
        guard countsWeights, let raised else { return raised }
        var weights = WeightLookup(snapshot)
        return .weighed(raised, by: try weights.weight(of: document))
    }
}

extension ScoreExplanation {
    /// What ``Ranking/combined`` makes of a relevance.
    static func weighed(_ relevance: ScoreExplanation, by weight: Double) -> ScoreExplanation {
        // Not even of an infinite weight.
        guard relevance.value != 0 else {
            return ScoreExplanation(
                "no relevance, no share of the weight", .product, [relevance])
        }
        let weight = ScoreExplanation(
            "a weight of 0 or less is the least", .maximum,
            [
                ScoreExplanation("weight", value: weight),
                ScoreExplanation("the least", value: .leastNormalMagnitude),
            ])
        return ScoreExplanation("relevance · weight", .product, [relevance, weight])
    }
}

/// What multiplies the relevance for a request, where it counts: of a query that steps have made,
/// within each step, so that a step's place comes first.
struct RequestFactors: Sendable {
    let ofAll: DocumentFactors
    let ofTiers: TierFactors
}

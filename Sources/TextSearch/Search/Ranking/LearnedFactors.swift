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

extension SearchRequest {
    var factors: RequestFactors {
        let learned = learned ?? .none
        return RequestFactors(
            ofAll: hasTiers ? .none : learned, ofTiers: hasTiers ? learned : .none)
    }
}

extension QueryEvaluator {
    /// Puts the documents that are raised where they belong among the best, which are `count` or
    /// all that match.
    ///
    /// A document that is not raised and is among the best after it was among them before, for what
    /// comes above it can only have become more. So those that are raised and were not among them
    /// are all that has to be looked at besides.
    mutating func raise(
        _ best: inout Best, of parts: [Part], _ combination: Combination,
        by learned: LearnedFactors, _ count: Int, _ filter: FilterSets?
    ) throws {
        guard !learned.isEmpty, !best.entries.isEmpty else { return }
        if best.entries.count >= count {
            let known = Set(best.entries.map(\.document))
            let others = learned.documents.filter { !known.contains($0) }
            let passing = filter?.documents(among: others) ?? others
            best.entries += try entries(of: parts, combination, among: passing)
        }
        for place in best.entries.indices {
            let entry = best.entries[place]
            best.entries[place].score = learned.raised(entry.score, of: entry.document)
        }
        best.entries.sort { $1.isWorse(than: $0) }
        best.entries.removeSubrange(min(count, best.entries.count)...)
    }

    /// Those of some documents that match, with their scores: what the documents add to a sum is 0.
    mutating func entries(
        of parts: [Part], _ combination: Combination, among documents: [UInt32]
    ) throws -> [TopHeap.Entry] {
        guard !documents.isEmpty else { return [] }
        let some = Part.list(QueryMatches(unscored: documents))
        guard combination == .any else {
            let required = parts.filter { !$0.isBonus }
            return try best(
                of: required + [some] + parts[required.count...], .all, documents.count, 0
            ).entries
        }
        let found = try parts.map { part in
            let entries = try best(of: [part, some], .all, documents.count, 0).entries
            var matches = QueryMatches()
            for entry in entries.sorted(by: { $0.document < $1.document }) {
                matches.documents.append(entry.document)
                matches.scores.append(entry.score)
            }
            return matches
        }
        let all = try QueryMatches.union(found, work)
        return zip(all.documents, all.scores).map {
            TopHeap.Entry(score: $1, document: $0)
        }
    }
}

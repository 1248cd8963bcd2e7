import Foundation

extension TextIndex {
    /// What multiplies the relevance of documents for a request: the same for all its pages.
    func factors(
        for request: SearchRequest, _ snapshot: Snapshot, _ clock: SearchClock,
        _ typed: TypedPrefixes? = nil
    ) throws -> DocumentFactors {
        if let factors = request.documentFactors { return factors }
        var learned: [(document: UInt32, factor: Double)] = []
        if let boost = request.ranking.engagement, let found = try engagements(for: request) {
            learned = try entries(of: found, boost, snapshot)
        }
        var close: [(document: UInt32, factor: Double)] = []
        if let words = request.closeness {
            var evaluator = evaluator(snapshot, request.ranking, clock)
            evaluator.terms.typed = typed
            close = try words.documents(beside: evaluator)
        }
        if learned.isEmpty, close.isEmpty { return .none }
        return DocumentFactors(learned: learned, close: close)
    }

    /// The engagements with a request's query; nil where there are none, or its ranking does not
    /// learn.
    func engagements(for request: SearchRequest) throws -> QueryEngagements? {
        guard request.ranking.engagement != nil else { return nil }
        let text = request.text.map { engagementText($0) } ?? engagementText(request.query)
        return try text.flatMap {
            try QueryEngagements.stored(Array($0.utf8), in: store)?.entry
        }
    }

    /// The form in which a text is compared with others; nil when it asks for everything or
    /// nothing.
    func engagementText(_ text: String) -> String? {
        EngagementQuery.text(queryParser.parse(text).query)
    }

    func engagementText(_ query: Query) -> String? { EngagementQuery.text(query) }

    private func entries(
        of engagements: QueryEngagements, _ boost: EngagementBoost, _ snapshot: Snapshot
    ) throws -> [(document: UInt32, factor: Double)] {
        let time = (boost.date ?? Date()).timeIntervalSinceReferenceDate
        var entries: [(document: UInt32, factor: Double)] = []
        var lookup = IdentifierLookup(store: store)
        for (identifier, engagement) in engagements.objects {
            let factor = boost.multiplier(
                engagement, at: time, halfLife: configuration.learning.halfLife)
            guard factor > 1 else { continue }
            let document = try identifier.withUnsafeBufferPointer {
                try lookup.document(for: $0, in: snapshot)
            }
            if let document { entries.append((document, factor)) }
        }
        return entries
    }
}

import Foundation

extension TextIndex {
    /// What a request's ranking makes of the engagements with its query: the same for all pages.
    func learned(for request: SearchRequest, _ snapshot: Snapshot) throws -> LearnedFactors {
        if let learned = request.learned { return learned }
        guard let boost = request.ranking.engagement else { return .none }
        return try learned(from: try engagements(for: request), boost, snapshot)
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

    private func learned(
        from engagements: QueryEngagements?, _ boost: EngagementBoost, _ snapshot: Snapshot
    ) throws -> LearnedFactors {
        guard let engagements else { return .none }
        let time = (boost.date ?? Date()).timeIntervalSinceReferenceDate
        var entries: [(UInt32, Double)] = []
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
        return LearnedFactors(entries)
    }
}

import Foundation

extension TextIndex {
    /// What a request's ranking makes of the engagements with its query. The request keeps it, so that all of its pages have the same.
    func learn(_ request: inout SearchRequest, _ snapshot: Snapshot) throws -> LearnedFactors {
        if let learned = request.learned { return learned }
        guard let boost = request.ranking.engagement else { return .none }
        let learned = try learned(
            request.text.map { engagementText($0) } ?? engagementText(request.query), boost,
            snapshot)
        request.learned = learned
        return learned
    }

    /// The form in which a text is compared with others; nil when it asks for everything or nothing.
    func engagementText(_ text: String) -> String? {
        EngagementQuery.text(queryParser.parse(text).query)
    }

    func engagementText(_ query: Query) -> String? { EngagementQuery.text(query) }

    private func learned(
        _ text: String?, _ boost: EngagementBoost, _ snapshot: Snapshot
    ) throws -> LearnedFactors {
        guard let text, let stored = try QueryEngagements.stored(Array(text.utf8), in: store)
        else { return .none }
        let time = (boost.date ?? Date()).timeIntervalSinceReferenceDate
        var entries: [(UInt32, Double)] = []
        var lookup = IdentifierLookup(store: store)
        for (identifier, engagement) in stored.entry.objects {
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

/// Where a result of one index comes among those of others, as a value for other processes.
///
/// The results of each index are in order already. Merged by their ranks, and by the order of the
/// indexes between equal ones, they are in the order of one index.
package struct ShardRank: Equatable, Sendable {
    /// What decides first, but in an order by attributes; see ``SearchResultItem/score``.
    package let score: Double
    /// What decides between equal scores.
    package let relevance: Double
    /// The object's weight, as far as the order asks for it.
    package let weight: Double
    /// The values that an order by attributes compares; nil where the object has none.
    package let values: [AttributeValue?]

    /// The rank of a result of a search with this order.
    package init<Object>(_ item: SearchResultItem<Object>, _ ranking: Ranking) {
        score = item.score
        relevance = item.relevance
        guard let keys = ranking.sortKeys else {
            weight = 0
            values = []
            return
        }
        weight = item.weight
        let attributes = keys.contains { $0.attributeName != nil } ? item.attributes : [:]
        values = keys.map { key in
            key.attributeName.flatMap { key.value(of: attributes[$0]) }
        }
    }

    /// A rank as another process said it.
    package init(
        score: Double, relevance: Double, weight: Double = 0, values: [AttributeValue?] = []
    ) {
        self.score = score
        self.relevance = relevance
        self.weight = weight
        self.values = values
    }

    /// Whether a result comes before another one; false for equal ones.
    package func precedes(_ other: ShardRank, _ ranking: Ranking) -> Bool {
        guard let keys = ranking.sortKeys else {
            if score != other.score { return score > other.score }
            return relevance > other.relevance
        }
        for (place, key) in keys.enumerated() {
            let order = order(other, key, place)
            if order != 0 { return order < 0 }
        }
        return false
    }

    private func order(_ other: ShardRank, _ key: SortKey, _ place: Int) -> Int {
        switch key.kind {
        case .attribute:
            key.order(value(at: place), other.value(at: place))
        case .weight: key.order(weight, other.weight)
        case .relevance: key.order(score, other.score)
        }
    }

    /// Another process may have said less.
    private func value(at place: Int) -> AttributeValue? {
        place < values.count ? values[place] : nil
    }
}

extension Ranking {
    /// What an order by attributes, weight or relevance compares; nil for an order by score.
    package var sortKeys: [SortKey]? {
        if case .sorted(let keys) = kind { keys } else { nil }
    }
}

extension SortKey {
    fileprivate var attributeName: String? {
        if case .attribute(let name) = kind { name } else { nil }
    }
}

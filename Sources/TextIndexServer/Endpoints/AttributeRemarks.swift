import TextIndexInterface
import TextSearch

/// What is to be said of attributes to sort or count by that no object has: most are mistyped.
struct AttributeRemarks<Object: Sendable> {
    private let sorted: [String]
    private let counted: [String]

    /// - Parameters:
    ///   - sorted: the attributes that hits are sorted by.
    ///   - facets: what was counted.
    init(_ sorted: [String], _ facets: [FacetCounts<Object>]) {
        self.sorted = sorted
        counted = facets.filter(\.areEmpty).map(\.facet.attribute)
    }

    /// - Parameters:
    ///   - all: the indexes that were searched.
    ///   - items: what was found in each.
    ///   - isComplete: whether the search came to its end; otherwise there is no time for more.
    ///   - budget: how long it may take.
    /// - Returns: A remark for each attribute.
    /// - Throws: `TextIndexError`.
    func remarks(
        on all: [ServedIndex<Object>], beside items: [[SearchResultItem<Object>]],
        isComplete: Bool, _ budget: SearchBudget
    ) throws -> [QueryDiagnostic] {
        guard isComplete else { return [] }
        var remarks: [QueryDiagnostic] = []
        for (names, purpose) in [(sorted, "sorted"), (counted, "counted")] {
            var unknown = names
            for (served, found) in zip(all, items) where !unknown.isEmpty {
                unknown = try served.index.unknownAttributes(among: unknown, beside: found, budget)
            }
            for name in unknown {
                remarks.append(
                    QueryDiagnostic(
                        kind: .unknownAttribute, utf8Range: 0..<0,
                        message: "No object has the attribute \(name), which hits are to be "
                            + "\(purpose) by."))
            }
        }
        return remarks
    }
}

extension QueryDiagnostic.Kind {
    static let unknownAttribute = QueryDiagnostic.Kind(rawValue: "unknownAttribute")
}

extension QueryDiagnostics {
    /// The same with more of them.
    func adding(_ more: [QueryDiagnostic]) -> QueryDiagnostics {
        var all = self
        for diagnostic in more { all.append(diagnostic) }
        return all
    }
}

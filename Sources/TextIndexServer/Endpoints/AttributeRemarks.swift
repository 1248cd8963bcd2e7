import TextIndexInterface
import TextSearch

/// Remarks on attributes to sort or count by that no object has: most are mistyped.
struct AttributeRemarks<Object: Sendable> {
    private static var mostNames: Int { 8 }

    private var asked: [(name: String, purpose: String)] = []

    /// - Parameters:
    ///   - sorted: the attributes that hits are sorted by.
    ///   - facets: what was counted.
    init(_ sorted: [String], _ facets: [FacetCounts<Object>]) {
        let counted = facets.filter(\.areEmpty).map(\.facet.attribute)
        for each in sorted.map({ ($0, "sorted") }) + counted.map({ ($0, "counted") })
        where asked.count < Self.mostNames && !asked.contains(where: { $0 == each }) {
            asked.append(each)
        }
    }

    /// - Parameters:
    ///   - all: the indexes that were searched.
    ///   - items: what was found in each.
    ///   - isComplete: whether the search came to its end; otherwise there is no time for more.
    ///   - times: when it has to be over.
    ///   - budget: that of the search.
    /// - Returns: A remark for each attribute; none where an index cannot be read, as they are only
    ///   hints.
    func remarks(
        on all: [ServedIndex<Object>], beside items: [[SearchResultItem<Object>]],
        isComplete: Bool, _ times: SearchTimes, _ budget: SearchBudget
    ) -> [QueryDiagnostic] {
        guard isComplete else { return [] }
        return asked.filter { name, _ in
            zip(all, items).allSatisfy { served, found in
                guard .now < times.wanted else { return false }
                let unknown = try? served.index.unknownAttributes(
                    among: [name], beside: found, budget.until(times.wanted))
                return unknown == [name]
            }
        }.map { name, purpose in
            QueryDiagnostic(
                kind: .unknownAttribute, utf8Range: 0..<0,
                message: "No object has the attribute \(name), which hits are to be \(purpose) by.")
        }
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

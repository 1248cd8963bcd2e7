// What is to be said of a query before and after it is run, whatever is found.
extension SearchRequest {
    /// Reports what can find nothing in an index with these fields.
    mutating func remark(on fields: [String]) {
        guard !isRemarked else { return }
        isRemarked = true
        // Most often.
        if query.isOfWords { return }
        var open = [query]
        while let query = open.popLast() {
            open += query.children.reversed()
            switch query.node {
            case .regularExpression(let pattern):
                do throws(PatternError) {
                    try RegularExpressionMatcher.check(pattern)
                } catch {
                    append(
                        .invalidPattern,
                        "A regular expression matches nothing: \(error.message).")
                }
            case .field(let name, let part) where !fields.contains(name):
                // Only the innermost field is looked in.
                if case .field = part.node { continue }
                append(
                    .unknownField,
                    "The index has no field \"\(name)\": what is asked of it matches nothing.")
            default: break
            }
        }
    }

    /// Reports what the search left out for a limit.
    mutating func remark(on clock: SearchClock) {
        if clock.memory.isShort {
            append(
                .limitExceeded,
                "The search ended early: it may hold \(clock.memory.limit) bytes of memory "
                    + "(QueryLimits.memory).")
        }
        guard clock.hasTooManyTerms else { return }
        append(
            .limitExceeded,
            "A part of a word stands for more than \(clock.maximumExpansions) words "
                + "(maximumExpansions): those after them were not looked for.")
    }

    /// With those that are found when somebody asks.
    var allDiagnostics: QueryDiagnostics {
        var all = diagnostics
        for diagnostic in wordCheck?.diagnostics ?? [] { all.append(diagnostic) }
        return all
    }

    mutating func append(_ kind: QueryDiagnostic.Kind, _ message: String) {
        let diagnostic = QueryDiagnostic(kind: kind, utf8Range: 0..<0, message: message)
        // What was said of one page need not be said of the next.
        if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
}

import Synchronization

/// The diagnostics of words that are nowhere in the index, found when a caller asks: the nearest
/// words take a look at the whole vocabulary.
///
/// **Thread safety**: guarded.
final class WordCheck: PendingDetail {
    private struct Search {
        var query: Query
        /// The text that the query was read from.
        var text: String?
        var fields: [String]
        /// The states that are looked in: of one index, or of several that are searched as one.
        var sources: [(snapshot: Snapshot, store: IndexStore)]
        var budget: SearchBudget
        var memory: Int
        var knowsParts: Bool
        var findings: WordFindings
    }

    private enum State {
        case waiting(Search)
        case found([QueryDiagnostic])
    }

    private let state: Mutex<State>

    init(
        _ query: Query, text: String?, fields: [String],
        _ sources: [(snapshot: Snapshot, store: IndexStore)], _ budget: SearchBudget, memory: Int,
        knowsParts: Bool, _ findings: WordFindings
    ) {
        state = Mutex(
            .waiting(
                Search(
                    query: query, text: text, fields: fields, sources: sources, budget: budget,
                    memory: memory, knowsParts: knowsParts, findings: findings)))
    }

    /// None where they cannot be read, or not in the time and memory of a search: they are hints.
    var diagnostics: [QueryDiagnostic] {
        state.withLock { state in
            switch state {
            case .found(let found): return found
            case .waiting(let search):
                let found = (try? Self.find(search)) ?? []
                state = .found(found)
                return found
            }
        }
    }

    var isWaiting: Bool {
        state.withLockIfAvailable { state in
            if case .waiting = state { return true }
            return false
        } ?? true
    }

    func settle() { _ = diagnostics }

    private static func find(_ search: Search) throws -> [QueryDiagnostic] {
        guard let first = search.sources.first else { return [] }
        let words = UnknownWords(
            search.sources, first.snapshot.analyzer,
            clock: SearchClock(search.budget, longest: nil, memory: search.memory),
            knowsParts: search.knowsParts, search.findings)
        return try words.diagnostics(
            of: search.query, text: search.text, fields: search.fields, known: MatchedTerms())
    }
}

extension WildcardWord {
    /// The query, or nil if no wildcard is meant: a `?` that only ends a word asks a question.
    var query: Query? {
        switch pieces.count {
        case 0: return nil
        case 1:
            if pieces[0] == .any { return .everything }
        case 2:
            if case .literal(let text) = pieces[0], pieces[1] == .any { return .prefix(text) }
            if case .literal(let text) = pieces[1], pieces[0] == .any { return .suffix(text) }
        case 3:
            if case .literal(let text) = pieces[1], pieces[0] == .any, pieces[2] == .any {
                return .infix(text)
            }
        default: break
        }
        let beforeQuestion = pieces.drop { $0 == .one }.isEmpty ? [] : trimmed
        let hasWildcard = beforeQuestion.contains { $0 == .any || $0 == .one }
        return hasWildcard ? .wildcard(pattern) : nil
    }

    /// The word as query text.
    var printed: String { text { QueryPrinter.word($0, isPart: true) } }
}

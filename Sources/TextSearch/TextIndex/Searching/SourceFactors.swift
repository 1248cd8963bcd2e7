#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What multiplies the relevance of documents in each of several indexes, found once it is needed.
final class SourceFactors: Sendable {
    private let found: Mutex<[DocumentFactors?]>

    init(count: Int) { found = Mutex([DocumentFactors?](repeating: nil, count: count)) }

    /// Those of one index; `find` is called the first time. Two threads may both call it at once:
    /// they find the same.
    func of(_ source: Int, find: () throws -> DocumentFactors) throws -> DocumentFactors {
        if let known = found.withLock({ $0[source] }) { return known }
        let factors = try find()
        found.withLock { $0[source] = factors }
        return factors
    }
}

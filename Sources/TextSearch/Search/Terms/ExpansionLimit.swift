/// Keeps a pattern to the first terms of a snapshot that match it, in order, when there are too
/// many.
///
/// Terms are counted as they are met, segment by segment, which is all that most patterns need.
/// Only when these are too many, those that are the same in several segments among them, is it
/// worth while to find out which are the first: then the search for the pattern begins again below
/// a *ceiling*.
struct ExpansionLimit {
    private let limit: Int
    private var met = 0
    /// The first term that is left out.
    private(set) var ceiling: [UInt8]?
    private var isSettled = false

    init(_ limit: Int) { self.limit = limit }

    /// Whether more terms were met than may be without looking closer.
    private(set) var isExceeded = false

    /// Whether a term that matches is one of those to look for.
    mutating func admits(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
        if isSettled {
            return ceiling?.withUnsafeBufferPointer { TermOrder.compare(term, $0) < 0 } ?? true
        }
        met += 1
        if met > limit { isExceeded = true }
        return !isExceeded
    }

    /// Takes terms that match as met, all of them; there must be no ceiling.
    mutating func meet(_ count: Int) {
        guard !isSettled else { return }
        met += count
        if met > limit { isExceeded = true }
    }

    /// Finds the ceiling, if there is to be one.
    ///
    /// Complexity: that of going through the terms; memory for as many as the limit.
    mutating func settle(
        _ pattern: TermPattern, _ terms: PatternTerms, _ snapshot: Snapshot
    ) throws {
        isSettled = true
        isExceeded = false
        // Nothing, where the time is over before that is known.
        ceiling = []
        do {
            let first = try first(pattern, terms, snapshot)
            ceiling = first.count > limit ? first[limit] : nil
        } catch is SearchEnded {}
    }

    private func first(
        _ pattern: TermPattern, _ terms: PatternTerms, _ snapshot: Snapshot
    ) throws -> [[UInt8]] {
        var first: [[UInt8]] = []
        let share = MemoryShare(terms.clock)
        for segment in snapshot.segments {
            var found = FirstTerms(limit)
            try terms.forEach(of: pattern, in: segment) { term in
                found.add(term)
                try terms.clock.work(1)
                try share.grow(to: (first.count + found.termCount) * FirstTerms.size)
            }
            first = found.merged(with: first)
        }
        return first
    }
}

/// The first terms of a segment, one more than the limit, which come in order.
private struct FirstTerms {
    private let count: Int
    private var terms: [[UInt8]] = []

    init(_ limit: Int) { count = limit == .max ? .max : limit + 1 }

    /// The memory that a term takes, while it is merged with others, too.
    static let size = 80
    var termCount: Int { terms.count }

    mutating func add(_ term: UnsafeBufferPointer<UInt8>) {
        if terms.count < count { terms.append(Array(term)) }
    }

    /// The first of both, each once.
    func merged(with others: [[UInt8]]) -> [[UInt8]] {
        if others.isEmpty { return terms }
        var result: [[UInt8]] = []
        var (i, j) = (0, 0)
        while result.count < count, i < terms.count || j < others.count {
            let isOurs =
                j == others.count
                || (i < terms.count && !others[j].lexicographicallyPrecedes(terms[i]))
            let next = isOurs ? terms[i] : others[j]
            if isOurs, j < others.count, others[j] == next { j += 1 }
            if isOurs { i += 1 } else { j += 1 }
            result.append(next)
        }
        return result
    }
}

extension TermPattern {
    /// Whether it stands for terms that it does not name.
    var isOpen: Bool {
        switch self {
        case .exact, .stemmed: false
        default: true
        }
    }
}

/// Thrown where a pattern stands for more terms than may be without looking closer.
struct TooManyTerms: Error {}

/// Goes through the terms that a pattern stands for, with their postings.
extension TermHits {
    typealias TermBody = (
        inout TermHits, _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
        _ place: Int, _ postings: UnsafeRawBufferPointer
    ) throws -> Void

    /// Calls `body` with each term that a pattern stands for in each of `segments`, segment by
    /// segment, and with its postings there.
    static func forEachTerm(
        _ hits: inout TermHits, of pattern: TermPattern, in segments: [FlushedSegment],
        _ needs: MatchNeeds, _ body: TermBody
    ) throws {
        let (isOpen, terms) = (pattern.isOpen, hits.terms)
        let stored = AscendingEntries(hits.store, .postings)
        try cut(needs) {
            for (number, segment) in segments.enumerated() {
                let entries = PostingsEntries(segment, stored)
                try terms.forEach(of: pattern, in: segment) { term, match, place, only in
                    try hits.checkTime()
                    if isOpen, try !hits.admits(term) { return }
                    _ = try entries.withPostings(of: term, at: place) { postings in
                        guard let only else {
                            return try body(&hits, term, match, number, postings)
                        }
                        if let some = try hits.reader.postings(postings, of: only) {
                            try some.withBytes { try body(&hits, term, match, number, $0) }
                        }
                    }
                }
            }
        }
    }

    /// The same, term by term in their order, each with all segments that have it.
    static func forEachTermInOrder(
        _ hits: inout TermHits, of pattern: TermPattern, in segments: [FlushedSegment],
        _ needs: MatchNeeds, _ body: TermBody
    ) throws {
        try cut(needs) {
            let share = MemoryShare(hits.clock)
            defer { withExtendedLifetime(share) {} }
            let terms = try hits.terms(of: pattern, in: segments, share)
            try forEachTerm(&hits, of: terms, in: segments, body)
        }
    }

    /// The terms of flushed segments that a pattern stands for, as many as it may. `share` holds
    /// their memory.
    mutating func terms(
        of pattern: TermPattern, in segments: [FlushedSegment], _ share: MemoryShare
    ) throws -> FoundTerms {
        let (isOpen, terms) = (pattern.isOpen, terms)
        var found = FoundTerms()
        for (number, segment) in segments.enumerated() {
            try found.add(number, share) { add in
                try terms.forEach(of: pattern, in: segment) { term, match, place, _ in
                    try checkTime()
                    if isOpen, try !admits(term) { return }
                    try add(term, match, place)
                }
            }
        }
        return found
    }

    /// Calls `body` with each of some terms, in order, and with its postings in each segment that
    /// has it.
    static func forEachTerm(
        _ hits: inout TermHits, of terms: FoundTerms, in segments: [FlushedSegment],
        _ body: TermBody
    ) throws {
        let entries = segments.map {
            PostingsEntries($0, AscendingEntries(hits.store, .postings))
        }
        try terms.forEach { term, match, holders in
            try hits.checkTime()
            for holder in holders {
                _ = try entries[holder.segment].withPostings(of: term, at: holder.place) {
                    try body(&hits, term, match, holder.segment, $0)
                }
            }
        }
    }

    /// Whether a term of a flushed segment is to be looked for.
    mutating func admits(_ term: UnsafeBufferPointer<UInt8>) throws -> Bool {
        let isAdmitted = expansions.admits(term)
        if expansions.isExceeded { throw TooManyTerms() }
        return isAdmitted
    }
}

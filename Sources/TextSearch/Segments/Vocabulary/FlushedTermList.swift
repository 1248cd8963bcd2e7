/// The terms of a flushed segment that hold a byte string, in term order, with the first place in
/// each.
struct FlushedTermList {
    private let parts: [VocabularyPart]
    private let matches: [Found]
    private let share: MemoryShare

    private struct Found {
        var place: TermPlace
        var offset: UInt32
    }

    /// Looks through the vocabulary; without a rule any place in a term will do.
    ///
    /// Throws `SearchEnded` when the time is over. Complexity: as that of
    /// ``InfixTerms/forEachMatch(of:work:_:)``.
    init(
        _ segment: FlushedSegment, holding needle: [UInt8], _ rule: TokenRule?,
        clock: SearchClock
    ) throws {
        let share = MemoryShare(clock)
        let terms = try segment.infixTerms()
        var matches: [Found] = []
        try terms.forEachMatch(
            of: InfixNeedle(needle),
            work: { units in
                try clock.work(units)
                try share.grow(to: matches.capacity * MemoryLayout<Found>.stride)
            }
        ) { terms, part, number, offset in
            let place = TermPlace(part: UInt32(part), term: UInt32(number))
            guard matches.last?.place != place, rule?.allows(offset, in: terms[number]) ?? true
            else { return }
            matches.append(Found(place: place, offset: UInt32(offset)))
        }
        try share.grow(to: matches.capacity * MemoryLayout<Found>.stride)
        (parts, self.matches, self.share) = (terms.parts, matches, share)
    }

    /// Calls `body` with each term, and the place in it.
    func forEach(
        _ body: (
            _ term: UnsafeBufferPointer<UInt8>, _ place: TermPlace, _ offset: Int
        ) throws -> Void
    ) rethrows {
        var next = 0
        while next < matches.count {
            let part = matches[next].place.part
            try parts[Int(part)].withTerms { terms in
                while next < matches.count, matches[next].place.part == part {
                    prefetchChunk(behind: next)
                    let match = matches[next]
                    try body(terms[Int(match.place.term)], match.place, Int(match.offset))
                    next += 1
                }
            }
        }
    }

    /// Has memory fetched for the postings of a match some places ahead, and for one farther ahead
    /// the memory that says where they are.
    @inline(__always)
    private func prefetchChunk(behind number: Int) {
        if number &+ 16 < matches.count {
            let place = matches[number &+ 16].place
            parts[Int(place.part)].prefetchChunkStart(of: Int(place.term))
        }
        if number &+ 8 < matches.count {
            let place = matches[number &+ 8].place
            parts[Int(place.part)].prefetchChunk(of: Int(place.term))
        }
    }
}

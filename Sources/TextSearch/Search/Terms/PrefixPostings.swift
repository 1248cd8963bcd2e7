/// The postings of the words that begin with a prefix, where nobody asks which words these are.
struct PrefixPostings {
    /// Groups after so many are not kept: what others ask for would have to go.
    private static let mostGroups = 64

    private let prefix: [UInt8]

    init(_ prefix: [UInt8]) { self.prefix = prefix }

    /// Gives those in each flushed segment to the taker of the segment, as they lie in memory, one
    /// beside the other: those in the vocabulary, and groups of those that are entries of their
    /// own.
    ///
    /// Complexity: logarithmic in the vocabularies, linear in the postings.
    func give<Taker: PostingsTaker>(
        to takers: [Taker], of segments: [FlushedSegment], _ needs: MatchNeeds,
        _ terms: inout TermHits
    ) throws {
        let stored = AscendingEntries(terms.store, .postings)
        var keptCount = 0
        try TermHits.cut(needs) {
            for (segment, taker) in zip(segments, takers) {
                let entries = PostingsEntries(segment, stored)
                try prefix.withUnsafeBufferPointer { prefix in
                    try segment.forEachRange(beginningWith: prefix) { part, number, places in
                        terms.expansions.meet(places.count)
                        if terms.expansions.isExceeded { throw TooManyTerms() }
                        taker.expect(termCount: places.count)
                        try Self.give(
                            places, of: part, number, to: taker, entries, &keptCount, &terms)
                    }
                }
            }
        }
    }

    /// Gives those of a part of the vocabulary, group by group.
    private static func give<Taker: PostingsTaker>(
        _ places: Range<Int>, of part: VocabularyPart, _ number: Int, to taker: Taker,
        _ entries: PostingsEntries, _ keptCount: inout Int, _ terms: inout TermHits
    ) throws {
        let size = EntryGroup.termCount
        var own = Buffer<UInt32>()
        for group in places.lowerBound / size...(places.upperBound - 1) / size {
            try terms.checkTime()
            let some = places.clamped(to: group * size..<(group + 1) * size)
            own.removeAll()
            var isSound = try taker.take(some, of: part, &terms.reader, entries: &own)
            var kept: EntryGroup?
            if !own.isEmpty, keptCount < mostGroups {
                kept = try entries.group(group, of: part, number) { try terms.checkTime() }
            }
            if let kept {
                keptCount += 1
                own.removeAll()
                try kept.forEach(in: some) { term, postings in
                    try terms.checkTime()
                    if let postings {
                        isSound = try taker.take(postings, &terms.reader) && isSound
                    } else {
                        own.append(UInt32(truncatingIfNeeded: term))
                    }
                }
            }
            for term in 0..<own.count {
                try terms.checkTime()
                try part.withTerm(Int(own[term])) { name in
                    try entries.withEntry(of: name) {
                        isSound = try taker.take($0, &terms.reader) && isSound
                    }
                }
            }
            if !isSound { throw TermHits.missing(entries.segment) }
        }
    }
}

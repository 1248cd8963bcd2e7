/// The words that begin with a prefix, where nobody asks which they are.
extension TermHits {
    /// Of so many groups those behind are not kept: what others ask for would have to go.
    private static let mostGroups = 64

    /// Gives their postings in each flushed segment to the taker of the segment, as they lie in
    /// memory, one beside the other: those in the vocabulary, and groups of those that are entries
    /// of their own.
    ///
    /// Complexity: logarithmic in the vocabularies, linear in the postings.
    mutating func add<Taker: PostingsTaker>(
        _ prefix: [UInt8], to takers: [Taker], of segments: [FlushedSegment]
    ) throws {
        let stored = AscendingEntries(store, .postings)
        var keptCount = 0
        try Self.cut(needsAll) {
            for (segment, taker) in zip(segments, takers) {
                let entries = PostingsEntries(segment, stored)
                try prefix.withUnsafeBufferPointer { prefix in
                    try segment.forEachRange(beginningWith: prefix) { part, number, places in
                        expansions.meet(places.count)
                        if expansions.isExceeded { throw TooManyTerms() }
                        taker.expect(termCount: places.count)
                        try add(places, of: part, number, to: taker, entries, &keptCount)
                    }
                }
            }
        }
    }

    /// Those of a part of the vocabulary, group by group.
    private mutating func add<Taker: PostingsTaker>(
        _ places: Range<Int>, of part: VocabularyPart, _ number: Int, to taker: Taker,
        _ entries: PostingsEntries, _ keptCount: inout Int
    ) throws {
        let size = EntryGroup.termCount
        var own = Buffer<UInt32>()
        for group in places.lowerBound / size...(places.upperBound - 1) / size {
            try checkTime()
            let some = places.clamped(to: group * size..<(group + 1) * size)
            own.removeAll()
            var isSound = try taker.take(some, of: part, &reader, entries: &own)
            var kept: EntryGroup?
            if !own.isEmpty, keptCount < Self.mostGroups {
                kept = try entries.group(group, of: part, number) { try checkTime() }
            }
            if let kept {
                keptCount += 1
                own.removeAll()
                try kept.forEach(in: some) { term, postings in
                    try checkTime()
                    if let postings {
                        isSound = try taker.take(postings, &reader) && isSound
                    } else {
                        own.append(UInt32(truncatingIfNeeded: term))
                    }
                }
            }
            for term in 0..<own.count {
                try checkTime()
                try part.withTerm(Int(own[term])) { name in
                    try entries.withEntry(of: name) {
                        isSound = try taker.take($0, &reader) && isSound
                    }
                }
            }
            if !isSound { throw Self.missing(entries.segment) }
        }
    }
}

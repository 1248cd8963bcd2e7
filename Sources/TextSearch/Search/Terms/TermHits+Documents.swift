extension TermHits {
    /// The living documents that have a word, ascending; nothing is noted in `matched`.
    mutating func documents(of pattern: TermPattern) throws -> [UInt32] {
        try withinLimit(of: pattern) { try $0.limitedDocuments(of: pattern) }
    }

    private mutating func limitedDocuments(of pattern: TermPattern) throws -> [UInt32] {
        var found: [UInt32] = []
        try appendFlushed(pattern, to: &found)
        let isOpen = pattern.isOpen
        for part in snapshot.memory where try !isCut() {
            var bits = DocumentBits(count: part.segment.documentCount)
            let first = part.firstDocument
            try Self.cut(needsAll) {
                try terms.forEach(of: pattern, in: part.segment) { term, bytes, _, only in
                    if isOpen, !expansions.admits(bytes) { return }
                    try checkTime()
                    try part.forEachOccurrence(of: term, in: .all, without: snapshot.dead) {
                        try clock.work(PostingsChunk.pieceSize / 16)
                    } _: { document, _, _ in
                        guard only?[...].holds(document &- first) ?? true else { return }
                        _ = bits.insert(document &- first)
                    }
                }
            }
            if expansions.isExceeded { throw TooManyTerms() }
            bits.forEach { found.append(first &+ $0) }
        }
        return found
    }

    /// Inserts the documents of segments that say which of theirs have what a pattern stands for, as they do for stop words; the places of the others.
    private mutating func insertListed(
        _ pattern: TermPattern, into sets: [DocumentBitSet], of segments: [FlushedSegment]
    ) throws -> [Int] {
        var others: [Int] = []
        for (place, segment) in segments.enumerated() {
            if expansions.ceiling == nil,
                let list = try segment.championList(
                    of: pattern, snapshot.analyzer.stopWordInfixes),
                try list.documents.forEach(
                    of: segment.manifest.documentCount, { _ = sets[place].bits.insert($0) })
            {
                expansions.meet(list.termCount)
            } else {
                others.append(place)
            }
        }
        if expansions.isExceeded { throw TooManyTerms() }
        return others
    }

    private mutating func appendFlushed(
        _ pattern: TermPattern, to found: inout [UInt32]
    ) throws {
        let segments = snapshot.flushed
        let sets = segments.map { DocumentBitSet(count: $0.manifest.documentCount) }
        if case .prefix(let prefix) = pattern, expansions.ceiling == nil {
            try add(prefix, to: sets, of: segments)
        } else {
            let others = try insertListed(pattern, into: sets, of: segments)
            try Self.forEachTerm(&self, of: pattern, in: others.map { segments[$0] }) {
                hits, _, _, place, postings in
                guard try sets[others[place]].take(postings, &hits.reader) else {
                    throw Self.missing(segments[others[place]])
                }
            }
        }
        let share = MemoryShare(clock)
        for (place, hasDead) in snapshot.segmentsWithDead().enumerated() {
            try share.grow(
                to: found.capacity * 4 + segments[place].manifest.documentCount / 8)
            // What was found is put together in far less time than it was found.
            if try isCut(afterWork: segments[place].manifest.documentCount / 64) { break }
            let first = segments[place].manifest.firstDocument
            let dead = snapshot.dead
            sets[place].bits.forEach { document in
                let number = first &+ document
                if hasDead, dead.contains(number) { return }
                found.append(number)
            }
        }
    }
}

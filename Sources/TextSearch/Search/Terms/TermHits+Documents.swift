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

    private mutating func appendFlushed(
        _ pattern: TermPattern, to found: inout [UInt32]
    ) throws {
        let segments = snapshot.flushed
        let sets = segments.map { DocumentBitSet(count: $0.manifest.documentCount) }
        if case .prefix(let prefix) = pattern, expansions.ceiling == nil {
            try add(prefix, to: sets, of: segments)
        } else {
            try Self.forEachTerm(&self, of: pattern, in: segments) {
                hits, _, _, place, postings in
                guard try sets[place].take(postings, &hits.reader) else {
                    throw Self.missing(segments[place])
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

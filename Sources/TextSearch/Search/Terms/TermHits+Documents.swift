extension TermHits {
    /// The living documents that have a word, ascending; nothing is noted in `matched`.
    mutating func documents(of pattern: TermPattern) throws -> [UInt32] {
        try withinLimit(of: pattern) { hits in
            var found: [UInt32] = []
            let share = MemoryShare(hits.clock)
            try hits.forEachDocument(of: pattern) { document in
                found.append(document)
                if found.count & 0xfff == 0 { try share.grow(to: found.capacity * 4) }
            }
            return found
        }
    }

    /// How many they are, in the memory of a bit for each document.
    mutating func documentCount(of pattern: TermPattern) throws -> Int {
        try withinLimit(of: pattern) { hits in
            var count = 0
            try hits.forEachDocument(of: pattern) { _ in count += 1 }
            return count
        }
    }

    @inline(__always)
    private mutating func forEachDocument(
        of pattern: TermPattern, _ body: (UInt32) throws -> Void
    ) throws {
        try forEachFlushed(pattern, body)
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
            try bits.forEach { try body(first &+ $0) }
        }
    }

    @inline(__always)
    private mutating func forEachFlushed(
        _ pattern: TermPattern, _ body: (UInt32) throws -> Void
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
            try share.grow(to: segments[place].manifest.documentCount / 8)
            // What was found is put together in far less time than it was found.
            if try isCut(afterWork: segments[place].manifest.documentCount / 64) { break }
            let first = segments[place].manifest.firstDocument
            let dead = snapshot.dead
            try sets[place].bits.forEach { document in
                let number = first &+ document
                if hasDead, dead.contains(number) { return }
                try body(number)
            }
        }
    }
}

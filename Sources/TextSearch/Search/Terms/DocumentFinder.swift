/// Finds the living documents that have one of the words that match a pattern.
///
/// Nothing is noted of the words.
struct DocumentFinder {
    let pattern: TermPattern
    let needs: MatchNeeds

    /// The documents, ascending.
    func documents(_ terms: inout TermHits) throws -> [UInt32] {
        try terms.withinLimit(of: pattern, needs) { terms in
            var found: [UInt32] = []
            let share = MemoryShare(terms.clock)
            try forEachDocument(&terms) { document in
                found.append(document)
                if found.count & 0xfff == 0 { try share.grow(to: found.capacity * 4) }
            }
            return found
        }
    }

    /// How many they are, in the memory of a bit for each document.
    func count(_ terms: inout TermHits) throws -> Int {
        try terms.withinLimit(of: pattern, needs) { terms in
            var count = 0
            try forEachDocument(&terms) { _ in count += 1 }
            return count
        }
    }

    @inline(__always)
    private func forEachDocument(
        _ terms: inout TermHits, _ body: (UInt32) throws -> Void
    ) throws {
        try forEachFlushed(&terms, body)
        let (source, dead, isOpen) = (terms.terms, terms.snapshot.dead, pattern.isOpen)
        for part in terms.snapshot.memory where try !terms.isCut(needs) {
            var bits = DocumentBits(count: part.segment.documentCount)
            let first = part.firstDocument
            try TermHits.cut(needs) {
                try source.forEach(of: pattern, in: part.segment) { term, bytes, _, only in
                    if isOpen, !terms.expansions.admits(bytes) { return }
                    try terms.checkTime()
                    try part.forEachOccurrence(of: term, in: .all, without: dead) {
                        try terms.clock.work(PostingsChunk.pieceSize / 16)
                    } _: { document, _, _ in
                        guard only?[...].holds(document &- first) ?? true else { return }
                        _ = bits.insert(document &- first)
                    }
                }
            }
            if terms.expansions.isExceeded { throw TooManyTerms() }
            try bits.forEach { try body(first &+ $0) }
        }
    }

    @inline(__always)
    private func forEachFlushed(
        _ terms: inout TermHits, _ body: (UInt32) throws -> Void
    ) throws {
        let snapshot = terms.snapshot
        let segments = snapshot.flushed
        let sets = segments.map { DocumentBitSet(count: $0.manifest.documentCount) }
        if case .prefix(let prefix) = pattern, terms.expansions.ceiling == nil {
            try PrefixPostings(prefix).give(to: sets, of: segments, needs, &terms)
        } else {
            try TermHits.forEachTerm(&terms, of: pattern, in: segments, needs) {
                terms, _, _, place, postings in
                guard try sets[place].take(postings, &terms.reader) else {
                    throw TermHits.missing(segments[place])
                }
            }
        }
        let share = MemoryShare(terms.clock)
        for (place, hasDead) in snapshot.segmentsWithDead().enumerated() {
            try share.grow(to: segments[place].manifest.documentCount / 8)
            // What was found is put together in far less time than it was found.
            let manifest = segments[place].manifest
            if try terms.isCut(needs, afterWork: manifest.documentCount / 64) { break }
            let first = manifest.firstDocument
            let dead = snapshot.dead
            try sets[place].bits.forEach { document in
                let number = first &+ document
                if hasDead, dead.contains(number) { return }
                try body(number)
            }
        }
    }
}

/// Adds up what parts of a query match where they match many of the documents: each document has a
/// place.
struct DenseUnion {
    private let first: UInt32
    private let span: Int
    /// The documents of the result are no more than that.
    private let most: Int

    /// Nil where the parts match too few documents of those between their first and their last, or
    /// where there is not the memory.
    init?(_ parts: [QueryMatches], _ clock: SearchClock) {
        var (least, greatest, count) = (UInt32.max, UInt32.min, 0)
        for documents in parts.map(\.documents) {
            guard let first = documents.first, let last = documents.last else { continue }
            (least, greatest) = (min(least, first), max(greatest, last))
            count += documents.count
        }
        guard count >= 2_048, least <= greatest else { return nil }
        let span = Int(greatest - least) + 1
        guard span / 16 <= count else { return nil }
        (first, self.span, most) = (least, span, min(span, count))
        guard clock.memory.hasRoom(for: byteCount) else { return nil }
    }

    /// What the sums take, a place for each document of the span, and the result while it is drawn
    /// from them.
    private var byteCount: Int { span * (8 + 4) + span / 8 + most * (12 + 4) }

    /// The sums, in the order of the parts as everywhere, and in how many parts each document is,
    /// where that is asked for.
    ///
    /// Complexity: linear in the documents of the parts and in those between the first and the
    /// last.
    func add(
        _ parts: [QueryMatches], countsOfFirst: [UInt32]?, _ countsParts: Bool, _ work: MatchWork
    ) throws -> (QueryMatches, [UInt32]) {
        let share = try MemoryShare(work.clock, byteCount)
        defer { withExtendedLifetime(share) {} }
        var scores = Buffer<Double>(repeating: 0, count: span)
        var counts = Buffer<UInt32>(repeating: 0, count: countsParts ? span : 0)
        var bits = DocumentBits(count: span)
        for (number, part) in parts.enumerated() {
            for (place, document) in part.documents.enumerated() {
                if place & 1_023 == 0, try work.isOver(after: 256) { break }
                let slot = Int(document - first)
                scores[slot] += part.scores[place]
                if countsParts {
                    counts[slot] += number == 0 ? countsOfFirst?[place] ?? 1 : 1
                }
                _ = bits.insert(document - first)
            }
        }
        var result = QueryMatches()
        result.documents.reserveCapacity(most)
        result.scores.reserveCapacity(most)
        var found: [UInt32] = []
        bits.forEach { slot in
            result.documents.append(first + slot)
            result.scores.append(scores[Int(slot)])
            if countsParts { found.append(counts[Int(slot)]) }
        }
        return (result, found)
    }
}

/// The postings of neighbouring terms of a part of the vocabulary that are entries of their own, one behind the other in memory: who needs those of many has them at hand without asking LevelDB for
/// each.
///
/// **Thread safety**: immutable.
final class EntryGroup: Sendable {
    /// Of so many terms, counted from the first of the part.
    static let termCount = 128
    /// Groups of more bytes are not kept.
    private static let mostBytes = 256 << 10
    /// Memory that a group takes besides its bytes, at the most.
    private static let overhead = 8 * termCount + 128

    /// Which group of which part of which segment's vocabulary.
    struct Key: Hashable {
        var segment: UInt32
        var part: Int
        var number: Int
    }

    private let bytes: [UInt8]
    /// The terms that have entries of their own, by their numbers in the part, and where those of each end.
    private let terms: [UInt32]
    private let ends: [UInt32]

    /// Reads those of a group; nil where they take more than `byteCount`.
    init?(
        _ number: Int, of part: VocabularyPart, _ entries: PostingsEntries, atMost byteCount: Int
    ) throws {
        let most = min(byteCount - Self.overhead, Self.mostBytes)
        guard most > 0 else { return nil }
        var bytes = Buffer<UInt8>()
        var terms: [UInt32] = []
        var ends: [UInt32] = []
        for term in Self.terms(number, of: part) where !part.hasInlinePostings(of: term) {
            let isKept = try part.withTerm(term) { name in
                try entries.withEntry(of: name) { postings in
                    guard postings.count <= most - bytes.count else { return false }
                    bytes.append(bytes: postings)
                    return true
                }
            }
            guard isKept else { return nil }
            terms.append(UInt32(truncatingIfNeeded: term))
            ends.append(UInt32(truncatingIfNeeded: bytes.count))
        }
        self.bytes = bytes.toArray()
        self.terms = terms
        self.ends = ends
    }

    /// Memory that it takes.
    var byteCount: Int { bytes.count + 8 * terms.count + 128 }

    /// The terms of a group.
    private static func terms(_ number: Int, of part: VocabularyPart) -> Range<Int> {
        number * termCount..<min((number + 1) * termCount, part.termCount)
    }

    /// Calls `body` with the postings of its terms that have a place in a range.
    func forEach(
        in places: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            for (term, end) in zip(terms, ends) {
                if places.contains(Int(term)) {
                    try body(UnsafeRawBufferPointer(rebasing: bytes[start..<Int(end)]))
                }
                start = Int(end)
            }
        }
    }
}

extension PostingsEntries {
    /// A group of entries, which is kept for others; nil where there is no room, or where one of them cannot be read: that is an error for who needs this very one.
    func group(_ number: Int, of part: VocabularyPart, _ partNumber: Int) -> EntryGroup? {
        let key = EntryGroup.Key(segment: segment.number, part: partNumber, number: number)
        let recent = segment.store.recentEntries
        if let known = recent.value(for: key) { return known }
        let most = recent.largestByteCount
        guard let group = try? EntryGroup(number, of: part, self, atMost: most) else { return nil }
        recent.insert(group, for: key, byteCount: group.byteCount)
        return group
    }
}

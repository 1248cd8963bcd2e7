/// The postings of neighbouring terms of a part of the vocabulary that are entries of their own,
/// one behind the other in memory: who needs those of many has them at hand without asking LevelDB
/// for each.
///
/// **Thread safety**: immutable.
final class EntryGroup: Sendable {
    /// Of so many terms, counted from the first of the part.
    static let termCount = 128
    /// Larger entries, and those behind so many bytes, are left where they are.
    private static let (mostEntryBytes, mostBytes) = (64 << 10, 256 << 10)

    /// Which group of which part of which segment's vocabulary.
    struct Key: Hashable {
        var segment: UInt32
        var part: Int
        var number: Int
    }

    private let bytes: [UInt8]
    /// The terms that have entries of their own, by their numbers in the part, and where those of
    /// each end in `bytes`: where the one before does, if it is left out.
    private let terms: [UInt32]
    private let ends: [UInt32]

    /// Reads the entries of a group, no more than `byteCount`; asks `check` before each.
    init(
        _ number: Int, of part: VocabularyPart, _ entries: PostingsEntries, atMost byteCount: Int,
        check: () throws -> Void
    ) throws {
        let most = min(byteCount, Self.mostBytes)
        var bytes = Buffer<UInt8>()
        var terms: [UInt32] = []
        var ends: [UInt32] = []
        for term in Self.terms(number, of: part) where !part.hasInlinePostings(of: term) {
            try check()
            try part.withTerm(term) { name in
                try entries.withEntry(of: name) { postings in
                    guard postings.count <= min(most - bytes.count, Self.mostEntryBytes) else {
                        return
                    }
                    bytes.append(bytes: postings)
                }
            }
            terms.append(UInt32(truncatingIfNeeded: term))
            ends.append(UInt32(truncatingIfNeeded: bytes.count))
        }
        self.bytes = bytes.toArray()
        self.terms = terms
        self.ends = ends
    }

    /// Memory that it takes.
    var byteCount: Int { bytes.count + Self.overhead(terms.count) }

    /// What so many terms take besides their entries, about.
    private static func overhead(_ termCount: Int) -> Int { 8 * termCount + 128 }

    /// How many bytes of entries there may be where a group may take `byteCount`; nil where it is
    /// not worth while.
    static func room(in byteCount: Int) -> Int? {
        let room = byteCount - overhead(termCount)
        return room < 1 << 10 ? nil : room
    }

    /// The terms of a group.
    private static func terms(_ number: Int, of part: VocabularyPart) -> Range<Int> {
        number * termCount..<min((number + 1) * termCount, part.termCount)
    }

    /// Calls `body` with its terms that have a place in a range, and their postings; nil where they
    /// were left out.
    func forEach(
        in places: Range<Int>,
        _ body: (_ term: Int, _ postings: UnsafeRawBufferPointer?) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            for (term, end) in zip(terms, ends) {
                let (term, range) = (Int(term), start..<Int(end))
                start = range.upperBound
                guard places.contains(term) else { continue }
                let postings = UnsafeRawBufferPointer(rebasing: bytes[range])
                try body(term, range.isEmpty ? nil : postings)
            }
        }
    }
}

extension PostingsEntries {
    /// A group of entries, which is kept for others; nil where there is no room, or where one of
    /// them cannot be read: that is an error for who needs this very one.
    ///
    /// Asks `check` before each entry that it reads.
    func group(
        _ number: Int, of part: VocabularyPart, _ partNumber: Int, check: () throws -> Void
    ) throws -> EntryGroup? {
        let recent = segment.caches.patterns.entries
        guard let room = EntryGroup.room(in: recent.largestByteCount) else { return nil }
        let key = EntryGroup.Key(segment: segment.number, part: partNumber, number: number)
        if let known = recent.value(for: key) { return known }
        guard segment.caches.admitsGroup else { return nil }
        do {
            let group = try EntryGroup(number, of: part, self, atMost: room, check: check)
            recent.insert(group, for: key, byteCount: group.byteCount)
            return group
        } catch is TextIndexError {
            return nil
        }
    }
}

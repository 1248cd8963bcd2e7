/// Reads the stored postings of terms that ascend, those of all segments one after the other; entries of their own with one cursor.
struct PostingsEntries: ~Copyable {
    private let cursor: StoreCursor
    private let segments: [FlushedSegment]
    /// The vocabularies of those that were asked for places, where they are in memory, and the part that was asked for last, where not.
    private var vocabularies: [[VocabularyPart]?]
    private var parts: [(number: Int, part: VocabularyPart)?]
    private var key = Buffer<UInt8>()
    /// Holders of the term at hand that have its postings in entries of their own.
    private var elsewhere: [Int] = []

    init(_ segments: [FlushedSegment], _ store: IndexStore) throws {
        self.segments = segments
        vocabularies = Array(repeating: nil, count: segments.count)
        parts = Array(repeating: nil, count: segments.count)
        cursor = try store.makeCursor()
    }

    /// Calls `body` with each segment, by its place, that has postings of a term, and with these.
    mutating func forEach(
        of term: UnsafeBufferPointer<UInt8>, in holders: [ExpandedTerms.Holder],
        _ body: (_ segment: Int, _ postings: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        elsewhere.removeAll(keepingCapacity: true)
        for holder in holders {
            guard let place = holder.place else {
                _ = try segments[holder.segment].withPostings(of: term) {
                    try body(holder.segment, $0)
                }
                continue
            }
            let part = try part(Int(place.part), of: holder.segment)
            let found: Void? = try part.withInlinePostings(of: Int(place.term)) {
                try body(holder.segment, $0)
            }
            if found == nil { elsewhere.append(holder.segment) }
        }
        if !elsewhere.isEmpty { try forEachEntry(of: term, body) }
    }

    private mutating func part(_ number: Int, of segment: Int) throws -> VocabularyPart {
        if let known = vocabularies[segment] { return known[number] }
        if let known = parts[segment], known.number == number { return known.part }
        guard segments[segment].hasVocabulary else {
            let part = try segments[segment].part(number)
            parts[segment] = (number, part)
            return part
        }
        let vocabulary = try segments[segment].vocabulary()
        vocabularies[segment] = vocabulary
        return vocabulary[number]
    }

    private mutating func forEachEntry(
        of term: UnsafeBufferPointer<UInt8>,
        _ body: (_ segment: Int, _ postings: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        Key.term(.postings, term, into: &key)
        if try !isBehindStart() { try cursor.seek(to: key) }
        var left = elsewhere.count
        while left > 0, cursor.isValid {
            let goesOn = try cursor.withEntry { stored, value in
                let prefixCount = key.count
                guard stored.count == prefixCount + 4,
                    key.withBytes({ stored.prefix(prefixCount).elementsEqual($0) })
                else { return false }
                let number = try Key.lastNumber(stored)
                if let place = elsewhere.first(where: { segments[$0].number == number }) {
                    left -= 1
                    try body(place, value)
                }
                return true
            }
            guard goesOn else { break }
            try cursor.next()
        }
        try cursor.check()
        if left > 0 { throw TextIndexError.corrupted("postings of a term") }
    }

    /// Whether the cursor stands on the first entry that does not come before the key already, as after the term before this one.
    private func isBehindStart() throws -> Bool {
        guard cursor.isValid else { return false }
        return try cursor.withEntry { stored, _ in
            key.withBytes { key in
                stored.count > key.count && stored.prefix(key.count).elementsEqual(key)
            }
        }
    }
}

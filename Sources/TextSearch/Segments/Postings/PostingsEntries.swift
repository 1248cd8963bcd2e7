/// Reads the stored postings of terms of a segment, which ascend; entries of their own with one
/// cursor.
final class PostingsEntries {
    let segment: FlushedSegment
    private let entries: AscendingEntries
    /// The vocabulary, where it is in memory, and the part that was asked for last, where not.
    private var vocabulary: [VocabularyPart]?
    private var part: (number: Int, part: VocabularyPart)?
    private var key = Buffer<UInt8>()

    /// `entries` are read by the keys of postings; those who read several segments one after the
    /// other can share them.
    init(_ segment: FlushedSegment, _ entries: AscendingEntries) {
        self.segment = segment
        self.entries = entries
    }

    /// Lends the postings of a term to `body`; nil where the segment does not have it, which is an
    /// error where a place is given.
    func withPostings<R>(
        of term: UnsafeBufferPointer<UInt8>, at place: TermPlace?,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        guard let place else { return try segment.withPostings(of: term, body) }
        let part = try part(Int(place.part))
        let inline = try IndexStore.translating(.vocabulary) {
            try part.withInlinePostings(of: Int(place.term), body)
        }
        if let inline { return inline }
        return try withEntry(of: term, body)
    }

    /// Lends the postings of a term that are an entry of their own to `body`.
    func withEntry<R>(
        of term: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        Key.term(.postings, term, segment: segment.number, into: &key)
        guard let found = try entries.withValue(key, body) else {
            throw TextIndexError.corrupted("postings of segment \(segment.number)")
        }
        return found
    }

    private func part(_ number: Int) throws -> VocabularyPart {
        if let vocabulary { return vocabulary[number] }
        if let part, part.number == number { return part.part }
        guard segment.hasVocabulary else {
            let part = try segment.part(number)
            self.part = (number, part)
            return part
        }
        let vocabulary = try segment.vocabulary()
        self.vocabulary = vocabulary
        return vocabulary[number]
    }
}

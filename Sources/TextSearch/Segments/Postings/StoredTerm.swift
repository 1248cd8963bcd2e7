/// One term's postings in some segments, as they are stored.
///
/// **Thread safety**: immutable.
final class StoredTerm: Sendable {
    /// The numbers of the segments.
    private let segments: [UInt32]
    /// In the order of the segments; nil where the term does not stand.
    let postings: [StoredPostings?]
    /// In how many documents of all of them the term stands, dead or alive.
    let documentCount: Int

    /// So many segments that nobody asked for together are kept with a term.
    private static let mostSegments = 64

    init(_ segments: [UInt32] = [], _ postings: [StoredPostings?] = []) {
        self.segments = segments
        self.postings = postings
        documentCount = postings.reduce(0) { $0 + ($1?.documentCount ?? 0) }
    }

    /// Of memory.
    fileprivate var byteCount: Int {
        postings.reduce(32) { $0 + 16 + ($1?.byteCount ?? 0) }
    }

    /// The postings in a segment; none where nothing is known of it.
    fileprivate func postings(in segment: UInt32) -> StoredPostings?? {
        segments.firstIndex(of: segment).map { postings[$0] }
    }

    /// Whether it knows some segments, in their order, and no others.
    fileprivate func isOf(_ flushed: [FlushedSegment]) -> Bool {
        guard flushed.count == segments.count else { return false }
        for place in segments.indices where flushed[place].number != segments[place] {
            return false
        }
        return true
    }

    /// With what was found in one more segment.
    fileprivate func adding(_ found: StoredPostings?, in segment: UInt32) -> StoredTerm {
        let known = segments.count < Self.mostSegments ? segments.count : 0
        return StoredTerm(segments.prefix(known) + [segment], postings.prefix(known) + [found])
    }
}

extension SearchCaches {
    /// The postings of a term in each of some segments; kept for a while.
    ///
    /// Complexity: as one look-up in a hash table where they were asked for of late.
    fileprivate func storedTerm(
        _ term: [UInt8], in segments: [FlushedSegment]
    ) throws -> StoredTerm {
        let known = terms.value(for: term)
        if let known, known.isOf(segments) { return known }
        let found = StoredTerm(
            segments.map(\.number),
            try segments.map { segment in
                try known?.postings(in: segment.number) ?? segment.readPostings(of: term)
            })
        keep(found, of: term)
        return found
    }

    fileprivate func keep(_ found: StoredTerm, of term: [UInt8]) {
        terms.insert(found, for: term, byteCount: term.count + found.byteCount)
    }
}

extension StoredTerm {
    /// The postings of a term in each of some segments of an index; kept for a while.
    ///
    /// Complexity: as one look-up in a hash table where they were asked for of late.
    static func of(_ term: [UInt8], in segments: [FlushedSegment]) throws -> StoredTerm {
        try segments.first?.caches.storedTerm(term, in: segments) ?? StoredTerm()
    }

    /// The same, if it was asked for of late.
    static func kept(_ term: [UInt8], in segments: [FlushedSegment]) -> StoredTerm? {
        guard let caches = segments.first?.caches else { return StoredTerm() }
        guard let known = caches.terms.value(for: term), known.isOf(segments) else { return nil }
        return known
    }
}

extension FlushedSegment {
    /// The postings of a term, nil where it has none; kept for a while.
    ///
    /// Complexity: as a look-up in a hash table where they were asked for of late.
    func postings(of term: [UInt8]) throws -> StoredPostings? {
        let known = caches.terms.value(for: term)
        if let known, let postings = known.postings(in: number) { return postings }
        let found = try readPostings(of: term)
        caches.keep((known ?? StoredTerm()).adding(found, in: number), of: term)
        return found
    }

    fileprivate func readPostings(of term: [UInt8]) throws -> StoredPostings? {
        try term.withUnsafeBufferPointer { try withPostings(of: $0) { try StoredPostings($0) } }
    }
}

/// Finds where the words that match a pattern stand, in one snapshot.
struct TermHits: ~Copyable {
    private let snapshot: Snapshot
    private(set) var matched = MatchedTerms()
    private var reader: TermPostingsReader

    init(snapshot: Snapshot, store: IndexStore) {
        self.snapshot = snapshot
        reader = TermPostingsReader(store: store)
    }

    /// The hits in living documents, by document, then in text order.
    ///
    /// `string` is the only string to look in, when there is one.
    mutating func hits(
        of pattern: TermPattern, in string: UInt32?
    ) throws -> Buffer<Hit> {
        var hits = Buffer<Hit>()
        for segment in snapshot.flushed {
            if case .exact(let bytes) = pattern {
                try bytes.withUnsafeBufferPointer {
                    try collect($0, segment, 0..<$0.count, string, isKnown: false, into: &hits)
                }
                continue
            }
            for part in try segment.vocabulary() {
                try part.forEachTerm { term in
                    guard let range = pattern.match(term) else { return }
                    try collect(term, segment, range, string, isKnown: true, into: &hits)
                }
            }
        }
        for part in snapshot.memory { collect(pattern, part, string, into: &hits) }
        Self.sort(&hits)
        return hits
    }

    /// By document, then in text order.
    static func sort(_ hits: inout Buffer<Hit>) {
        hits.withMutableElements { all in
            var elements = all
            elements.sort {
                ($0.document, $0.string, $0.position, $0.span)
                    < ($1.document, $1.string, $1.position, $1.span)
            }
        }
    }

    private mutating func collect(
        _ term: UnsafeBufferPointer<UInt8>, _ segment: FlushedSegment, _ range: Range<Int>,
        _ wanted: UInt32?, isKnown: Bool, into hits: inout Buffer<Hit>
    ) throws {
        guard try reader.readIfPresent(term, segment.number) else {
            if isKnown { throw TextIndexError.corrupted("postings of segment \(segment.number)") }
            return
        }
        let number = matched.append(term, offset: range.lowerBound, matched: range.count)
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        try reader.forEachOccurrence(where: { !dead.contains(first &+ $0) }) {
            document, string, position in
            if let wanted, wanted != string { return }
            hits.append(
                Hit(
                    document: first &+ document, string: string, position: position,
                    term: number))
        }
    }

    private mutating func collect(
        _ pattern: TermPattern, _ part: SegmentWriter.Part, _ wanted: UInt32?,
        into hits: inout Buffer<Hit>
    ) {
        let segment = part.segment
        if case .exact(let bytes) = pattern {
            let place = bytes.withUnsafeBufferPointer { segment.sortedIndex(of: $0) }
            if place.found { add(pattern, part, segment.sorted[place.index].term, wanted, &hits) }
            return
        }
        for index in 0..<segment.sorted.count {
            add(pattern, part, segment.sorted[index].term, wanted, &hits)
        }
    }

    private mutating func add(
        _ pattern: TermPattern, _ part: SegmentWriter.Part, _ term: UInt32, _ wanted: UInt32?,
        _ hits: inout Buffer<Hit>
    ) {
        let segment = part.segment
        let dead = snapshot.dead
        let found: UInt32? = segment.withTerm(Int(term)) { bytes in
            guard let range = pattern.match(bytes) else { return nil }
            return matched.append(bytes, offset: range.lowerBound, matched: range.count)
        }
        guard let number = found else { return }
        segment.withOccurrences(of: Int(term)) { occurrences in
            for occurrence in occurrences {
                let string = Int(occurrence.string)
                let document = part.firstDocument + segment.strings.document[string]
                let index = segment.strings.index[string]
                if let wanted, wanted != index { continue }
                if dead.contains(document) { continue }
                hits.append(
                    Hit(
                        document: document, string: index, position: occurrence.position,
                        term: number))
            }
        }
    }
}

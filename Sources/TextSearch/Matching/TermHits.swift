/// Finds where the words that match a pattern stand, in one snapshot.
struct TermHits: ~Copyable {
    private let snapshot: Snapshot
    private(set) var matched = MatchedTerms()
    private var reader: TermPostingsReader
    private let stems: StoredStems
    /// The number of the pattern that is looked for.
    private var patternNumber: UInt32 = 0

    init(snapshot: Snapshot, store: IndexStore) {
        self.snapshot = snapshot
        stems = StoredStems(store: store)
        reader = TermPostingsReader(store: store)
    }

    /// The hits in living documents, by document, then in text order.
    ///
    /// Only `strings` are looked in.
    mutating func hits(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Buffer<Hit> {
        var hits = Buffer<Hit>()
        patternNumber += 1
        matched.begin(pattern, part: patternNumber)
        for segment in snapshot.flushed {
            if let terms = try Self.terms(
                of: pattern, in: { try stems.terms(of: $0, segment: segment.number) })
            {
                for term in terms {
                    try term.withUnsafeBufferPointer {
                        try collect($0, segment, 0..<$0.count, strings, isKnown: false, into: &hits)
                    }
                }
                continue
            }
            for part in try segment.vocabulary() {
                try part.forEachTerm { term in
                    guard let range = pattern.match(term) else { return }
                    try collect(term, segment, range, strings, isKnown: true, into: &hits)
                }
            }
        }
        for part in snapshot.memory { collect(pattern, part, strings, into: &hits) }
        Self.sort(&hits)
        return hits
    }

    /// The terms that a pattern names, without a look at the vocabulary; nil when it takes one.
    private static func terms(
        of pattern: TermPattern, in stems: ([UInt8]) throws -> [[UInt8]]
    ) rethrows -> [[UInt8]]? {
        switch pattern {
        case .exact(let bytes): return [bytes]
        case .stemmed(let bytes, let keys):
            return try keys.reduce(into: Set([bytes])) { $0.formUnion(try stems($1)) }.sorted {
                $0.lexicographicallyPrecedes($1)
            }
        default: return nil
        }
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
        _ wanted: StringSelection, isKnown: Bool, into hits: inout Buffer<Hit>
    ) throws {
        guard try reader.readIfPresent(term, segment.number) else {
            if isKnown { throw TextIndexError.corrupted("postings of segment \(segment.number)") }
            return
        }
        let number = matched.append(
            term, offset: range.lowerBound, matched: range.count, part: patternNumber)
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        var documents = DocumentCounter()
        try reader.forEachOccurrence(where: { !dead.contains(first &+ $0) }) {
            document, string, position in
            guard wanted.contains(string) else { return }
            documents.count(document)
            hits.append(
                Hit(
                    document: first &+ document, string: string, position: position,
                    term: number))
        }
        matched.setDocumentCount(documents.count, of: number)
    }

    private mutating func collect(
        _ pattern: TermPattern, _ part: SegmentWriter.Part, _ wanted: StringSelection,
        into hits: inout Buffer<Hit>
    ) {
        let segment = part.segment
        if let terms = Self.terms(of: pattern, in: { segment.stems.terms(of: $0) }) {
            for term in terms {
                let place = term.withUnsafeBufferPointer { segment.sortedIndex(of: $0) }
                guard place.found else { continue }
                add(.exact(term), part, segment.sorted[place.index].term, wanted, &hits)
            }
            return
        }
        for index in 0..<segment.sorted.count {
            add(pattern, part, segment.sorted[index].term, wanted, &hits)
        }
    }

    private mutating func add(
        _ pattern: TermPattern, _ part: SegmentWriter.Part, _ term: UInt32,
        _ wanted: StringSelection,
        _ hits: inout Buffer<Hit>
    ) {
        let segment = part.segment
        let dead = snapshot.dead
        let found = segment.withTerm(Int(term)) { bytes -> UInt32? in
            guard let range = pattern.match(bytes) else { return nil }
            return matched.append(
                bytes, offset: range.lowerBound, matched: range.count, part: patternNumber)
        }
        guard let number = found else { return }
        var documents = DocumentCounter()
        segment.withOccurrences(of: Int(term)) { occurrences in
            for occurrence in occurrences {
                let string = Int(occurrence.string)
                let document = part.firstDocument + segment.strings.document[string]
                let index = segment.strings.index[string]
                guard wanted.contains(index) else { continue }
                if dead.contains(document) { continue }
                documents.count(document)
                hits.append(
                    Hit(
                        document: document, string: index, position: occurrence.position,
                        term: number))
            }
        }
        matched.setDocumentCount(documents.count, of: number)
    }
}

/// Counts documents that come in ascending order.
private struct DocumentCounter {
    private(set) var count: UInt32 = 0
    private var last: UInt32?

    @inline(__always)
    mutating func count(_ document: UInt32) {
        guard document != last else { return }
        last = document
        count += 1
    }
}

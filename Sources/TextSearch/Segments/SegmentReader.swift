/// A segment of a snapshot as who searches sees it, whether it is flushed or in memory.
///
/// In the segment documents are numbered from 0; ``documents`` says where they stand in the index.
enum SegmentReader: Sendable {
    case flushed(FlushedSegment)
    case memory(PlacedSegment)

    /// The numbers of its documents in the index.
    @inline(__always)
    var documents: Range<UInt32> {
        switch self {
        case .flushed(let segment): segment.manifest.documents
        case .memory(let segment): segment.documents
        }
    }

    /// The weights of its documents. Read once, then kept.
    func weights() throws -> SegmentWeights {
        switch self {
        case .flushed(let segment): .column(try segment.weights())
        case .memory(let segment): .memory(segment.segment)
        }
    }

    /// The lengths of its strings. Read once, then kept.
    func lengths() throws -> SegmentLengths {
        switch self {
        case .flushed(let segment): .column(try segment.lengths())
        case .memory(let segment): .memory(segment.segment)
        }
    }

    /// Where the values of an attribute are.
    func attribute(_ name: String, _ clock: SearchClock) throws -> AttributeSource {
        switch self {
        case .flushed(let segment): try segment.attribute(name, clock)
        case .memory(let segment): try segment.segment.attribute(name, clock)
        }
    }

    /// The parts of its joined words. Made once, then kept.
    func joinedParts() throws -> JoinedParts {
        switch self {
        case .flushed(let segment): try segment.joinedParts()
        case .memory(let segment): segment.segment.joinedParts
        }
    }

    /// Its terms that have a stem.
    func terms(ofStem stem: [UInt8], _ stems: StoredStems) throws -> [StemList.Term] {
        switch self {
        case .flushed(let segment): try stems.terms(of: stem, segment: segment.number)
        case .memory(let segment): segment.segment.stems.terms(of: stem)
        }
    }

    /// Whether a word is one of its terms.
    func holds(_ word: [UInt8]) throws -> Bool {
        try word.withUnsafeBufferPointer { word in
            switch self {
            case .flushed(let segment): try segment.nearTerms().place(of: word) != nil
            case .memory(let placed): placed.segment.terms.place(of: word).isFound
            }
        }
    }

    /// Calls `body` with its terms near a word, and by how many edits; `work` is called for what
    /// it takes to find them, and may throw.
    func forEachTerm(
        near matcher: FuzzyMatcher, work: (Int) throws -> Void,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ edits: Int) throws -> Void
    ) throws {
        switch self {
        case .flushed(let segment):
            try segment.nearTerms().forEachTerm(near: matcher, work: work) { term, edits, _ in
                try body(term, edits)
            }
        case .memory(let placed):
            for number in 0..<placed.segment.terms.count {
                try placed.segment.terms.withTerm(number) { term in
                    try work(matcher.work(forBytes: term.count))
                    if let edits = matcher.matches(term) { try body(term, edits) }
                }
            }
        }
    }

    /// Calls `body` with its terms that begin nearly with a word; `work` as above.
    ///
    /// Complexity: linear in the terms with the first character of the word.
    func forEachTerm(
        beginningNear matcher: BeginningMatcher, work: (Int) throws -> Void,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        switch self {
        case .flushed(let segment):
            for part in try segment.vocabulary() {
                try part.forEachTerm(matching: matcher, work: work) { term, _, _ in
                    try body(term)
                }
            }
        case .memory(let placed):
            let prefix = matcher.requiredPrefix
            let first = prefix.withUnsafeBufferPointer { placed.segment.terms.place(of: $0).term }
            for number in first..<placed.segment.terms.count {
                let isOn = try placed.segment.terms.withTerm(number) { term in
                    guard term.starts(with: prefix) else { return false }
                    try work(matcher.work(forBytes: term.count))
                    if matcher.matches(term) != nil { try body(term) }
                    return true
                }
                if !isOn { return }
            }
        }
    }
}

/// The weights of a segment's documents, by their numbers in it.
enum SegmentWeights: Sendable {
    case column([Double])
    case memory(MemorySegment)

    @inline(__always)
    subscript(document: Int) -> Double {
        switch self {
        case .column(let weights): weights[document]
        case .memory(let segment): segment.documents.weights[document]
        }
    }

    func toArray() -> [Double] {
        switch self {
        case .column(let weights): weights
        case .memory(let segment): segment.documents.weights.withElements { Array($0) }
        }
    }
}

/// The lengths of a segment's strings, by the numbers of their documents in it.
enum SegmentLengths: Sendable {
    case column(LengthColumn)
    case memory(MemorySegment)

    /// How many strings a document has.
    func stringCount(of document: Int) -> Int {
        switch self {
        case .column(let column): column.stringCount(of: document)
        case .memory(let segment): segment.strings(of: document).count
        }
    }

    /// The words in a document's string.
    @inline(__always)
    func length(of document: Int, string: Int) -> Int {
        switch self {
        case .column(let column): column.length(of: document, string: string)
        case .memory(let segment): segment.length(of: document, string: string)
        }
    }
}

/// The distinct terms of a segment, one after the other, in order.
enum SegmentTerms {
    case flushed(FlushedTerms.Walk)
    case memory(MemorySegment, term: Int)

    /// Begins with the first term that does not come before `start`.
    ///
    /// Complexity: logarithmic in the terms, once the vocabulary is read.
    init(of segment: SegmentReader, from start: [UInt8]) throws {
        switch segment {
        case .flushed(let segment):
            let parts = try segment.vocabulary()
            self = .flushed(
                start.withUnsafeBufferPointer { FlushedTerms.Walk(parts, from: $0) })
        case .memory(let placed):
            let segment = placed.segment
            self = .memory(
                segment, term: start.withUnsafeBufferPointer { segment.terms.place(of: $0).term })
        }
    }

    /// The term that it stands on; nil at the end.
    var term: [UInt8]? {
        switch self {
        case .flushed(let walk): walk.isAtEnd ? nil : walk.withTerm { Array($0) }
        case .memory(let segment, let term):
            term < segment.terms.count ? segment.terms.withTerm(term) { Array($0) } : nil
        }
    }

    mutating func advance() {
        switch self {
        case .flushed(var walk):
            walk.advance()
            self = .flushed(walk)
        case .memory(let segment, let term): self = .memory(segment, term: term + 1)
        }
    }
}

/// Finds where the words that match a pattern stand, or how often, in one snapshot.
struct TermHits: ~Copyable {
    let snapshot: Snapshot
    let store: IndexStore
    private(set) var matched = MatchedTerms()
    private var reader: TermPostingsReader
    private let terms: PatternTerms
    /// The number of the pattern that is looked for.
    private var patternNumber: UInt32 = 0
    var clock: SearchClock
    /// Whether what is cut short is of no use: it would let through what is to be left out.
    var needsAll = false
    /// How many terms the pattern that is looked for may stand for.
    private var expansions = ExpansionLimit(.max)

    init(snapshot: Snapshot, store: IndexStore, clock: SearchClock) {
        self.snapshot = snapshot
        self.store = store
        self.clock = clock
        terms = PatternTerms(stems: StoredStems(store: store))
        reader = TermPostingsReader(store: store)
    }

    private mutating func begin(_ pattern: TermPattern) {
        patternNumber += 1
        matched.begin(pattern, part: patternNumber)
        expansions = ExpansionLimit(clock.maximumExpansions)
    }

    /// Begins again with no more terms than a pattern may stand for.
    private mutating func limit(_ pattern: TermPattern) throws {
        try expansions.settle(pattern, terms, snapshot)
        guard expansions.ceiling != nil else { return }
        clock.noteTooManyTerms()
        if needsAll { throw SearchEnded() }
    }

    /// Runs `body`, which ends by throwing when the time is over; then what it did is all, unless `needsAll`.
    private static func cut(_ needsAll: Bool, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let end as SearchEnded {
            if needsAll { throw end }
        }
    }

    private func isCut() throws -> Bool {
        guard clock.check() else { return false }
        if needsAll { throw SearchEnded() }
        return true
    }

    private func checkTime() throws {
        if clock.check() { throw SearchEnded() }
    }

    // MARK: Hits

    /// The hits in living documents, by document, then in text order.
    ///
    /// Only `strings` are looked in, and only the documents of `wanted`, ascending, if there are some.
    mutating func hits(
        of pattern: TermPattern, in strings: StringSelection, of wanted: [UInt32]? = nil
    ) throws -> Buffer<Hit> {
        begin(pattern)
        do {
            return try limitedHits(of: pattern, in: strings, of: wanted)
        } catch is TooManyTerms {
            try limit(pattern)
            return try limitedHits(of: pattern, in: strings, of: wanted)
        }
    }

    private mutating func limitedHits(
        of pattern: TermPattern, in strings: StringSelection, of wanted: [UInt32]?
    ) throws -> Buffer<Hit> {
        var hits = Buffer<Hit>()
        let isOpen = pattern.isOpen
        for segment in snapshot.flushed {
            let some = wanted?.part(in: segment.manifest.documents)
            if let some, some.isEmpty { continue }
            try Self.cut(needsAll) {
                try terms.forEach(of: pattern, in: segment) { term, match, isKnown in
                    try checkTime()
                    if isOpen, try !admits(term) { return }
                    if let some {
                        try collect(term, match, segment, strings, some, isKnown, into: &hits)
                    } else {
                        try collect(term, match, segment, strings, isKnown, into: &hits)
                    }
                }
            }
        }
        for part in snapshot.memory {
            let some = wanted?.part(in: part.documents)
            if let some, some.isEmpty { continue }
            if try isCut() { break }
            terms.forEach(of: pattern, in: part.segment) { term, bytes, match in
                if isOpen, !expansions.admits(bytes) { return }
                collect(term, bytes, match, part, strings, some, into: &hits)
            }
            if expansions.isExceeded { throw TooManyTerms() }
        }
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
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, _ isKnown: Bool, into hits: inout Buffer<Hit>
    ) throws {
        guard try reader.readIfPresent(term, segment.number) else {
            if isKnown { throw Self.missing(segment) }
            return
        }
        let number = matched.append(
            term, offset: match.lowerBound, matched: match.count, part: patternNumber)
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        var documents = DocumentCounter()
        try reader.forEachOccurrence(where: { !dead.contains(first &+ $0) }) {
            document, string, position in
            guard strings.contains(string) else { return }
            documents.count(document)
            hits.append(
                Hit(
                    document: first &+ document, string: string, position: position,
                    term: number))
        }
        matched.setDocumentCount(documents.count, of: number)
    }

    /// Those of some documents alone.
    private mutating func collect(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, _ wanted: ArraySlice<UInt32>, _ isKnown: Bool,
        into hits: inout Buffer<Hit>
    ) throws {
        guard
            var cursor = try PostingsCursor(
                Array(term), segment: segment.number, store: store)
        else {
            if isKnown { throw Self.missing(segment) }
            return
        }
        let number = matched.append(
            term, offset: match.lowerBound, matched: match.count, part: patternNumber)
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        try cursor.forEachOccurrence(
            in: wanted.lazy.filter { !dead.contains($0) }.map { $0 - first }
        ) { document, string, position in
            guard strings.contains(string) else { return }
            hits.append(
                Hit(
                    document: first &+ document, string: string, position: position,
                    term: number))
        }
    }

    private mutating func collect(
        _ term: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
        _ part: SegmentWriter.Part, _ strings: StringSelection, _ wanted: ArraySlice<UInt32>?,
        into hits: inout Buffer<Hit>
    ) {
        let number = matched.append(
            bytes, offset: match.lowerBound, matched: match.count, part: patternNumber)
        var documents = DocumentCounter()
        part.forEachOccurrence(of: term, in: strings, without: snapshot.dead) {
            document, string, occurrence in
            guard wanted?.holds(document) ?? true else { return }
            documents.count(document)
            hits.append(
                Hit(
                    document: document, string: string, position: occurrence.position,
                    term: number))
        }
        matched.setDocumentCount(documents.count, of: number)
    }

    private static func missing(_ segment: FlushedSegment) -> TextIndexError {
        .corrupted("postings of segment \(segment.number)")
    }

    // MARK: Counts

    /// How often the words stand in each string of living documents, by document, then by string.
    mutating func counts(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Buffer<WordCount> {
        begin(pattern)
        do {
            return try limitedCounts(of: pattern, in: strings)
        } catch is TooManyTerms {
            try limit(pattern)
            return try limitedCounts(of: pattern, in: strings)
        }
    }

    private mutating func limitedCounts(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Buffer<WordCount> {
        var counts = Buffer<WordCount>()
        for segment in snapshot.flushed {
            if case .exact(let bytes) = pattern {
                try Self.cut(needsAll) {
                    try checkTime()
                    try bytes.withUnsafeBufferPointer {
                        try count($0, segment, strings, into: &counts)
                    }
                }
            } else {
                try count(pattern, segment, strings, into: &counts)
            }
        }
        for part in snapshot.memory where try !isCut() {
            count(pattern, part, strings, into: &counts)
            if expansions.isExceeded { throw TooManyTerms() }
        }
        return counts
    }

    /// Whether a term of a flushed segment is to be looked for.
    private mutating func admits(_ term: UnsafeBufferPointer<UInt8>) throws -> Bool {
        let isAdmitted = expansions.admits(term)
        if expansions.isExceeded { throw TooManyTerms() }
        return isAdmitted
    }

    /// How often a term stands in the strings of a memory segment.
    mutating func counts(of term: [UInt8], in part: SegmentWriter.Part) -> [WordCount] {
        var counts = Buffer<WordCount>()
        count(.exact(term), part, StringSelection(nil), into: &counts)
        return counts.withElements { Array($0) }
    }

    /// Notes that a term was met elsewhere.
    mutating func note(_ term: [UInt8], documentCount: Int) {
        begin(.exact(term))
        let number = term.withUnsafeBufferPointer {
            matched.append($0, offset: 0, matched: $0.count, part: patternNumber)
        }
        matched.setDocumentCount(UInt32(clamping: documentCount), of: number)
    }

    private mutating func count(
        _ term: UnsafeBufferPointer<UInt8>, _ segment: FlushedSegment, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) throws {
        let first = segment.manifest.firstDocument
        try count(term, 0..<term.count, segment, strings, isKnown: false) { document, run in
            counts.append(
                WordCount(
                    document: first &+ document, string: run.string, count: run.frequency))
        }
    }

    /// The counts of several terms add up.
    private mutating func count(
        _ pattern: TermPattern, _ segment: FlushedSegment, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) throws {
        let lengths = try segment.lengths()
        var sums = SlotCounter(slotCount: lengths.stringCount)
        var isDamaged = false
        let isOpen = pattern.isOpen
        try Self.cut(needsAll) {
            try terms.forEach(of: pattern, in: segment) { term, match, isKnown in
                try checkTime()
                if isOpen, try !admits(term) { return }
                try count(term, match, segment, strings, isKnown: isKnown) { document, run in
                    guard let slot = lengths.slot(of: Int(document), string: Int(run.string)) else {
                        isDamaged = true
                        return
                    }
                    sums.add(UInt32(truncatingIfNeeded: slot), run.frequency)
                }
            }
        }
        if isDamaged { throw Self.missing(segment) }
        let first = segment.manifest.firstDocument
        var document = 0
        sums.drain { slot, count in
            while lengths.start(of: document + 1) <= Int(slot) { document += 1 }
            counts.append(
                WordCount(
                    document: first + UInt32(document),
                    string: slot - UInt32(lengths.start(of: document)), count: count))
        }
    }

    private mutating func count(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, isKnown: Bool,
        _ body: (_ document: UInt32, _ run: PostingsRun) -> Void
    ) throws {
        guard try reader.readCounts(term, segment.number) else {
            if isKnown { throw Self.missing(segment) }
            return
        }
        let number = matched.append(
            term, offset: match.lowerBound, matched: match.count, part: patternNumber)
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        let hasDead = dead.intersects(segment.manifest.documents)
        var documents: UInt32 = 0
        for index in 0..<reader.chunk.documentCount {
            let document = reader.chunk.documents[index]
            if hasDead, dead.contains(first &+ document) { continue }
            var isIn = false
            for run in reader.chunk.runRange(at: index) {
                let run = reader.chunk.runs[run]
                guard strings.contains(run.string) else { continue }
                isIn = true
                body(document, run)
            }
            if isIn { documents += 1 }
        }
        matched.setDocumentCount(documents, of: number)
    }

    private mutating func count(
        _ pattern: TermPattern, _ part: SegmentWriter.Part, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) {
        let segment = part.segment
        let dead = snapshot.dead
        var sums = SlotCounter(slotCount: segment.strings.count)
        let isOpen = pattern.isOpen
        terms.forEach(of: pattern, in: segment) { term, bytes, match in
            if isOpen, !expansions.admits(bytes) { return }
            let number = matched.append(
                bytes, offset: match.lowerBound, matched: match.count, part: patternNumber)
            var documents = DocumentCounter()
            part.forEachOccurrence(of: term, in: strings, without: dead) {
                document, _, occurrence in
                documents.count(document)
                sums.add(occurrence.string, 1)
            }
            matched.setDocumentCount(documents.count, of: number)
        }
        sums.drain { slot, count in
            counts.append(
                WordCount(
                    document: part.firstDocument + segment.strings.document[Int(slot)],
                    string: segment.strings.index[Int(slot)], count: count))
        }
    }
}

/// How often the words that a query asks for stand in one string.
struct WordCount: BitwiseCopyable {
    var document: UInt32
    var string: UInt32
    var count: UInt32
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

extension Array where Element == UInt32 {
    /// Those of ascending numbers that lie in a range.
    func part(in range: Range<UInt32>) -> ArraySlice<UInt32> {
        let start = partitionIndex { $0 >= range.lowerBound }
        return self[start..<Swift.max(start, partitionIndex { $0 >= range.upperBound })]
    }

    private func partitionIndex(where isBehind: (UInt32) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ArraySlice where Element == UInt32 {
    /// Whether ascending numbers hold one.
    fileprivate func holds(_ number: UInt32) -> Bool {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle] == number { return true }
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return false
    }
}

import Synchronization

/// A run of documents that is not flushed yet: immutable, searched and merged where it is.
///
/// Document numbers in it are relative to its first document, so that it can be frozen on any thread before
/// its place in the index is known.
///
/// **Thread safety**: what is put together when somebody asks for it first is guarded; everything else is immutable.
final class MemorySegment: Sendable {
    /// The terms, each followed by a zero byte; term `n` begins at `termStarts[n]`.
    let termBytes: Buffer<UInt8>
    let termStarts: Buffer<UInt32>
    /// The terms that have postings, in byte order, with their first eight bytes as a number.
    let sorted: Buffer<SortedTerm>
    /// Where the postings of term `n` end in `occurrences`; they begin where those of `n - 1` end.
    let occurrenceEnds: Buffer<UInt32>
    /// String number and word position of every posting, by term, then in text order.
    let occurrences: Buffer<Occurrence>
    let stems: StemList
    let strings: StringTable
    let documents: DocumentTable
    let identifierTable: IdentifierTable
    let textByteCount: Int
    let attributes = Mutex(AttributeColumns())

    struct SortedTerm: BitwiseCopyable, Sendable {
        var prefix: UInt64
        var term: UInt32
    }

    struct Occurrence: BitwiseCopyable, Sendable {
        var string: UInt32
        var position: UInt32
    }

    /// Freezes what a builder collected.
    init(
        terms: consuming TermTable, words: borrowing Buffer<UInt32>,
        alternatives: borrowing Buffer<WordLog.Alternative>, strings: consuming StringTable,
        documents: consuming DocumentTable, textByteCount: Int
    ) {
        let ends = Self.count(words, alternatives, terms: terms.count)
        occurrences = Self.distribute(words, alternatives, strings, ends: ends)
        sorted = Self.sort(terms, ends: ends)
        stems = Self.stems(terms, ends: ends)
        occurrenceEnds = ends
        let parts = terms.takeParts()
        termBytes = parts.bytes
        termStarts = parts.starts
        self.strings = strings
        identifierTable = IdentifierTable(documents)
        self.documents = documents
        self.textByteCount = textByteCount
    }

    init(
        termBytes: consuming Buffer<UInt8>, termStarts: consuming Buffer<UInt32>,
        sorted: consuming Buffer<SortedTerm>, occurrenceEnds: consuming Buffer<UInt32>,
        occurrences: consuming Buffer<Occurrence>, stems: StemList, strings: consuming StringTable,
        documents: consuming DocumentTable, textByteCount: Int
    ) {
        self.termBytes = termBytes
        self.termStarts = termStarts
        self.sorted = sorted
        self.occurrenceEnds = occurrenceEnds
        self.occurrences = occurrences
        self.stems = stems
        self.textByteCount = textByteCount
        self.strings = strings
        identifierTable = IdentifierTable(documents)
        self.documents = documents
    }

    var documentCount: Int { documents.count }
    var termCount: Int { sorted.count }

    /// The memory it holds.
    var byteCount: Int {
        termBytes.byteCount + termStarts.byteCount + sorted.byteCount + occurrenceEnds.byteCount
            + occurrences.byteCount + strings.byteCount + documents.byteCount
            + identifierTable.byteCount + stems.byteCount
    }

    @inline(__always)
    func withTerm<R, E: Error>(
        _ term: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let start = Int(termStarts[term])
        let end = Int(termStarts[term + 1]) - 1
        return try termBytes.withElements { (bytes) throws(E) in
            try body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
    }

    /// The postings of a term, in text order.
    @inline(__always)
    func withOccurrences<R, E: Error>(
        of term: Int, _ body: (UnsafeBufferPointer<Occurrence>) throws(E) -> R
    ) throws(E) -> R {
        let start = term == 0 ? 0 : Int(occurrenceEnds[term - 1])
        let end = Int(occurrenceEnds[term])
        return try occurrences.withElements { (all) throws(E) in
            try body(UnsafeBufferPointer(rebasing: all[start..<end]))
        }
    }

    /// The place of `bytes` among the sorted terms: of the term itself, or of the first one after it.
    ///
    /// Complexity: logarithmic in the number of terms.
    func sortedIndex(of bytes: UnsafeBufferPointer<UInt8>) -> (index: Int, found: Bool) {
        let prefix = TermOrder.prefix(bytes)
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            let entry = sorted[middle]
            let order: Int =
                entry.prefix != prefix
                ? (entry.prefix < prefix ? -1 : 1)
                : withTerm(Int(entry.term)) { TermOrder.compare($0, bytes) }
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    // MARK: Freezing

    private static func count(
        _ words: borrowing Buffer<UInt32>, _ alternatives: borrowing Buffer<WordLog.Alternative>,
        terms: Int
    ) -> Buffer<UInt32> {
        var counts = Buffer<UInt32>(repeating: 0, count: terms)
        words.withElements { words in
            counts.withMutableElements { counts in
                for word in words where word != SegmentBuilder.dropped { counts[Int(word)] &+= 1 }
                for index in 0..<alternatives.count { counts[Int(alternatives[index].term)] &+= 1 }
                var total: UInt32 = 0
                for term in 0..<counts.count {
                    total += counts[term]
                    counts[term] = total
                }
            }
        }
        return counts
    }

    private static func distribute(
        _ words: borrowing Buffer<UInt32>, _ alternatives: borrowing Buffer<WordLog.Alternative>,
        _ strings: borrowing StringTable, ends: borrowing Buffer<UInt32>
    ) -> Buffer<Occurrence> {
        let total = ends.isEmpty ? 0 : Int(ends[ends.count - 1])
        var occurrences = Buffer(
            repeating: Occurrence(string: 0, position: 0), count: total)
        var next = Buffer<UInt32>(capacity: ends.count + 1)
        next.append(0)
        ends.withElements { next.append(contentsOf: $0) }
        var alternative = 0
        var nextAlternative = alternatives.isEmpty ? Int.max : Int(alternatives[0].word)
        next.withMutableElements { next in
            occurrences.withMutableElements { output in
                words.withElements { words in
                    for string in 0..<strings.count {
                        let first = Int(strings.firstWord[string])
                        for position in 0..<Int(strings.length[string]) {
                            let occurrence = Occurrence(
                                string: UInt32(truncatingIfNeeded: string),
                                position: UInt32(truncatingIfNeeded: position))
                            while first &+ position == nextAlternative {
                                let term = Int(alternatives[alternative].term)
                                output[Int(next[term])] = occurrence
                                next[term] &+= 1
                                alternative += 1
                                nextAlternative =
                                    alternative < alternatives.count
                                    ? Int(alternatives[alternative].word) : .max
                            }
                            let word = words[first &+ position]
                            if word == SegmentBuilder.dropped { continue }
                            let slot = Int(next[Int(word)])
                            next[Int(word)] &+= 1
                            output[slot] = occurrence
                        }
                    }
                }
            }
        }
        return occurrences
    }

    /// The stems of terms that have postings: a stop word has none.
    private static func stems(
        _ terms: borrowing TermTable, ends: borrowing Buffer<UInt32>
    ) -> StemList {
        let pairs = terms.stems.pairs
        guard !pairs.isEmpty else { return StemList() }
        var dropped: Set<[UInt8]> = []
        terms.bytes.withElements { bytes in
            for term in 0..<ends.count where ends[term] == (term == 0 ? 0 : ends[term - 1]) {
                dropped.insert(
                    Array(bytes[Int(terms.starts[term])..<(Int(terms.starts[term + 1]) - 1)]))
            }
        }
        return StemList(dropped.isEmpty ? pairs : pairs.filter { !dropped.contains($0.term) })
    }

    private static func sort(
        _ terms: borrowing TermTable, ends: borrowing Buffer<UInt32>
    ) -> Buffer<SortedTerm> {
        var sorted = Buffer<SortedTerm>(capacity: terms.count + 1)
        terms.bytes.withElements { bytes in
            terms.starts.withElements { starts in
                var previous: UInt32 = 0
                for term in 0..<ends.count {
                    defer { previous = ends[term] }
                    guard ends[term] != previous else { continue }
                    let slice = UnsafeBufferPointer(
                        rebasing: bytes[Int(starts[term])..<(Int(starts[term + 1]) - 1)])
                    sorted.append(
                        SortedTerm(prefix: TermOrder.prefix(slice), term: UInt32(term)))
                }
                sorted.withMutableElements { all in
                    var elements = all
                    elements.sort { a, b in
                        if a.prefix != b.prefix { return a.prefix < b.prefix }
                        return TermOrder.compare(
                            bytes, Int(starts[Int(a.term)])..<(Int(starts[Int(a.term) + 1]) - 1),
                            Int(starts[Int(b.term)])..<(Int(starts[Int(b.term) + 1]) - 1)) < 0
                    }
                }
            }
        }
        return sorted
    }
}

/// Byte order of terms.
enum TermOrder {
    /// The first eight bytes as a number that compares as the bytes do.
    @inline(__always)
    static func prefix(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        let count = min(bytes.count, 8)
        for index in 0..<count { prefix = prefix << 8 | UInt64(bytes[index]) }
        return count == 0 ? 0 : prefix << UInt64(8 * (8 - count))
    }

    /// Negative, zero or positive as `a` comes before, is, or comes after `b`.
    @inline(__always)
    static func compare(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let count = min(a.count, b.count)
        for index in 0..<count where a[index] != b[index] {
            return Int(a[index]) - Int(b[index])
        }
        return a.count - b.count
    }

    @inline(__always)
    static func compare(
        _ bytes: UnsafeBufferPointer<UInt8>, _ a: Range<Int>, _ b: Range<Int>
    ) -> Int {
        compare(
            UnsafeBufferPointer(rebasing: bytes[a]), UnsafeBufferPointer(rebasing: bytes[b]))
    }
}

import Synchronization

/// A run of documents that is not flushed yet: immutable, searched and merged where it is.
///
/// Document numbers in it are relative to its first document, so that it can be frozen on any
/// thread before its place in the index is known.
///
/// **Thread safety**: what is put together when somebody asks for it first is guarded; everything
/// else is immutable.
final class MemorySegment: Sendable {
    /// The terms that have postings, in byte order, each followed by a zero byte, so that a search
    /// can run over all of them at once; term `n` begins at `termStarts[n]`.
    let termBytes: Buffer<UInt8>
    let termStarts: Buffer<UInt32>
    /// The first eight bytes of each term as a number (`TermOrder.prefix`).
    let prefixes: Buffer<UInt64>
    /// Where the postings of term `n` end in `occurrences`; they begin where those of `n - 1` end.
    let occurrenceEnds: Buffer<UInt32>
    /// String number and word position of every posting, by term, then in text order.
    let occurrences: Buffer<Occurrence>
    let stems: StemList
    let strings: StringTable
    private let evenStrings: EvenStrings?
    let documents: DocumentTable
    let identifierTable: IdentifierTable
    let textByteCount: Int
    /// The memory it holds.
    let byteCount: Int
    let attributes = Mutex(AttributeColumns())
    private let lazyJoinedParts = Lazy<JoinedParts>()

    struct Occurrence: BitwiseCopyable, Sendable {
        var string: UInt32
        var position: UInt32
    }

    /// Freezes what a builder collected.
    convenience init(
        terms: consuming TermTable, log: borrowing WordLog, strings: consuming StringTable,
        documents: consuming DocumentTable, analyzer: Analyzer, textByteCount: Int
    ) {
        let counts = Self.count(log.words, log.alternatives, terms: terms.count)
        let stems = StemList(terms, log, strings, documents, analyzer, counts)
        let vocabulary = SortedVocabulary(terms, counts: counts)
        let occurrences = Self.distribute(
            log.words, log.alternatives, strings, starts: vocabulary.occurrenceStarts,
            total: vocabulary.occurrenceCount)
        let parts = vocabulary.takeParts()
        self.init(
            termBytes: parts.bytes, termStarts: parts.starts, prefixes: parts.prefixes,
            occurrenceEnds: parts.occurrenceEnds, occurrences: occurrences, stems: stems,
            strings: strings, documents: documents, textByteCount: textByteCount)
    }

    init(
        termBytes: consuming Buffer<UInt8>, termStarts: consuming Buffer<UInt32>,
        prefixes: consuming Buffer<UInt64>, occurrenceEnds: consuming Buffer<UInt32>,
        occurrences: consuming Buffer<Occurrence>, stems: StemList, strings: consuming StringTable,
        documents: consuming DocumentTable, textByteCount: Int
    ) {
        self.termBytes = termBytes
        self.termStarts = termStarts
        self.prefixes = prefixes
        self.occurrenceEnds = occurrenceEnds
        self.occurrences = occurrences
        self.stems = stems
        self.textByteCount = textByteCount
        evenStrings = documents.firstString.withElements {
            EvenStrings($0, stringCount: strings.count)
        }
        self.strings = strings
        identifierTable = IdentifierTable(documents)
        self.documents = documents
        byteCount =
            self.termBytes.byteCount + self.termStarts.byteCount + self.prefixes.byteCount
            + self.occurrenceEnds.byteCount + self.occurrences.byteCount + self.strings.byteCount
            + self.documents.byteCount + identifierTable.byteCount + stems.byteCount
    }

    /// The parts of its joined words. Made once, then kept.
    var joinedParts: JoinedParts {
        lazyJoinedParts.get {
            JoinedParts { body in
                for number in 0..<termCount { withTerm(number) { body($0) } }
            }
        }
    }

    var documentCount: Int { documents.count }
    var termCount: Int { prefixes.count }

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

    /// The document that a string belongs to, and which of its strings it is.
    ///
    /// The strings of postings are all over the tables: what is not computed is waited for.
    @inline(__always)
    func place(ofString string: UInt32) -> (document: UInt32, string: UInt32) {
        evenStrings?[string]
            ?? (strings.document[Int(string)], strings.index[Int(string)])
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

    /// The number of the term `bytes`, or of the first one after it.
    ///
    /// Complexity: logarithmic in the number of terms.
    func place(of bytes: UnsafeBufferPointer<UInt8>) -> (term: Int, isFound: Bool) {
        let prefix = TermOrder.prefix(bytes)
        var low = 0
        var high = termCount
        while low < high {
            let middle = (low + high) / 2
            let order: Int =
                prefixes[middle] != prefix
                ? (prefixes[middle] < prefix ? -1 : 1)
                : withTerm(middle) { TermOrder.compare($0, bytes) }
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    // MARK: Freezing

    /// Words that are dropped stand between others as they come, so that a branch for them is
    /// foreseen every other time. They are counted and put with the others, into so many places
    /// behind them that none waits for the one before.
    private static let spare = 16

    /// How many postings each term of the table has.
    private static func count(
        _ words: borrowing Buffer<UInt32>, _ alternatives: borrowing Buffer<WordLog.Alternative>,
        terms: Int
    ) -> Buffer<UInt32> {
        var counts = Buffer<UInt32>(repeating: 0, count: terms + spare)
        words.withElements { words in
            counts.withMutableElements { counts in
                for index in words.indices {
                    let word = Int(words[index])
                    counts[word < terms ? word : terms &+ index & (spare &- 1)] &+= 1
                }
                for index in 0..<alternatives.count { counts[Int(alternatives[index].term)] &+= 1 }
            }
        }
        counts.removeLast(spare)
        return counts
    }

    /// Puts the postings of each term of the table where they are to begin.
    private static func distribute(
        _ words: borrowing Buffer<UInt32>, _ alternatives: borrowing Buffer<WordLog.Alternative>,
        _ strings: borrowing StringTable, starts: borrowing Buffer<UInt32>, total: Int
    ) -> Buffer<Occurrence> {
        var occurrences = Buffer(
            repeating: Occurrence(string: 0, position: 0), count: total + spare)
        let terms = starts.count
        var next = Buffer<UInt32>(capacity: terms + spare)
        starts.withElements { next.append(contentsOf: $0) }
        for place in total..<(total + spare) {
            next.append(UInt32(truncatingIfNeeded: place))
        }
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
                            let word = Int(words[first &+ position])
                            let isKept = word < terms
                            let place = isKept ? word : terms &+ position & (spare &- 1)
                            let slot = next[place]
                            next[place] = slot &+ (isKept ? 1 : 0)
                            output[Int(slot)] = occurrence
                        }
                    }
                }
            }
        }
        occurrences.removeLast(spare)
        return occurrences
    }
}

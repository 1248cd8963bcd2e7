/// The terms of a memory segment that have postings, in byte order, and the postings.
///
/// A term's number is its place among them.
struct MemoryTerms: ~Copyable {
    /// The terms one after the other, each followed by a zero byte, so that a search can run over
    /// all of them at once; term `n` begins at `starts[n]`.
    let bytes: Buffer<UInt8>
    let starts: Buffer<UInt32>
    /// The first eight bytes of each term as a number (`TermOrder.prefix`).
    let prefixes: Buffer<UInt64>
    /// Where the postings of term `n` end in `occurrences`; they begin where those of `n - 1` end.
    let occurrenceEnds: Buffer<UInt32>
    /// String number and word position of every posting, by term, then in text order.
    let occurrences: Buffer<Occurrence>

    struct Occurrence: BitwiseCopyable, Sendable {
        var string: UInt32
        var position: UInt32
    }

    var count: Int { prefixes.count }

    /// The memory held.
    var byteCount: Int {
        bytes.byteCount + starts.byteCount + prefixes.byteCount + occurrenceEnds.byteCount
            + occurrences.byteCount
    }

    @inline(__always)
    borrowing func withTerm<R, E: Error>(
        _ term: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let start = Int(starts[term])
        let end = Int(starts[term + 1]) - 1
        return try bytes.withElements { (all) throws(E) in
            try body(UnsafeBufferPointer(rebasing: all[start..<end]))
        }
    }

    /// The postings of a term, in text order.
    @inline(__always)
    borrowing func withOccurrences<R, E: Error>(
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
    borrowing func place(of bytes: UnsafeBufferPointer<UInt8>) -> (term: Int, isFound: Bool) {
        let prefix = TermOrder.prefix(bytes)
        var low = 0
        var high = count
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

    /// Calls `body` with each term that holds `needle` at a place that `rule` allows, or at any
    /// without one, and with the place; again for each further place.
    ///
    /// Complexity: linear in the bytes of the terms.
    borrowing func forEach(
        holding needle: [UInt8], _ rule: TokenRule?,
        _ body: (_ term: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws -> Void
    ) rethrows {
        try needle.withUnsafeBufferPointer { needle in
            try bytes.withElements { all in
                try InfixScan.forEachMatch(of: needle, in: all) { range, offset in
                    let term = UnsafeBufferPointer(rebasing: all[range])
                    guard rule?.allows(offset, in: term) ?? true else { return }
                    try body(number(ofTermAt: range.lowerBound), term, offset)
                }
            }
        }
    }

    /// The number of the term whose bytes begin at `start`.
    private func number(ofTermAt start: Int) -> Int {
        (0..<starts.count).firstPlace { Int(starts[$0]) >= start }
    }
}

// MARK: - Freezing

extension MemoryTerms {
    /// The terms of a table that have postings, with the words of a log; `counts` says how many
    /// each term has.
    init(
        _ table: borrowing TermTable, _ log: borrowing WordLog, _ strings: borrowing StringTable,
        counts: borrowing Buffer<UInt32>
    ) {
        let vocabulary = SortedVocabulary(table, counts: counts)
        let occurrences = Self.distribute(
            log.words, log.alternatives, strings, starts: vocabulary.occurrenceStarts,
            total: vocabulary.occurrenceCount)
        self = vocabulary.terms(with: occurrences)
    }

    /// Words that are dropped stand between others as they come, so that a branch for them is
    /// foreseen every other time. They are counted and put with the others, into so many places
    /// behind them that none waits for the one before.
    fileprivate static let spare = 16

    /// Puts the postings of each term of the table where they are to begin.
    private static func distribute(
        _ words: borrowing Buffer<UInt32>, _ alternatives: borrowing Buffer<WordLog.Alternative>,
        _ strings: borrowing StringTable, starts: borrowing Buffer<UInt32>, total: Int
    ) -> Buffer<Occurrence> {
        // Each place is written once, but for some of those behind the last.
        var occurrences = Buffer<Occurrence>(capacity: total + spare)
        let room = occurrences.tail(room: total + spare)
        (room + total).initialize(
            repeating: Occurrence(string: 0, position: 0), count: spare)
        occurrences.commit(total + spare)
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

extension WordLog {
    /// How many postings each term of the table has.
    borrowing func counts(ofTerms terms: Int) -> Buffer<UInt32> {
        let spare = MemoryTerms.spare
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
}

/// The terms of a table that have postings, numbered anew in byte order.
///
/// Whoever walks over the terms of a frozen segment in order then walks over its postings in the
/// order of memory, too.
struct SortedVocabulary: ~Copyable {
    // Not private: Swift 6.3.1 crashes on a private element of a buffer in a noncopyable type.
    struct Entry: BitwiseCopyable {
        var prefix: UInt64
        /// Its number in the table.
        var term: UInt32
    }

    /// Up to so many terms, eight passes cost more than comparing.
    private static let mostCompared = 100
    /// Of up to so many terms with the same first byte each is inserted among those before it.
    private static let mostInserted = 32

    /// Where the postings of each term of the table begin.
    private(set) var occurrenceStarts: Buffer<UInt32>
    private(set) var occurrenceCount = 0
    private var bytes: Buffer<UInt8>
    private var starts: Buffer<UInt32>
    private var prefixes: Buffer<UInt64>
    private var ends: Buffer<UInt32>

    /// `counts` says how many postings each term of the table has.
    ///
    /// Complexity: n log n for n terms.
    init(_ terms: borrowing TermTable, counts: borrowing Buffer<UInt32>) {
        let order = Self.sort(terms, counts)
        occurrenceStarts = Buffer(repeating: 0, count: counts.count)
        bytes = Buffer(capacity: terms.bytes.count + 1)
        starts = Buffer(capacity: order.count + 1)
        prefixes = Buffer(capacity: order.count)
        ends = Buffer(capacity: order.count)
        for place in 0..<order.count {
            let entry = order[place]
            let term = Int(entry.term)
            starts.append(UInt32(truncatingIfNeeded: bytes.count))
            prefixes.append(entry.prefix)
            let range = Int(terms.starts[term])..<Int(terms.starts[term + 1])
            terms.bytes.withElements {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
            }
            occurrenceStarts[term] = UInt32(truncatingIfNeeded: occurrenceCount)
            occurrenceCount += Int(counts[term])
            ends.append(UInt32(truncatingIfNeeded: occurrenceCount))
        }
        starts.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// The terms with their postings, which begin where `occurrenceStarts` says.
    consuming func terms(
        with occurrences: consuming Buffer<MemoryTerms.Occurrence>
    ) -> MemoryTerms {
        MemoryTerms(
            bytes: bytes, starts: starts, prefixes: prefixes, occurrenceEnds: ends,
            occurrences: occurrences)
    }

    /// By a radix sort of the prefixes, then by comparing those terms that have one in common.
    private static func sort(
        _ terms: borrowing TermTable, _ counts: borrowing Buffer<UInt32>
    ) -> Buffer<Entry> {
        var entries = Buffer<Entry>(capacity: counts.count)
        terms.bytes.withElements { bytes in
            terms.starts.withElements { starts in
                func range(_ term: Int) -> Range<Int> {
                    Int(starts[term])..<(Int(starts[term + 1]) - 1)
                }
                for term in 0..<counts.count where counts[term] > 0 {
                    let word = UnsafeBufferPointer(rebasing: bytes[range(term)])
                    entries.append(Entry(prefix: TermOrder.prefix(word), term: UInt32(term)))
                }
                sortByPrefix(&entries)
                entries.withMutableElements { all in
                    forEachTie(in: all) { tie in
                        tie.sort {
                            TermOrder.compare(bytes, range(Int($0.term)), range(Int($1.term))) < 0
                        }
                    }
                }
            }
        }
        return entries
    }

    /// Complexity: linear, but for some hundreds.
    private static func sortByPrefix(_ entries: inout Buffer<Entry>) {
        var other = Buffer(repeating: Entry(prefix: 0, term: 0), count: entries.count)
        if sortByFirstByte(&entries, &other) { return }
        guard entries.count > mostCompared else {
            return entries.withMutableElements { all in
                var elements = all
                elements.sort { $0.prefix < $1.prefix }
            }
        }
        // One byte after the other, the last one first; each pass keeps the order of those before.
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var places = places(entries, byteAt: shift)
            if places.most == entries.count { continue }
            distribute(entries, byteAt: shift, to: &other, &places.starts)
            swap(&entries, &other)
        }
    }

    /// Sorts by the first byte, and those that share it by inserting one after the other; false,
    /// and nothing is done, where too many share one. Quickest for the words of a small object.
    private static func sortByFirstByte(
        _ entries: inout Buffer<Entry>, _ other: inout Buffer<Entry>
    ) -> Bool {
        var places = places(entries, byteAt: 56)
        guard places.most <= mostInserted else { return false }
        distribute(entries, byteAt: 56, to: &other, &places.starts)
        swap(&entries, &other)
        entries.withMutableElements { all in
            for index in all.indices.dropFirst() {
                let entry = all[index]
                var place = index
                while place > 0, all[place - 1].prefix > entry.prefix {
                    all[place] = all[place - 1]
                    place -= 1
                }
                all[place] = entry
            }
        }
        return true
    }

    /// Where the entries with each value of a byte of their prefixes come to begin, and how many
    /// have the most frequent one.
    private static func places(
        _ entries: borrowing Buffer<Entry>, byteAt shift: UInt64
    ) -> (starts: [Int], most: Int) {
        var places = [Int](repeating: 0, count: 256)
        for index in 0..<entries.count {
            places[Int(truncatingIfNeeded: entries[index].prefix >> shift & 0xff)] += 1
        }
        var (next, most) = (0, 0)
        for byte in places.indices {
            let count = places[byte]
            places[byte] = next
            next += count
            most = max(most, count)
        }
        return (places, most)
    }

    /// Puts the entries where those with their byte come to, in their order.
    private static func distribute(
        _ entries: borrowing Buffer<Entry>, byteAt shift: UInt64, to other: inout Buffer<Entry>,
        _ places: inout [Int]
    ) {
        for index in 0..<entries.count {
            let entry = entries[index]
            let byte = Int(truncatingIfNeeded: entry.prefix >> shift & 0xff)
            other[places[byte]] = entry
            places[byte] += 1
        }
    }

    /// Lends each run of terms that have the first eight bytes in common.
    private static func forEachTie(
        in entries: UnsafeMutableBufferPointer<Entry>,
        _ body: (inout Slice<UnsafeMutableBufferPointer<Entry>>) -> Void
    ) {
        var start = 0
        for end in 1..<(entries.count + 1)
        where end == entries.count || entries[end].prefix != entries[start].prefix {
            if end - start > 1 {
                var tie = entries[start..<end]
                body(&tie)
            }
            start = end
        }
    }
}

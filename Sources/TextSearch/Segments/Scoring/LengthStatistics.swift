/// The lengths of strings in one snapshot, and their averages over living documents.
///
/// **Thread safety**: immutable. It is a class because every search takes it along.
final class LengthStatistics: Sendable {
    fileprivate let parts: [Part]
    /// The words in each string of living documents, and how many documents have it.
    let totals: [Double]
    let counts: [Double]
    /// The average length of each string.
    let averages: [Double]

    fileprivate struct Part: Sendable {
        var documents: Range<UInt32>
        var lengths: SegmentLengths
    }

    /// Complexity: linear in the documents of segments where some are dead or that are in memory.
    init(_ snapshot: Snapshot) throws {
        var parts: [Part] = []
        var totals: [Double] = []
        var counts: [Double] = []
        func add(_ total: Double, _ count: Double, _ index: Int) {
            if index == totals.count {
                totals.append(0)
                counts.append(0)
            }
            totals[index] += total
            counts[index] += count
        }
        let segmentsWithDead = snapshot.segmentsWithDead()
        for (place, segment) in snapshot.segments.enumerated() {
            let documents = segment.documents
            let lengths = try segment.lengths()
            parts.append(Part(documents: documents, lengths: lengths))
            if case .column(let column) = lengths, !segmentsWithDead[place] {
                for (index, sum) in column.sums.enumerated() {
                    add(Double(sum.total), Double(sum.count), index)
                }
                continue
            }
            for document in 0..<documents.count
            where !snapshot.dead.contains(documents.lowerBound + UInt32(document)) {
                for string in 0..<lengths.stringCount(of: document) {
                    add(Double(lengths.length(of: document, string: string)), 1, string)
                }
            }
        }
        self.parts = parts
        self.totals = totals
        self.counts = counts
        averages = zip(totals, counts).map { $0 / max($1, 1) }
    }

    func average(of string: Int) -> Double { string < averages.count ? averages[string] : 0 }

    /// Calls `body` with each of some counts, whose documents ascend, and the length of its string
    /// in words.
    @inline(__always)
    func forEach(
        _ counts: UnsafeBufferPointer<WordCount>, _ body: (WordCount, _ length: Int) -> Void
    ) {
        var rest = counts[...]
        for part in parts where !rest.isEmpty {
            let end = rest.firstPlace { $0.document >= part.documents.upperBound }
            let own = UnsafeBufferPointer(rebasing: rest[..<end])
            rest = rest[end...]
            let first = part.documents.lowerBound
            switch part.lengths {
            case .column(let column):
                for count in own {
                    let document = Int(count.document &- first)
                    body(count, column.length(of: document, string: Int(count.string)))
                }
            case .memory(let segment):
                for count in own {
                    let document = Int(count.document &- first)
                    body(count, segment.length(of: document, string: Int(count.string)))
                }
            }
        }
    }

    /// Gives lengths of documents that ascend.
    func makeWalk() -> Walk { Walk(parts: parts) }

    struct Walk {
        private let parts: [Part]
        private var place = -1
        private var documents: Range<UInt32> = 0..<0
        /// Of the part that was asked for last.
        private var column: LengthColumn?
        private var memory: MemorySegment?

        fileprivate init(parts: [Part]) { self.parts = parts }

        /// The length of a document's string, in words. The document must not be before the last
        /// one.
        @inline(__always)
        mutating func length(of document: UInt32, string: Int) -> Int {
            if document >= documents.upperBound { enter(document) }
            guard document >= documents.lowerBound else { return 0 }
            let relative = Int(document - documents.lowerBound)
            if let length = column?.length(of: relative, string: string) { return length }
            return memory?.length(of: relative, string: string) ?? 0
        }

        /// Goes to the part that a document is in, or before the one that follows it.
        @inline(never)
        private mutating func enter(_ document: UInt32) {
            repeat {
                place += 1
            } while place < parts.count
                && document >= parts[place].documents.upperBound
            column = nil
            memory = nil
            guard place < parts.count else {
                place = parts.count
                documents = UInt32.max..<UInt32.max
                return
            }
            documents = parts[place].documents
            switch parts[place].lengths {
            case .column(let column): self.column = column
            case .memory(let segment): memory = segment
            }
        }
    }
}

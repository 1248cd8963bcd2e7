/// The parts of "any of several" in one window of documents: some are walked over, and the others only asked for the documents that these find.
struct UnionParts: ~Copyable {
    /// Those that have documents in the window, in their order.
    private(set) var walked = Buffer<Int>()
    /// Those that together are not enough, the one with the highest bound last, and what they can add at most.
    private(set) var asked = Buffer<Int>()
    private(set) var askedBound = 0.0
    private var bounds: Buffer<Double>
    private var documents = AskedDocuments()

    /// For so many parts at most.
    init(capacity: Int) { bounds = Buffer(repeating: 0, count: capacity) }

    /// Begins with a segment that has so many.
    mutating func begin(count: Int) { documents.begin(partCount: count) }

    /// What the walked parts have to give a document at the least; a little less, for rounding.
    func leastWalked(_ threshold: Double) -> Double {
        asked.isEmpty
            ? threshold
            : threshold - askedBound - (abs(threshold) + abs(askedBound)) * 1e-8
    }

    /// Finds out which parts are in a window; those that do not reach `threshold` are only asked.
    mutating func begin(_ cursors: borrowing CursorRow, through last: Int64, threshold: Double?) {
        walked.removeAll()
        asked.removeAll()
        askedBound = 0
        for part in cursors.indices where cursors[part].next <= last { walked.append(part) }
        guard let threshold else { return }
        for place in 0..<walked.count {
            bounds[walked[place]] = cursors[walked[place]].bound(through: last)
        }
        while let place = leastWalkedPlace,
            !TopDocuments.reaches(askedBound + bounds[walked[place]], threshold)
        {
            askedBound += bounds[walked[place]]
            asked.append(walked[place])
            walked.remove(at: place)
        }
    }

    /// Where the part with the lowest bound is among those that are walked over; there are few.
    private var leastWalkedPlace: Int? {
        guard !walked.isEmpty else { return nil }
        var least = 0
        for place in 1..<walked.count where bounds[walked[place]] < bounds[walked[least]] {
            least = place
        }
        return least
    }

    /// Notes a document for which the others are to be asked; the walked parts give it `sum`, the `number`-th of them `score(number)`.
    @inline(__always)
    mutating func append(_ document: UInt32, _ sum: Double, _ score: (_ number: Int) -> Double) {
        documents.append(document, sum)
        for number in 0..<walked.count { documents.setLastScore(score(number), of: walked[number]) }
    }

    /// Asks for the documents that were noted, and calls `body` with each that may reach `threshold`, and its score, which adds up in the order of the
    /// parts; then none are noted.
    mutating func ask(
        _ cursors: inout CursorRow, _ threshold: Double,
        _ body: (_ document: UInt32, _ score: Double) -> Void
    ) throws {
        guard documents.count > 0 else { return }
        var rest = askedBound
        for place in (0..<asked.count).reversed() {
            let part = asked[place]
            documents.keepThoseReaching(threshold, with: rest)
            guard documents.count > 0 else { break }
            rest -= bounds[part]
            try cursors[part].add(to: &documents, part: part)
        }
        for number in 0..<documents.count {
            body(documents.document(number), documents.sum(number))
        }
        documents.removeAll()
    }
}

/// Documents for which parts are asked, ascending, and what they add to the scores.
struct AskedDocuments: ~Copyable {
    private var partCount = 0
    /// All that were noted; what is known of the score of each; and what each part adds to it, all of a document together.
    private var documents = Buffer<UInt32>()
    private var known = Buffer<Double>()
    private var scores = Buffer<Double>()
    /// Where those are that may still be good enough.
    private var places = Buffer<UInt32>()

    /// Begins with none, for so many parts.
    mutating func begin(partCount: Int) {
        removeAll()
        self.partCount = partCount
    }

    /// How many may still be good enough.
    var count: Int { places.count }

    @inline(__always)
    func document(_ number: Int) -> UInt32 { documents[Int(places[number])] }

    /// The score, in the order of the parts.
    func sum(_ number: Int) -> Double {
        var sum = 0.0
        let first = Int(places[number]) * partCount
        for part in 0..<partCount { sum += scores[first + part] }
        return sum
    }

    /// Appends a document of which `sum` is known; no part adds anything yet.
    mutating func append(_ document: UInt32, _ sum: Double) {
        places.append(UInt32(truncatingIfNeeded: documents.count))
        documents.append(document)
        known.append(sum)
        for _ in 0..<partCount { scores.append(0) }
    }

    /// What a part adds to the document that was appended last.
    mutating func setLastScore(_ score: Double, of part: Int) {
        scores[scores.count - partCount + part] = score
    }

    mutating func keepThoseReaching(_ threshold: Double, with rest: Double) {
        var kept = 0
        for number in 0..<places.count
        where TopDocuments.reaches(known[Int(places[number])] + rest, threshold) {
            places[kept] = places[number]
            kept += 1
        }
        places.removeLast(places.count - kept)
    }

    /// Adds what a part adds.
    @inline(__always)
    mutating func add(_ score: Double, to number: Int, of part: Int) {
        let place = Int(places[number])
        known[place] += score
        scores[place * partCount + part] = score
    }

    mutating func removeAll() {
        documents.removeAll()
        known.removeAll()
        scores.removeAll()
        places.removeAll()
    }
}

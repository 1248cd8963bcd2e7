/// The parts of "any of several" in one window of documents: some are walked over, and the others
/// only asked for the documents that these find.
struct UnionParts: ~Copyable {
    /// Those that have documents in the window, in their order.
    private(set) var walked = Buffer<Int>()
    /// Those that together are not enough, the one with the highest bound in the window last, and
    /// what they can add at most.
    private(set) var asked = Buffer<Int>()
    private(set) var askedBound = 0.0
    private var bounds: Buffer<Double>
    private var documents = AskedDocuments()

    /// For so many parts at most.
    init(capacity: Int) { bounds = Buffer(repeating: 0, count: capacity) }

    /// What the walked parts have to give a document at the least; a little less, for rounding.
    func leastWalked(_ threshold: Double) -> Double {
        asked.isEmpty
            ? threshold
            : threshold - askedBound - (abs(threshold) + abs(askedBound)) * 1e-8
    }

    /// Finds out which parts are in a window; those that do not reach `threshold` are only asked.
    mutating func begin(_ cursors: borrowing CursorRow, through last: Int64, threshold: Double?) {
        walkAll(cursors, through: last)
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
        if !asked.isEmpty, askingTakesLonger(cursors, threshold) {
            walkAll(cursors, through: last)
        }
    }

    private mutating func walkAll(_ cursors: borrowing CursorRow, through last: Int64) {
        walked.removeAll()
        asked.removeAll()
        askedBound = 0
        for part in cursors.indices where cursors[part].next <= last { walked.append(part) }
    }

    /// Whether it takes longer to ask parts than to walk over them as well: words of like weight
    /// that many documents have.
    ///
    /// Walking takes as long as a part has documents, and asking as long as there are documents to
    /// ask for: of those that the walked parts have, about the share of their bound that is beyond
    /// what they have to give. The factor is measured, with the words of 100 MB and 1 GB of text.
    private func askingTakesLonger(_ cursors: borrowing CursorRow, _ threshold: Double) -> Bool {
        var bound = 0.0
        var walkedCount = 0
        var askedCount = 0
        for place in 0..<walked.count {
            bound = max(bound, bounds[walked[place]])
            walkedCount += cursors[walked[place]].documentCount
        }
        for place in 0..<asked.count { askedCount += cursors[asked[place]].documentCount }
        let share = bound > 0 ? max(1 - (threshold - askedBound) / bound, 0) : 0
        let asking = 1 + 3 * share * Double(asked.count)
        return Double(askedCount) < Double(walkedCount) * asking
    }

    /// Makes the bounds of those that are only asked the ones of a narrower range of documents,
    /// none of which comes before what they were asked for.
    mutating func narrow(_ cursors: inout CursorRow, to documents: ClosedRange<Int64>) {
        askedBound = 0
        for place in 0..<asked.count {
            let part = asked[place]
            cursors[part].advance(to: documents.lowerBound)
            bounds[part] = cursors[part].bound(through: documents.upperBound)
            askedBound += bounds[part]
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

    /// Notes a document for which the others are to be asked; the walked parts give it `sum`, as
    /// their rows in the window say.
    @inline(__always)
    mutating func append(_ document: UInt32, _ sum: Double) { documents.append(document, sum) }

    /// Asks for the documents that were noted, and calls `body` with each that may reach
    /// `threshold`, and its score, which adds up in the order of the parts; then none are noted.
    mutating func ask(
        _ cursors: inout CursorRow, _ window: inout ScoreWindow, _ threshold: Double,
        _ body: (_ document: UInt32, _ score: Double) -> Void
    ) throws {
        guard documents.count > 0 else { return }
        var rest = askedBound
        for place in (0..<asked.count).reversed() {
            let part = asked[place]
            documents.keepThoseReaching(threshold, with: rest)
            guard documents.count > 0 else { return }
            rest -= bounds[part]
            try cursors[part].add(
                to: &documents, &window, row: part, threshold: threshold, rest: rest)
        }
        documents.keepThoseReaching(threshold, with: 0)
        for number in 0..<documents.count {
            let document = documents[number]
            body(document, window.sum(of: document))
        }
        documents.removeAll()
    }
}

/// Documents for which parts are asked, ascending, and what is known of their scores.
struct AskedDocuments: ~Copyable {
    private var documents = Buffer<UInt32>()
    private var known = Buffer<Double>()
    /// Those that a part was found to have in a block: their numbers, and their places in it.
    private var found = Buffer<UInt32>()
    private var places = Buffer<UInt32>()

    var count: Int { documents.count }

    subscript(number: Int) -> UInt32 {
        @inline(__always)
        get { documents[number] }
    }

    @inline(__always)
    mutating func append(_ document: UInt32, _ sum: Double) {
        documents.append(document)
        known.append(sum)
    }

    mutating func removeAll() {
        documents.removeAll()
        known.removeAll()
    }

    /// Keeps those that reach `threshold` where no more than `rest` comes to what is known.
    mutating func keepThoseReaching(_ threshold: Double, with rest: Double) {
        var kept = 0
        for number in 0..<documents.count {
            documents[kept] = documents[number]
            known[kept] = known[number]
            kept += TopDocuments.reaches(known[number] + rest, threshold) ? 1 : 0
        }
        documents.removeLast(documents.count - kept)
        known.removeLast(known.count - kept)
    }

    /// The number of the first one that is not before a document, from one on.
    func number(notBefore document: Int64, from start: Int) -> Int {
        var number = start
        while number < count, Int64(documents[number]) < document { number += 1 }
        return number
    }

    // MARK: A block

    /// Whether one of them up to `last` reaches `threshold` where no more than `rest` comes to what
    /// is known.
    func hasAny(
        from start: Int, through last: Int64, reaching threshold: Double, with rest: Double
    ) -> Bool {
        var number = start
        while number < count, Int64(documents[number]) <= last {
            if TopDocuments.reaches(known[number] + rest, threshold) { return true }
            number += 1
        }
        return false
    }

    /// Looks for those from `start` up to `last` in a block, from a place on; the number of the
    /// first one behind them.
    mutating func find(
        in block: UnsafeBufferPointer<UInt32>, from start: Int, through last: Int64,
        at place: inout Int
    ) -> Int {
        found.removeAll()
        places.removeAll()
        let numbersFound = found.tail(room: count - start)
        let placesFound = places.tail(room: count - start)
        var foundCount = 0
        var number = start
        while number < documents.count, Int64(documents[number]) <= last {
            place = block.firstPlace(of: documents[number], from: place)
            guard place < block.count else { break }
            // A branch would often be foreseen wrongly.
            numbersFound[foundCount] = UInt32(truncatingIfNeeded: number)
            placesFound[foundCount] = UInt32(truncatingIfNeeded: place)
            foundCount &+= block[place].isEqual(to: documents[number])
            number += 1
        }
        found.commit(foundCount)
        places.commit(foundCount)
        return self.number(notBefore: last + 1, from: number)
    }

    /// Whether one was found.
    var hasPlaces: Bool { !places.isEmpty }

    /// Lends the places in the block of those that were found.
    func withPlaces(_ body: (UnsafeBufferPointer<UInt32>) -> Void) { places.withElements(body) }

    /// Adds what a part gives to those that were found, and notes it in its row.
    mutating func add(_ scores: borrowing Buffer<Double>, to window: inout ScoreWindow, row: Int) {
        for place in 0..<min(found.count, scores.count) {
            let number = Int(found[place])
            known[number] += scores[place]
            window.set(scores[place], of: documents[number], row: row)
        }
    }
}

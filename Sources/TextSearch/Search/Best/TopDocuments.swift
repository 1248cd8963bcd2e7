/// Finds the best of the documents that parts of a query match, without scoring those that cannot
/// be among them.
///
/// Blocks whose bounds say that nothing in them is good enough are not even decoded (Ding and Suel,
/// "Faster top-k document retrieval using block-max indexes", SIGIR 2011). Among several parts,
/// those that matter in a window of documents are walked over, and the others only asked (Turtle
/// and Flood's MaxScore, 1995; by windows as in Chakrabarti, Chaudhuri and Ganti, "Interval-based
/// pruning for top-k processing over compressed lists", ICDE 2011).
struct TopDocuments: ~Copyable {
    private(set) var heap: TopHeap
    /// How many documents were counted, and whether none was left out.
    private(set) var counted = 0
    private(set) var countsAll = true
    /// Counting goes on to this many.
    private let countLimit: Int
    private let clock: SearchClock
    /// What other indexes say of the scores that count; nil where they say nothing.
    private let floor: ScoreFloor?

    /// Whether scores up to a bound may be enough, with room for rounding.
    @inline(__always)
    static func reaches(_ bound: Double, _ threshold: Double) -> Bool {
        bound + abs(bound) * 1e-9 >= threshold
    }

    struct Segment {
        var firstDocument: UInt32 = 0
        /// The dead documents, if some are.
        var dead: Tombstones?
        /// The living documents that a filter lets pass, if there is one.
        var allowed: FilterBits?

        var leavesSomeOut: Bool { dead != nil || allowed != nil }

        @inline(__always)
        func leavesOut(_ document: UInt32) -> Bool {
            if let allowed { return !allowed.contains(document) }
            return dead?.contains(firstDocument &+ document) ?? false
        }

        /// A bit for each of 64 documents from one on that is left out.
        func bitsLeftOut(from document: UInt32) -> UInt64 {
            if let allowed { return ~allowed.bits(from: document) }
            return dead?.bits(from: firstDocument &+ document) ?? 0
        }

        /// How many of some documents are not left out.
        @inline(__always)
        func count(of documents: UnsafeBufferPointer<UInt32>) -> Int {
            leavesSomeOut ? documents.count { !leavesOut($0) } : documents.count
        }
    }

    /// `countLimit` is how many documents are counted at the least before any is passed over.
    init(capacity: Int, countLimit: Int, clock: SearchClock, floor: ScoreFloor? = nil) {
        self.clock = clock
        self.floor = floor
        heap = TopHeap(capacity: capacity)
        self.countLimit = countLimit
    }

    private var canSkip: Bool { heap.isFull && counted >= countLimit }

    // MARK: One part

    /// Adds the documents of one part; its blocks are taken from the best bound on. They are not
    /// counted.
    mutating func addAll(of cursor: inout ScoredCursor, in segment: Segment) throws {
        for rank in 0..<cursor.blockCount {
            // Of equal scores a block further ahead may hold the better document.
            let bound = cursor.enter(byBound: rank)
            // Of the indexes, too, one further ahead may have the better document.
            let floor = floor?.score ?? -.infinity
            if bound < max(heap.threshold, floor) { return }
            if clock.check() { return }
            try cursor.withBlock { documents, scores in
                for place in 0..<min(documents.count, scores.count)
                where scores[place] >= heap.threshold && scores[place] >= floor
                    && !segment.leavesOut(documents[place])
                {
                    heap.offer(segment.firstDocument &+ documents[place], scores[place])
                }
            }
            if heap.isFull { self.floor?.raise(to: heap.threshold) }
        }
    }

    /// Adds the documents of one part that a filter lets pass, and counts them.
    mutating func addAllowed(of cursor: inout ScoredCursor, in segment: Segment) throws {
        while !cursor.isAtEnd {
            if clock.check() { return }
            // Of equal scores the document further ahead is there already.
            if heap.isFull, cursor.blockBound <= heap.threshold {
                if counted >= countLimit {
                    countsAll = false
                } else {
                    counted += try cursor.withDocuments { segment.count(of: $0) }
                }
            } else {
                counted += try cursor.forEachScore {
                    !segment.leavesOut($0)
                } body: { document, score in
                    if score > heap.threshold || !heap.isFull {
                        heap.offer(segment.firstDocument &+ document, score)
                    }
                }
            }
            cursor.enterNextBlock()
        }
    }

    // MARK: Any of several parts

    /// Adds the documents of any of several parts; scores add up in the order of the parts.
    mutating func addUnion(
        of cursors: inout CursorRow, in segment: Segment, _ window: inout ScoreWindow,
        _ parts: inout UnionParts
    ) throws {
        var start: Int64 = 0
        while true {
            var next = Int64.max
            for part in cursors.indices {
                cursors[part].advance(to: start)
                next = min(next, cursors[part].next)
            }
            guard next < .max, !clock.check() else { return }
            start = max(start, next)
            window.begin(at: UInt32(clamping: start))
            parts.begin(
                cursors, through: window.last, threshold: canSkip ? heap.threshold : nil)
            if !parts.asked.isEmpty { countsAll = false }
            if !parts.walked.isEmpty { try add(&cursors, &parts, segment, &window) }
            start = window.last + 1
        }
    }

    private mutating func add(
        _ cursors: inout CursorRow, _ parts: inout UnionParts, _ segment: Segment,
        _ window: inout ScoreWindow
    ) throws {
        if parts.walked.count == 1 {
            return try addOnlyWalked(&cursors, &parts, segment, &window)
        }
        // Each part has a row where some are to come in between: the order of additions is that of
        // the parts.
        let asksSome = !parts.asked.isEmpty
        if asksSome { window.makeRows(cursors.count) }
        for place in 0..<parts.walked.count {
            let part = parts.walked[place]
            try cursors[part].add(to: &window, row: asksSome ? part : nil)
        }
        let least = parts.leastWalked(heap.threshold)
        counted += window.drain(atLeast: least, in: segment) { document, sum in
            if asksSome {
                parts.append(document, sum)
            } else {
                heap.offer(segment.firstDocument &+ document, sum)
            }
        }
        try addAsked(&cursors, &parts, segment, &window)
    }

    /// Adds the documents of the only part that is walked over; blocks that are not good enough are
    /// passed over.
    private mutating func addOnlyWalked(
        _ cursors: inout CursorRow, _ parts: inout UnionParts, _ segment: Segment,
        _ window: inout ScoreWindow
    ) throws {
        let (first, last) = (Int64(window.first), window.last)
        let walked = parts.walked[0]
        let isAlone = parts.asked.isEmpty
        if !isAlone { window.makeRows(cursors.count) }
        while let bound = cursors[walked].blockBound(through: last) {
            if !isAlone {
                parts.narrow(&cursors, to: cursors[walked].blockRange.clamped(to: first...last))
            }
            if canSkip, !Self.reaches(bound + parts.askedBound, heap.threshold) {
                countsAll = false
            } else {
                try cursors[walked].withBlock(from: window.first, through: last) {
                    documents, scores in
                    counted += segment.count(of: documents)
                    let least = parts.leastWalked(heap.threshold)
                    for place in 0..<min(documents.count, scores.count)
                    where scores[place] >= least && !segment.leavesOut(documents[place]) {
                        if isAlone {
                            heap.offer(segment.firstDocument &+ documents[place], scores[place])
                        } else {
                            parts.append(documents[place], scores[place])
                            window.set(scores[place], of: documents[place], row: walked)
                        }
                    }
                }
                try addAsked(&cursors, &parts, segment, &window)
            }
            guard cursors[walked].leaveBlock(endingBy: last) else { return }
        }
    }

    /// Adds the documents for which the other parts are to be asked.
    private mutating func addAsked(
        _ cursors: inout CursorRow, _ parts: inout UnionParts, _ segment: Segment,
        _ window: inout ScoreWindow
    ) throws {
        try parts.ask(&cursors, &window, heap.threshold) { document, score in
            heap.offer(segment.firstDocument &+ document, score)
        }
    }

    // MARK: All of several parts

    /// Adds the documents of all of several parts; scores add up in the order of the parts.
    mutating func addIntersection(
        of cursors: inout CursorRow, in segment: Segment, _ candidates: inout Candidates
    ) throws {
        let order = cursors.byDocumentCount
        guard let first = order.first else { return }
        candidates.makeRows(cursors.count)
        while !cursors[first].isAtEnd {
            if clock.check() { return }
            let range = cursors[first].blockRange
            var bound = cursors[first].blockBound
            for part in order.dropFirst() {
                cursors[part].advance(to: range.lowerBound)
                if cursors[part].isAtEnd { return }
                bound += cursors[part].bound(through: range.upperBound)
            }
            let rest = Self.bonusBound(&cursors, range)
            if canSkip, !Self.reaches(bound + rest, heap.threshold) {
                countsAll = false
            } else {
                try cursors[first].begin(&candidates)
                if let allowed = segment.allowed { candidates.keep(allowed) }
                for part in order.dropFirst() where !candidates.isEmpty {
                    try cursors[part].restrict(&candidates, row: part)
                }
                try cursors[first].score(&candidates, row: first)
                try add(&candidates, segment, &cursors, rest)
            }
            cursors[first].enterNextBlock()
        }
    }

    /// Adds the documents of all of several parts of the few that a filter lets pass: the parts are
    /// only asked for these.
    mutating func addFew(
        of cursors: inout CursorRow, in segment: Segment, _ candidates: inout Candidates
    ) throws {
        guard let allowed = segment.allowed else { return }
        let order = cursors.byDocumentCount
        candidates.makeRows(cursors.count)
        var some = Buffer<UInt32>(capacity: Candidates.blockSize)
        var start: UInt32 = 0
        while allowed.load(Candidates.blockSize, from: &start, into: &some) {
            if clock.isOver(afterWork: some.count) { return }
            some.withElements { candidates.begin($0) }
            for part in order where !candidates.isEmpty {
                try cursors[part].restrict(&candidates, row: part)
            }
            try add(&candidates, segment, &cursors, .infinity)
        }
    }

    /// What parts that are not required can add to a score at most in a range of documents.
    private static func bonusBound(
        _ cursors: inout CursorRow, _ range: ClosedRange<Int64>
    ) -> Double {
        var bound = 0.0
        for part in cursors.bonuses {
            cursors[part].advance(to: range.lowerBound)
            if !cursors[part].isAtEnd { bound += cursors[part].bound(through: range.upperBound) }
        }
        return bound
    }

    /// Adds candidates, with what parts that are not required give them, which is `rest` at most.
    private mutating func add(
        _ candidates: inout Candidates, _ segment: Segment, _ cursors: inout CursorRow,
        _ rest: Double
    ) throws {
        guard !cursors.bonuses.isEmpty else { return add(candidates, segment) }
        for place in 0..<candidates.count where !segment.leavesOut(candidates.document(place)) {
            counted += 1
        }
        if heap.isFull, rest < .infinity {
            candidates.keepThoseReaching(heap.threshold, with: rest, rows: cursors.requiredCount)
        }
        for part in cursors.bonuses where !candidates.isEmpty {
            try cursors[part].give(&candidates, row: part)
        }
        for place in 0..<candidates.count {
            let document = candidates.document(place)
            if segment.leavesOut(document) { continue }
            heap.offer(segment.firstDocument &+ document, candidates.sum(place))
        }
    }

    private mutating func add(_ candidates: borrowing Candidates, _ segment: Segment) {
        for place in 0..<candidates.count {
            let document = candidates.document(place)
            if segment.leavesOut(document) { continue }
            counted += 1
            heap.offer(segment.firstDocument &+ document, candidates.sum(place))
        }
    }
}

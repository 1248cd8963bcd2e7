/// Finds the best of the documents that parts of a query match, without scoring those that cannot be among them.
///
/// Blocks whose bounds say that nothing in them is good enough are not even decoded (Ding and Suel, "Faster top-k document retrieval using
/// block-max indexes", SIGIR 2011; here by windows in which no part changes its block). Among the parts of a window those that matter
/// are walked over and the others only asked (Turtle and Flood's MaxScore, 1995).
struct TopDocuments {
    private(set) var heap: TopHeap
    /// How many documents were counted, and whether none was left out.
    private(set) var counted = 0
    private(set) var countsAll = true
    /// Counting goes on to this many.
    private let countLimit: Int
    private let clock: SearchClock
    /// What one segment is searched with.
    private var segment = Segment()
    private var scores: [Double] = []

    struct Segment {
        var firstDocument: UInt32 = 0
        /// The dead documents, if some are.
        var dead: Tombstones?

        func isDead(_ document: UInt32) -> Bool {
            dead?.contains(firstDocument &+ document) ?? false
        }
    }

    /// `countLimit` is how many documents are counted at the least before any is passed over.
    init(capacity: Int, countLimit: Int, clock: SearchClock) {
        self.clock = clock
        heap = TopHeap(capacity: capacity)
        self.countLimit = countLimit
    }

    private var canSkip: Bool { heap.isFull && counted >= countLimit }

    // MARK: One part

    /// Adds the documents of one part; its blocks are taken from the best bound on. They are not counted.
    mutating func addAll(of cursor: ScoredCursor, in segment: Segment) throws {
        let blocks = (0..<cursor.blockCount).map { (bound: cursor.bound(of: $0), number: $0) }
            .sorted { $0.bound > $1.bound }
        for (bound, number) in blocks {
            // Of equal scores a block further ahead may hold the better document.
            if heap.isFull, bound < heap.threshold { return }
            if clock.check() { return }
            cursor.enter(number)
            try cursor.decode()
            for place in 0..<cursor.documents.count {
                let document = cursor.documents[place]
                if segment.isDead(document) { continue }
                heap.offer(segment.firstDocument &+ document, cursor.score(at: place))
            }
        }
    }

    // MARK: Any of several parts

    /// Adds the documents of any of several parts; scores add up in the order of the parts.
    mutating func addUnion(of cursors: [ScoredCursor], in segment: Segment) throws {
        self.segment = segment
        scores = [Double](repeating: 0, count: cursors.count)
        var start: Int64 = 0
        while true {
            var end = Int64.max
            var bound = 0.0
            var isOver = true
            for cursor in cursors {
                cursor.advance(to: start)
                guard !cursor.isAtEnd else { continue }
                isOver = false
                end = min(end, cursor.last)
                bound += cursor.bound
            }
            guard !isOver, !clock.check() else { return }
            if canSkip, bound * (1 + 1e-9) < heap.threshold {
                countsAll = false
            } else {
                try addWindow(of: cursors, start, end)
            }
            guard end < .max else { return }
            start = end + 1
        }
    }

    /// Adds what lies in a window that no part's block ends in.
    private mutating func addWindow(
        of cursors: [ScoredCursor], _ start: Int64, _ end: Int64
    ) throws {
        // The parts that together are not enough come first.
        var order: [Int] = []
        for part in cursors.indices where !cursors[part].isAtEnd { order.append(part) }
        var asked = 0
        var askedBound = 0.0
        if canSkip {
            order.sort { cursors[$0].bound < cursors[$1].bound }
            let threshold = heap.threshold
            while asked < order.count,
                (askedBound + cursors[order[asked]].bound) * (1 + 1e-9) < threshold
            {
                askedBound += cursors[order[asked]].bound
                asked += 1
            }
            if asked > 0 { countsAll = false }
        }
        let first = UInt32(clamping: start)
        for part in order[asked...] {
            try cursors[part].decode()
            _ = cursors[part].seek(first)
        }
        while true {
            var document = UInt32.max
            for part in order[asked...] { document = min(document, cursors[part].document) }
            guard document != .max, Int64(document) <= end else { return }
            try add(document, of: cursors, order, asked: asked, askedBound)
        }
    }

    @inline(__always)
    private mutating func add(
        _ document: UInt32, of cursors: [ScoredCursor], _ order: [Int], asked: Int,
        _ askedBound: Double
    ) throws {
        let isDead = segment.isDead(document)
        var partial = 0.0
        for part in order[asked...] where cursors[part].document == document {
            if !isDead {
                scores[part] = cursors[part].score(at: cursors[part].place)
                partial += scores[part]
            }
            cursors[part].next()
        }
        defer { for part in order { scores[part] = 0 } }
        guard !isDead else { return }
        counted += 1
        var rest = askedBound
        for part in order[..<asked].reversed() {
            if (partial + rest) * (1 + 1e-9) < heap.threshold { return }
            rest -= cursors[part].bound
            try cursors[part].decode()
            if cursors[part].seek(document) {
                scores[part] = cursors[part].score(at: cursors[part].place)
                partial += scores[part]
            }
        }
        var score = 0.0
        for part in scores { score += part }
        heap.offer(segment.firstDocument &+ document, score)
    }

    // MARK: All of several parts

    /// Adds the documents of all of several parts; scores add up in the order of the parts. `lead` is the part that has the fewest.
    mutating func addIntersection(
        of cursors: [ScoredCursor], lead: Int, in segment: Segment
    ) throws {
        var start: Int64 = 0
        while true {
            var end = Int64.max
            var bound = 0.0
            cursors[lead].advance(to: start)
            guard !cursors[lead].isAtEnd else { return }
            for cursor in cursors {
                cursor.advance(to: start)
                guard !cursor.isAtEnd else { return }
                end = min(end, cursor.last)
                bound += cursor.bound
            }
            if clock.check() { return }
            if canSkip, bound * (1 + 1e-9) < heap.threshold {
                countsAll = false
            } else {
                try addCommon(to: cursors, lead, UInt32(clamping: start), end, segment)
            }
            guard end < .max else { return }
            start = end + 1
        }
    }

    private mutating func addCommon(
        to cursors: [ScoredCursor], _ lead: Int, _ start: UInt32, _ end: Int64, _ segment: Segment
    ) throws {
        try cursors[lead].decode()
        _ = cursors[lead].seek(start)
        documents: while true {
            let document = cursors[lead].document
            guard document != .max, Int64(document) <= end else { return }
            defer { cursors[lead].next() }
            for (part, cursor) in cursors.enumerated() where part != lead {
                try cursor.decode()
                guard cursor.seek(document) else { continue documents }
            }
            if segment.isDead(document) { continue }
            counted += 1
            var score = 0.0
            for cursor in cursors { score += cursor.score(at: cursor.place) }
            heap.offer(segment.firstDocument &+ document, score)
        }
    }
}

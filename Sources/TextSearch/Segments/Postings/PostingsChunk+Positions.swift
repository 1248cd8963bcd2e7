/// Where the term stands in documents.
extension PostingsChunk {
    /// So many positions are lent at the most before somebody asks for time and memory.
    static var pieceSize: Int { 1 << 14 }

    /// Takes where a term stands in one string of a document, ascending; of a string in which it
    /// stands often, piece by piece.
    typealias RunBody = (
        _ document: UInt32, _ string: UInt32, _ positions: UnsafeBufferPointer<UInt32>
    ) -> Void

    /// Says up to which position those of a run are wanted; nil where none is.
    typealias RunLimit = (_ document: UInt32, _ string: UInt32) -> UInt32?

    /// So many positions are read before it is looked whether further ones are wanted.
    private static var stepSize: Int { 32 }

    /// Calls `body` with every occurrence of the documents that `wanted` lets pass, in text order.
    ///
    /// `positions` is the chunk from `inlinePositions` on, or what the `q` table holds.
    borrowing func forEachOccurrence(
        positions: UnsafeRawBufferPointer, where wanted: (UInt32) -> Bool,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws(MalformedData) {
        var offset = 0
        for block in 0..<blockCount {
            let places = places(ofBlock: block)
            var reader = try gaps(of: places, positions, at: offset)
            for place in places {
                let document = documents[place]
                guard wanted(document) else {
                    try reader.skip(frequency(at: place))
                    continue
                }
                for run in runRange(at: place) {
                    try Self.read(runs[run], of: document, &reader, body)
                }
            }
            offset = try reader.finish()
        }
    }

    /// The places of the documents of a block, where all blocks are decoded.
    borrowing func places(ofBlock block: Int) -> Range<Int> {
        let first = block * PostingsEncoder.blockSize
        return first..<min(first + PostingsEncoder.blockSize, documentCount)
    }

    /// How often the term stands in a document, of which the runs are decoded.
    private borrowing func frequency(at place: Int) -> Int {
        runRange(at: place).reduce(0) { $0 &+ Int(runs[$1].frequency) }
    }

    /// What reads the positions of documents of a block, of which the runs are decoded.
    borrowing func gaps(
        of places: Range<Int>, _ positions: UnsafeRawBufferPointer, at offset: Int
    ) throws(MalformedData) -> GapReader {
        let count = places.reduce(0) { $0 &+ frequency(at: $1) }
        return try GapReader(positions, at: offset, count: count, isPacked: isPacked)
    }

    /// Calls `body` with where the term stands in each string of the documents at some ascending
    /// places of a block that is decoded with frequencies, in text order, as far as `limit` wants
    /// it: those behind are left out in part.
    ///
    /// `positions` is as above, from the block's first on. After each `pieceSize` positions
    /// `endPiece` is called, and may throw.
    ///
    /// Complexity: linear in what is read, and in the bytes passed over.
    borrowing func forEachRun(
        positions: UnsafeRawBufferPointer, at places: borrowing Buffer<UInt32>,
        _ room: inout Buffer<UInt32>,
        upTo limit: RunLimit, _ body: RunBody, endPiece: () throws -> Void
    ) throws {
        var all = 0
        var reader = try GapReader(
            positions, count: frequency(of: 0..<documentCount, others: &all), isPacked: isPacked)
        var next = 0
        var other = 0
        var left = Self.pieceSize
        // How many to pass over before the next: all at once.
        var passed = 0
        for number in 0..<places.count {
            let place = Int(places[number])
            passed &+= frequency(of: next..<place, others: &other)
            next = place + 1
            if frequencies[place] > 0 {
                let run = PostingsRun(string: usualString, frequency: frequencies[place])
                try Self.read(
                    run, of: documents[place], &reader, &passed, &room, &left, upTo: limit, body,
                    endPiece: endPiece)
                continue
            }
            for run in runRange(at: other) {
                try Self.read(
                    runs[run], of: documents[place], &reader, &passed, &room, &left, upTo: limit,
                    body, endPiece: endPiece)
            }
            other += 1
        }
    }

    /// Lends the positions of a run, which come behind `passed` others; `left` are those that may
    /// be lent before the end of a piece.
    @inline(__always)
    private static func read(
        _ run: PostingsRun, of document: UInt32, _ reader: inout GapReader, _ passed: inout Int,
        _ room: inout Buffer<UInt32>, _ left: inout Int, upTo limit: RunLimit,
        _ body: RunBody, endPiece: () throws -> Void
    ) throws {
        var rest = Int(run.frequency)
        guard rest > 0 else { throw MalformedData() }
        guard let limit = limit(document, run.string) else {
            passed &+= rest
            return
        }
        try reader.skip(passed)
        var last: UInt32 = 0
        repeat {
            let count = min(rest, left, limit == .max ? .max : stepSize)
            while room.count < count { room.append(0) }
            try room.withMutableElements { (all) throws(MalformedData) in
                let piece = UnsafeMutableBufferPointer(rebasing: all[..<count])
                try reader.addUp(into: piece, from: last)
            }
            room.withElements {
                body(document, run.string, UnsafeBufferPointer(rebasing: $0[..<count]))
            }
            rest &-= count
            left &-= count
            last = room[count &- 1]
            if left == 0 {
                left = pieceSize
                try endPiece()
            }
        } while rest > 0 && last <= limit
        passed = rest
    }

    /// How often the term stands in some documents; `other` is the first of `others` that is not
    /// before them, and then that behind them.
    private borrowing func frequency(of places: Range<Int>, others other: inout Int) -> Int {
        var sum = frequencies.withElements { frequencies in
            frequencies[places].reduce(0) { $0 &+ Int($1) }
        }
        while other < others.count, others[other] < places.upperBound {
            for run in runRange(at: other) { sum += Int(runs[run].frequency) }
            other += 1
        }
        return sum
    }

    @inline(__always)
    private static func read(
        _ run: PostingsRun, of document: UInt32, _ reader: inout GapReader,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws(MalformedData) {
        var position: UInt64 = 0
        for _ in 0..<run.frequency {
            position &+= UInt64(try reader.next())
            guard position <= UInt64(UInt32.max) else { throw MalformedData() }
            body(document, run.string, UInt32(truncatingIfNeeded: position))
        }
    }
}

extension Buffer {
    /// The bytes of memory held, and those that the next positions take where there are many
    /// already.
    var byteCountAhead: Int {
        count < PostingsChunk.pieceSize ? byteCount : byteCount(adding: PostingsChunk.pieceSize)
    }
}

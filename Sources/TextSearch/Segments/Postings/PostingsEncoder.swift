/// A term's occurrences in one string of one document.
struct PostingsRun: BitwiseCopyable {
    var string: UInt32
    var frequency: UInt32
}

/// Encodes one term's postings in one segment: its chunk, and its positions.
///
/// Chunk: a byte of flags. With `single`: document, string, frequency, then the positions.
/// Otherwise: number of documents; total frequency; the *usual string* (the one that most documents
/// hold the term in); when there is more than one block, for each block the last document (less the
/// block before's), the bytes of the block, the bytes of its positions and its bound (see `Impact`,
/// two bytes); the blocks; and, with `inlinePositions`, the positions. All varints but the bounds.
///
/// Block, of up to 128 documents: the bit width of gaps, the bit width of codes, the packed gaps
/// (from the document before, -1 at first, less one), the packed codes, the escapes. A code is the
/// frequency of a document that holds the term only in the usual string, or 0: then the escapes say
/// in how many strings, and for each its distance from the string before and the frequency in it.
///
/// Positions, of each document the strings in turn: the first position, then gaps. With `packed`
/// they are stored block by block as `GapFrame` says, else as varints: those of few documents where
/// these are no longer, and all of indexes before format 8. They lie in the `q` table, in pages of
/// whole blocks, unless they are few.
struct PostingsEncoder: ~Copyable {
    static let blockSize = 128
    static let single: UInt8 = 1
    static let inlinePositions: UInt8 = 2
    static let packed: UInt8 = 4
    /// Positions up to this many bytes, of one block, stay in the chunk: a second key would cost
    /// about as much.
    static let inlineLimit = 96
    /// A page of positions ends with the block that brings it to this many bytes.
    static let pageSize = 8 << 10

    private var documents = Buffer<UInt32>()
    /// Where each document's runs begin in `runs`.
    private var firstRun = Buffer<UInt32>()
    private var runs = Buffer<PostingsRun>()
    /// Those that are in no frame yet.
    private var positionGaps = Buffer<UInt32>(capacity: GapFrame.size)
    /// Where the positions of each block end in `positions`.
    private var positionEnds = Buffer<Int>()
    /// As they are stored; all of them once the term is encoded.
    private(set) var positions = Buffer<UInt8>()
    private var isPacked = true
    private(set) var totalFrequency = 0

    private var gaps = Buffer<UInt32>(capacity: 128)
    private var codes = Buffer<UInt32>(capacity: 128)
    private var escapes = Buffer<UInt8>()
    private var directory = Buffer<UInt8>()
    private var blocks = Buffer<UInt8>()

    var documentCount: Int { documents.count }

    mutating func begin() {
        documents.removeAll()
        firstRun.removeAll()
        runs.removeAll()
        positionGaps.removeAll()
        positionEnds.removeAll()
        positions.removeAll()
        isPacked = true
        totalFrequency = 0
    }

    /// Begins a document; documents ascend.
    @inline(__always)
    mutating func beginDocument(_ document: UInt32) {
        documents.append(document)
        firstRun.append(UInt32(truncatingIfNeeded: runs.count))
    }

    @inline(__always)
    mutating func beginString(_ string: UInt32) {
        runs.append(PostingsRun(string: string, frequency: 0))
    }

    /// Adds an occurrence; `gap` is the position, or its distance from the one before in the
    /// string.
    @inline(__always)
    mutating func addPosition(gap: UInt32) {
        runs[runs.count &- 1].frequency &+= 1
        totalFrequency &+= 1
        positionGaps.append(gap)
        if positionGaps.count == GapFrame.size { endFrame() }
    }

    @inline(__always)
    mutating func endDocument() {
        if documents.count % Self.blockSize == 0 { endBlock() }
    }

    private mutating func endFrame() {
        positionGaps.withElements { GapFrame.append($0, to: &positions) }
        positionGaps.removeAll()
    }

    private mutating func endBlock() {
        if !positionGaps.isEmpty { endFrame() }
        positionEnds.append(positions.count)
    }

    /// Ends the last block. Where all positions are in a frame that is not ended, it is left out if
    /// that is shorter.
    private mutating func endPositions() {
        guard positionEnds.count * Self.blockSize < documents.count else { return }
        isPacked =
            !positions.isEmpty
            || positionGaps.withElements {
                GapFrame.packing(of: $0).map(\.byteCount) ?? .max
                    < GapFrame.varintByteCount(of: $0) - 1
            }
        guard !isPacked else { return endBlock() }
        for place in 0..<positionGaps.count { positions.appendVarint(UInt64(positionGaps[place])) }
        positionEnds.append(positions.count)
    }

    /// Adds the documents of `chunk` that `number` gives a number here, by those that they have
    /// there. The chunk is of a segment of `segmentCount` documents, and comes behind those that
    /// were added before.
    ///
    /// That there are as many positions as the chunk says is checked, what they are is not.
    mutating func append(
        _ chunk: borrowing PostingsChunk, positions stored: UnsafeRawBufferPointer,
        segmentCount: Int, number: (UInt32) -> UInt32?
    ) throws(MalformedData) {
        // They ascend.
        guard chunk.documentCount == 0 || chunk.documents[chunk.documentCount - 1] < segmentCount
        else { throw MalformedData() }
        var offset = 0
        for block in 0..<chunk.blockCount {
            let places = chunk.places(ofBlock: block)
            var reader = try chunk.gaps(of: places, stored, at: offset)
            for place in places {
                let own = chunk.runRange(at: place)
                var frequency = 0
                for run in own {
                    guard chunk.runs[run].frequency > 0 else { throw MalformedData() }
                    frequency &+= Int(chunk.runs[run].frequency)
                }
                guard frequency > 0 else { throw MalformedData() }
                guard let document = number(chunk.documents[place]) else {
                    try reader.skip(frequency)
                    continue
                }
                beginDocument(document)
                for run in own { runs.append(chunk.runs[run]) }
                totalFrequency &+= frequency
                try appendGaps(frequency, &reader)
                endDocument()
            }
            offset = try reader.finish()
        }
        guard offset == stored.count else { throw MalformedData() }
    }

    /// Copies gaps of a document, a frame at a time.
    private mutating func appendGaps(
        _ count: Int, _ reader: inout GapReader
    ) throws(MalformedData) {
        var left = count
        while left > 0 {
            let some = min(left, GapFrame.size &- positionGaps.count)
            let room = UnsafeMutableBufferPointer(start: positionGaps.tail(room: some), count: some)
            try reader.read(into: room)
            positionGaps.commit(some)
            if positionGaps.count == GapFrame.size { endFrame() }
            left &-= some
        }
    }

    /// Adds the documents of `chunk` that `wanted` lets pass, without positions: a chunk of them is
    /// read for how often the term stands where alone.
    mutating func append(_ chunk: borrowing PostingsChunk, where wanted: (UInt32) -> Bool) {
        for index in 0..<chunk.documentCount where wanted(chunk.documents[index]) {
            beginDocument(chunk.documents[index])
            for run in chunk.runRange(at: index) {
                runs.append(chunk.runs[run])
                totalFrequency &+= Int(chunk.runs[run].frequency)
            }
            endDocument()
        }
    }

    /// Whether `encode` put the positions into the chunk; known after it.
    var hasInlinePositions: Bool {
        isSingle || documents.count <= Self.blockSize && positions.count <= Self.inlineLimit
    }

    private var isSingle: Bool { documents.count == 1 && runs.count == 1 }

    /// Where the pages of the positions end in `positions`.
    var pageEnds: [Int] {
        var ends: [Int] = []
        var start = 0
        for block in 0..<(positionEnds.count - 1) {
            let end = positionEnds[block]
            if end - start >= Self.pageSize {
                ends.append(end)
                start = end
            }
        }
        if start < positions.count { ends.append(positions.count) }
        return ends
    }

    /// Writes the chunk; `impacts` are those of the segment's documents.
    mutating func encode(into chunk: inout Buffer<UInt8>, _ impacts: Impacts) {
        endPositions()
        let form = isPacked ? Self.packed : 0
        if isSingle {
            chunk.append(Self.single | Self.inlinePositions | form)
            chunk.appendVarint(UInt64(documents[0]))
            chunk.appendVarint(UInt64(runs[0].string))
            chunk.appendVarint(UInt64(runs[0].frequency))
            positions.withElements { chunk.append(contentsOf: $0) }
            return
        }
        let isInline = hasInlinePositions
        chunk.append((isInline ? Self.inlinePositions : 0) | form)
        chunk.appendVarint(documents.count)
        chunk.appendVarint(totalFrequency)
        let usual = usualString()
        chunk.appendVarint(UInt64(usual))
        directory.removeAll()
        blocks.removeAll()
        var start = 0
        while start < documents.count {
            let end = min(start + Self.blockSize, documents.count)
            encodeBlock(start..<end, usual: usual)
            if documents.count > Self.blockSize { encodeBound(start..<end, impacts) }
            start = end
        }
        if documents.count > Self.blockSize {
            directory.withElements { chunk.append(contentsOf: $0) }
        }
        blocks.withElements { chunk.append(contentsOf: $0) }
        if isInline { positions.withElements { chunk.append(contentsOf: $0) } }
    }

    private mutating func encodeBlock(_ range: Range<Int>, usual: UInt32) {
        gaps.removeAll()
        codes.removeAll()
        escapes.removeAll()
        var previous = range.lowerBound == 0 ? -1 : Int64(documents[range.lowerBound - 1])
        let before = previous
        for index in range {
            let document = Int64(documents[index])
            gaps.append(UInt32(truncatingIfNeeded: document - previous - 1))
            previous = document
            let first = Int(firstRun[index])
            let last = index + 1 < documents.count ? Int(firstRun[index + 1]) : runs.count
            var frequency: UInt32 = 0
            for run in first..<last { frequency &+= runs[run].frequency }
            if last - first == 1, runs[first].string == usual {
                codes.append(frequency)
            } else {
                codes.append(0)
                encodeEscape(first..<last)
            }
        }
        let start = blocks.count
        let gapWidth = gaps.withElements { BitPacking.width(of: $0) }
        let codeWidth = codes.withElements { BitPacking.width(of: $0) }
        blocks.append(UInt8(gapWidth))
        blocks.append(UInt8(codeWidth))
        gaps.withElements { BitPacking.pack($0, width: gapWidth, into: &blocks) }
        codes.withElements { BitPacking.pack($0, width: codeWidth, into: &blocks) }
        escapes.withElements { blocks.append(contentsOf: $0) }
        let block = range.lowerBound / Self.blockSize
        let positionStart = block == 0 ? 0 : positionEnds[block - 1]
        directory.appendVarint(UInt64(previous - before))
        directory.appendVarint(blocks.count - start)
        directory.appendVarint(positionEnds[block] - positionStart)
    }

    private mutating func encodeBound(_ range: Range<Int>, _ impacts: Impacts) {
        var highest = 0.0
        for index in range {
            let last = index + 1 < documents.count ? Int(firstRun[index + 1]) : runs.count
            var impact = 0.0
            for run in Int(firstRun[index])..<last {
                impact +=
                    Double(runs[run].frequency)
                    * impacts.weight(of: documents[index], string: runs[run].string)
            }
            highest = max(highest, impact)
        }
        let bound = Impact.stored(highest)
        directory.append(UInt8(truncatingIfNeeded: bound))
        directory.append(UInt8(truncatingIfNeeded: bound >> 8))
    }

    private mutating func encodeEscape(_ range: Range<Int>) {
        escapes.appendVarint(range.count)
        var previous: UInt32 = 0
        for run in range {
            escapes.appendVarint(UInt64(runs[run].string - previous))
            escapes.appendVarint(UInt64(runs[run].frequency))
            previous = runs[run].string
        }
    }

    /// The string that most documents hold the term in; decided by a running majority, exact when
    /// one has it.
    private borrowing func usualString() -> UInt32 {
        var candidate: UInt32 = 0
        var lead = 0
        for run in 0..<runs.count {
            if runs[run].string == candidate {
                lead += 1
            } else if lead == 0 {
                candidate = runs[run].string
                lead = 1
            } else {
                lead -= 1
            }
        }
        return candidate
    }
}

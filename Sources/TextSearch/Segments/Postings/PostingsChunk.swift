/// One term's postings in one segment, decoded.
///
/// Reused from chunk to chunk, so that decoding allocates nothing once its buffers have grown.
struct PostingsChunk: ~Copyable {
    /// Document numbers relative to the segment, ascending.
    private(set) var documents = Buffer<UInt32>(capacity: 128)
    /// Where the runs of each document end in `runs`.
    private(set) var runEnds = Buffer<UInt32>()
    private(set) var runs = Buffer<PostingsRun>()
    /// Where inline positions begin in the chunk; nil: they are in the `q` table.
    private(set) var inlinePositions: Int?
    private(set) var hasInlinePositions = false
    private(set) var isSingle = false
    /// Whether positions are packed.
    private(set) var isPacked = false
    private(set) var directory = PostingsDirectory()
    /// Of a block decoded with frequencies: in the usual string, of each document that has the term
    /// there alone; 0 for the others.
    private(set) var frequencies = Buffer<UInt32>(repeating: 0, count: 128)
    /// The places of the others, in order, whose strings are in `runs`, and end as `runEnds` says.
    private(set) var others = Buffer<UInt32>()
    private(set) var usualString: UInt32 = 0
    /// Of a block decoded without frequencies: where their codes begin in the chunk, and their
    /// bits.
    private var codes = (start: 0, width: 0)

    /// What a block is decoded with.
    enum Detail {
        case documents
        /// Documents and `frequencies`.
        case frequencies
        /// Documents and, of all of them, `runs`.
        case runs
    }

    /// Reads what stands before the blocks; no documents yet, unless there is but one.
    mutating func open(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        removeDocuments()
        var reader = ByteReader(bytes)
        let flags = try reader.byte()
        isSingle = flags & PostingsEncoder.single != 0
        isPacked = flags & PostingsEncoder.packed != 0
        hasInlinePositions = isSingle || flags & PostingsEncoder.inlinePositions != 0
        inlinePositions = nil
        guard isSingle else { return try directory.read(&reader) }
        let (document, run) = try Self.readSingle(&reader)
        documents.append(document)
        runs.append(run)
        runEnds.append(1)
        frequencies[0] = 0
        others.append(0)
        inlinePositions = reader.offset
    }

    @inline(__always)
    private static func readSingle(
        _ reader: inout ByteReader
    ) throws(MalformedData) -> (document: UInt32, run: PostingsRun) {
        let document = try reader.uint32()
        let string = try reader.uint32()
        return (document, PostingsRun(string: string, frequency: try reader.uint32()))
    }

    /// Where the term stands that has but one document, and stands in one string of it; nil for
    /// others.
    @inline(__always)
    static func single(
        of bytes: UnsafeRawBufferPointer
    ) throws(MalformedData) -> (document: UInt32, run: PostingsRun)? {
        var reader = ByteReader(bytes)
        guard try reader.byte() & PostingsEncoder.single != 0 else { return nil }
        return try readSingle(&reader)
    }

    /// Decodes documents, strings and frequencies; positions are left where they are.
    ///
    /// Complexity: linear in the number of documents.
    mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        try open(bytes)
        guard !isSingle else { return }
        guard directory.blocks.count > 0 else { throw MalformedData() }
        var reader = try ByteReader(bytes, at: directory.blocks[0].start)
        var previous: Int64 = -1
        for block in 0..<directory.blocks.count {
            try decodeBlock(
                &reader, bytes, count: directory.blocks[block].count,
                usual: directory.usualString, previous: &previous)
        }
        inlinePositions = hasInlinePositions ? reader.offset : nil
    }

    /// Decodes block after block with frequencies, and lends itself to `body` after each, until
    /// that gives false; as `inout`, since the compiler makes a copy for each block otherwise.
    ///
    /// Complexity: linear in the number of documents.
    mutating func forEachBlock(
        of bytes: UnsafeRawBufferPointer, withRuns: Bool = false,
        _ body: (inout PostingsChunk) -> Bool
    ) throws(MalformedData) {
        try open(bytes)
        guard !isSingle else {
            _ = body(&self)
            return
        }
        guard directory.blocks.count > 0 else { throw MalformedData() }
        usualString = directory.usualString
        var reader = try ByteReader(bytes, at: directory.blocks[0].start)
        var previous: Int64 = -1
        for block in 0..<directory.blocks.count {
            removeDocuments()
            let count = directory.blocks[block].count
            if withRuns {
                try decodeBlock(
                    &reader, bytes, count: count, usual: usualString, previous: &previous)
            } else {
                try decodeFrequencies(&reader, count, &previous)
            }
            if !body(&self) { return }
        }
    }

    /// The same for the blocks that may hold one of some documents, with all runs. The documents
    /// ascend and count from `first` on.
    mutating func forEachBlock(
        of bytes: UnsafeRawBufferPointer, holding wanted: ArraySlice<UInt32>, from first: UInt32,
        _ body: (inout PostingsChunk) -> Bool
    ) throws(MalformedData) {
        try open(bytes)
        guard !isSingle else {
            _ = body(&self)
            return
        }
        usualString = directory.usualString
        var next = wanted.startIndex
        for number in 0..<directory.blocks.count {
            let block = directory.blocks[number]
            while next < wanted.endIndex, Int64(wanted[next] &- first) <= block.before { next += 1 }
            guard next < wanted.endIndex else { return }
            guard Int64(wanted[next] &- first) <= block.last else { continue }
            removeDocuments()
            var reader = try ByteReader(bytes, at: block.start)
            var previous = block.before
            try decodeBlock(
                &reader, bytes, count: block.count, usual: usualString, previous: &previous)
            if !body(&self) { return }
        }
    }

    /// Decodes documents alone; there are no runs then.
    ///
    /// Complexity: linear in the number of documents.
    mutating func decodeDocuments(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        try open(bytes)
        guard !isSingle else { return }
        guard directory.blocks.count > 0 else { throw MalformedData() }
        var previous: Int64 = -1
        for number in 0..<directory.blocks.count {
            let block = directory.blocks[number]
            var reader = try ByteReader(bytes, at: block.start)
            let (gapWidth, _) = try Self.widths(&reader)
            try decodeDocuments(&reader, gapWidth, block.count, &previous)
        }
    }

    /// Decodes one block alone.
    mutating func decodeBlock(
        _ number: Int, of postings: StoredPostings, with detail: Detail = .runs
    ) throws(MalformedData) {
        try postings.bytes.withBytes { (bytes) throws(MalformedData) in
            guard !postings.isSingle else { return try open(bytes) }
            removeDocuments()
            inlinePositions = nil
            isSingle = false
            isPacked = postings.isPacked
            let block = postings.directory.blocks[number]
            var reader = try ByteReader(bytes, at: block.start)
            var previous = block.before
            usualString = postings.directory.usualString
            switch detail {
            case .documents:
                let (gapWidth, codeWidth) = try Self.widths(&reader)
                try decodeDocuments(&reader, gapWidth, block.count, &previous)
                codes = (reader.offset, codeWidth)
            case .frequencies:
                try decodeFrequencies(&reader, block.count, &previous)
            case .runs:
                try decodeBlock(
                    &reader, bytes, count: block.count, usual: usualString, previous: &previous)
            }
            if case .documents = detail { return }
            if number == postings.blockCount - 1, postings.hasInlinePositions {
                inlinePositions = reader.offset
            }
        }
    }

    /// Adds the frequencies to a block of which documents alone were decoded.
    mutating func addFrequencies(of postings: StoredPostings) throws(MalformedData) {
        guard !postings.isSingle else { return }
        try postings.bytes.withBytes { (bytes) throws(MalformedData) in
            var reader = try ByteReader(bytes, at: codes.start)
            try decodeCodes(&reader, codes.width, documentCount)
            try decodeOthers(&reader, documentCount)
        }
    }

    /// Makes its documents some that were found already, of a segment that begins with `first`;
    /// nothing else is known of them.
    mutating func take(_ found: ArraySlice<UInt32>, from first: UInt32) {
        removeDocuments()
        for document in found { documents.append(document &- first) }
    }

    private mutating func removeDocuments() {
        documents.removeAll()
        runEnds.removeAll()
        runs.removeAll()
        others.removeAll()
    }

    var blockCount: Int { isSingle ? 1 : directory.blocks.count }

    /// In how many pages of the `q` table its positions lie.
    var pageCount: Int { hasInlinePositions ? 0 : directory.pageCount }

    /// The documents of the whole chunk.
    var totalDocumentCount: Int { isSingle ? 1 : directory.documentCount }

    private mutating func decodeBlock(
        _ reader: inout ByteReader, _ bytes: UnsafeRawBufferPointer, count: Int, usual: UInt32,
        previous: inout Int64
    ) throws(MalformedData) {
        try decodeCodes(&reader, count, &previous)
        var index = 0
        while index < count {
            let start = index
            while index < count, frequencies[index] > 0 { index += 1 }
            appendUsual(start..<index, usual)
            guard index < count else { return }
            try decodeStrings(&reader)
            index += 1
        }
    }

    /// Reads the documents of a block, and of those that have the term elsewhere than in the usual
    /// string alone the runs.
    private mutating func decodeFrequencies(
        _ reader: inout ByteReader, _ count: Int, _ previous: inout Int64
    ) throws(MalformedData) {
        try decodeCodes(&reader, count, &previous)
        try decodeOthers(&reader, count)
    }

    private mutating func decodeOthers(
        _ reader: inout ByteReader, _ count: Int
    ) throws(MalformedData) {
        // A branch for each would often be foreseen wrongly.
        let room = others.tail(room: count)
        var otherCount = 0
        frequencies.withElements { frequencies in
            for place in 0..<count {
                room[otherCount] = UInt32(truncatingIfNeeded: place)
                otherCount &+= frequencies[place].isEqual(to: 0)
            }
        }
        others.commit(otherCount)
        for _ in 0..<others.count { try decodeStrings(&reader) }
    }

    private mutating func decodeCodes(
        _ reader: inout ByteReader, _ count: Int, _ previous: inout Int64
    ) throws(MalformedData) {
        let (gapWidth, codeWidth) = try Self.widths(&reader)
        try decodeDocuments(&reader, gapWidth, count, &previous)
        try decodeCodes(&reader, codeWidth, count)
    }

    private mutating func decodeCodes(
        _ reader: inout ByteReader, _ width: Int, _ count: Int
    ) throws(MalformedData) {
        let codes = try reader.slice(BitPacking.byteCount(count: count, width: width))
        try Self.unpack(codes, width, count, into: &frequencies)
    }

    /// Appends the runs of documents that have the term in the usual string alone; as `frequencies`
    /// says.
    @inline(__always)
    private mutating func appendUsual(_ places: Range<Int>, _ usual: UInt32) {
        let count = places.count
        let runs = runs.tail(room: count)
        let ends = runEnds.tail(room: count)
        let before = UInt32(truncatingIfNeeded: self.runs.count)
        frequencies.withElements { frequencies in
            for place in 0..<count {
                runs[place] = PostingsRun(
                    string: usual, frequency: frequencies[places.lowerBound &+ place])
                ends[place] = before &+ UInt32(truncatingIfNeeded: place) &+ 1
            }
        }
        self.runs.commit(count)
        runEnds.commit(count)
    }

    /// Reads the strings of one document, and how often the term stands in each.
    @inline(__always)
    private mutating func decodeStrings(_ reader: inout ByteReader) throws(MalformedData) {
        // Nearly always one or two, and each number a byte: one way for both, as a branch would
        // often be foreseen wrongly.
        if let word = reader.nextWord, word & 0xff &- 1 < 2 {
            let strings = Int(word & 0xff)
            if word & (0x80_8080 | UInt64(strings &- 1) &* 0x80_8000_0000) == 0 {
                let room = runs.tail(room: 2)
                let string = UInt32(truncatingIfNeeded: word >> 8 & 0xff)
                room[0] = PostingsRun(
                    string: string, frequency: UInt32(truncatingIfNeeded: word >> 16 & 0xff))
                room[1] = PostingsRun(
                    string: string &+ UInt32(truncatingIfNeeded: word >> 24 & 0xff),
                    frequency: UInt32(truncatingIfNeeded: word >> 32 & 0xff))
                runs.commit(strings)
                runEnds.append(UInt32(truncatingIfNeeded: runs.count))
                return try reader.skip(ofWord: 1 &+ 2 &* strings)
            }
        }
        try decodeManyStrings(&reader)
    }

    private mutating func decodeManyStrings(_ reader: inout ByteReader) throws(MalformedData) {
        let strings = try reader.varint(atMost: reader.remaining)
        var string: UInt32 = 0
        for _ in 0..<strings {
            let (sum, overflow) = string.addingReportingOverflow(try reader.uint32())
            guard !overflow else { throw MalformedData() }
            string = sum
            runs.append(PostingsRun(string: string, frequency: try reader.uint32()))
        }
        runEnds.append(UInt32(truncatingIfNeeded: runs.count))
    }

    /// The bits of each gap and of each code of a block.
    private static func widths(
        _ reader: inout ByteReader
    ) throws(MalformedData) -> (gap: Int, code: Int) {
        let gap = Int(try reader.byte())
        let code = Int(try reader.byte())
        guard gap <= 32, code <= 32 else { throw MalformedData() }
        return (gap, code)
    }

    /// Appends the documents of a block.
    private mutating func decodeDocuments(
        _ reader: inout ByteReader, _ gapWidth: Int, _ count: Int, _ previous: inout Int64
    ) throws(MalformedData) {
        let packed = try reader.slice(BitPacking.byteCount(count: count, width: gapWidth))
        let room = UnsafeMutableBufferPointer(start: documents.tail(room: count), count: count)
        try BitPacking.unpack(packed, width: gapWidth, into: room)
        var last = previous
        for index in 0..<count {
            last &+= Int64(room[index]) &+ 1
            room[index] = UInt32(truncatingIfNeeded: last)
        }
        // They ascend: none before the last one is larger.
        guard last <= Int64(UInt32.max) else { throw MalformedData() }
        documents.commit(count)
        previous = last
    }

    static func unpack(
        _ bytes: UnsafeRawBufferPointer, _ width: Int, _ count: Int,
        into output: inout Buffer<UInt32>
    ) throws(MalformedData) {
        try output.withMutableElements { (all) throws(MalformedData) in
            try BitPacking.unpack(
                bytes, width: width, into: UnsafeMutableBufferPointer(rebasing: all[0..<count]))
        }
    }

    var documentCount: Int { documents.count }
}

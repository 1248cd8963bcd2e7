/// Reads one term's postings in one segment in every way that searches do, and says where the ways
/// differ.
///
/// Reused from chunk to chunk.
struct PostingsExaminer: ~Copyable {
    /// What is wrong with a chunk.
    struct Fault: Error {
        var message: String

        init(_ message: String) { self.message = message }
    }

    private var chunk = PostingsChunk()
    private var single = PostingsChunk()

    /// In how many pages the positions of a chunk lie.
    mutating func pageCount(of bytes: [UInt8]) throws -> Int {
        try bytes.withUnsafeBytes { try chunk.open($0) }
        return chunk.pageCount
    }

    /// Examines a chunk and its positions, and calls `body` with each occurrence.
    mutating func examine(
        _ bytes: [UInt8], pages: [[UInt8]], _ segment: SegmentExamination, _ impacts: Impacts,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        try bytes.withUnsafeBytes { try chunk.decode($0) }
        guard chunk.documentCount > 0, chunk.documentCount == chunk.totalDocumentCount else {
            throw Fault("the number of documents is not right")
        }
        try examineDocuments(segment)
        if chunk.blockCount > 1 { try examineBlocks(bytes, impacts) }
        try examinePositions(bytes, pages, segment, body)
    }

    private borrowing func examineDocuments(_ segment: SegmentExamination) throws {
        var total = 0
        for index in 0..<chunk.documentCount {
            let document = chunk.documents[index]
            guard Int(document) < segment.manifest.documentCount,
                !segment.missing.contains(document)
            else { throw Fault("postings of a document that the segment does not have") }
            let runs = chunk.runRange(at: index)
            guard !runs.isEmpty else { throw Fault("postings of a document without a string") }
            var last = -1
            for run in runs {
                let current = chunk.runs[run]
                guard Int(current.string) > last, current.frequency > 0,
                    segment.lengths.has(Int(current.string), of: Int(document))
                else { throw Fault("postings in a string that the document does not have") }
                last = Int(current.string)
                total += Int(current.frequency)
            }
        }
        guard chunk.isSingle || total == chunk.directory.totalFrequency else {
            throw Fault("the total frequency is not right")
        }
    }

    /// A block as it is read for scores, against its runs.
    private mutating func examineFrequencies(
        _ number: Int, _ stored: StoredPostings, from first: Int
    ) throws {
        try single.decodeBlock(number, of: stored, with: .frequencies)
        var other = 0
        for place in 0..<single.documentCount {
            let runs = chunk.runRange(at: first + place)
            if single.frequencies[place] > 0 {
                guard runs.count == 1, chunk.runs[runs.lowerBound].string == single.usualString,
                    chunk.runs[runs.lowerBound].frequency == single.frequencies[place]
                else { throw Fault("the frequencies of block \(number) are not those of its runs") }
            } else {
                guard single.runRange(at: other).count == runs.count else {
                    throw Fault("the frequencies of block \(number) are not those of its runs")
                }
                other += 1
            }
        }
    }

    /// What the directory says of each block, against the block.
    private mutating func examineBlocks(_ bytes: [UInt8], _ impacts: Impacts) throws {
        let stored = try bytes.withUnsafeBytes { try StoredPostings($0) }
        var first = 0
        for number in 0..<chunk.blockCount {
            let block = chunk.directory.blocks[number]
            try single.decodeBlock(number, of: stored)
            guard single.documentCount == block.count,
                (0..<block.count).allSatisfy({
                    single.documents[$0] == chunk.documents[first + $0]
                }), Int64(chunk.documents[first + block.count - 1]) == block.last
            else { throw Fault("the directory does not lead to block \(number)") }
            try examineFrequencies(number, stored, from: first)
            var highest = 0.0
            for index in first..<(first + block.count) {
                var impact = 0.0
                for run in chunk.runRange(at: index) {
                    impact +=
                        Double(chunk.runs[run].frequency)
                        * impacts.weight(
                            of: chunk.documents[index], string: chunk.runs[run].string)
                }
                highest = max(highest, impact)
            }
            guard block.bound == Impact.read(Impact.stored(highest)) else {
                throw Fault("the bound of block \(number) is not right")
            }
            first += block.count
        }
    }

    private borrowing func examinePositions(
        _ bytes: [UInt8], _ pages: [[UInt8]], _ segment: SegmentExamination,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        if let start = chunk.inlinePositions {
            return try bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                try examinePage(rest, blocks: 0..<chunk.blockCount, segment, body)
            }
        }
        var block = 0
        for (number, page) in pages.enumerated() {
            let first = block
            while block < chunk.blockCount, chunk.directory.blocks[block].page == number {
                block += 1
            }
            try page.withUnsafeBytes { try examinePage($0, blocks: first..<block, segment, body) }
        }
        guard block == chunk.blockCount else { throw Fault("a page of positions is not there") }
    }

    private borrowing func examinePage(
        _ page: UnsafeRawBufferPointer, blocks: Range<Int>, _ segment: SegmentExamination,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        var offset = 0
        for block in blocks {
            if !chunk.isSingle, chunk.blockCount > 1, !chunk.hasInlinePositions {
                guard chunk.directory.blocks[block].positionStart == offset else {
                    throw Fault("the directory does not lead to the positions of block \(block)")
                }
            }
            let places = chunk.places(ofBlock: block)
            var reader = try chunk.gaps(of: places, page, at: offset)
            for place in places { try examineRuns(of: place, &reader, segment, body) }
            offset = try reader.finish()
        }
        guard offset == page.count else { throw Fault("there are more positions than occurrences") }
    }

    private borrowing func examineRuns(
        of index: Int, _ reader: inout GapReader, _ segment: SegmentExamination,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        let document = chunk.documents[index]
        for run in chunk.runRange(at: index) {
            let current = chunk.runs[run]
            let length = segment.lengths.length(of: Int(document), string: Int(current.string))
            var position: UInt64 = 0
            for _ in 0..<current.frequency {
                position &+= UInt64(try reader.next())
                guard position < UInt64(length) else {
                    throw Fault("a position lies behind the end of its string")
                }
                body(document, current.string, UInt32(truncatingIfNeeded: position))
            }
        }
    }
}

/// One value a document, for all documents of a segment; in memory in full once asked for.
///
/// Stored form (`c` table), pages of 4,096 documents. Column 0, only where documents are missing: a bit a document,
/// low bits first, set for those that are not there. Column 1, weights: a byte of form (0: one value for all, 1: single precision, 2: double precision), then bit
/// patterns. Column 2, lengths: for each document the number of its strings and the words in each, varints. Column 3, identifiers, in
/// smaller pages: see `IdentifierPage`. Columns 4 and 5, only where objects have attributes: which there are, and their values: see `AttributeDirectory` and
/// `AttributePage`. Column 6, only where there are lists of the best documents of stop words: see `ChampionLists`.
enum Column {
    static let pageSize = 4096
    static let missing: UInt8 = 0
    static let weights: UInt8 = 1
    static let lengths: UInt8 = 2
    static let identifiers: UInt8 = 3
    static let attributeNames: UInt8 = 4
    static let attributes: UInt8 = 5
    static let champions: UInt8 = 6

    /// The columns of each segment that have a value for each document, but for attributes, with the documents of a page and whether pages may be missing.
    static let all: [(column: UInt8, pageSize: Int, isOptional: Bool)] = [
        (missing, pageSize, true), (weights, pageSize, false), (lengths, pageSize, false),
        (identifiers, IdentifierPage.size, false),
    ]

    static func encodeWeights(_ weights: [Double], into output: inout Buffer<UInt8>) {
        if let first = weights.first,
            weights.allSatisfy({ $0.bitPattern == first.bitPattern })
        {
            output.append(0)
            output.appendLittleEndian(first.bitPattern)
        } else if weights.allSatisfy({ Double(Float($0)).bitPattern == $0.bitPattern }) {
            output.append(1)
            for weight in weights {
                output.appendBigEndian(Float(weight).bitPattern)
            }
        } else {
            output.append(2)
            for weight in weights { output.appendLittleEndian(weight.bitPattern) }
        }
    }

    static func decodeWeights(
        _ bytes: UnsafeRawBufferPointer, count: Int, into output: inout [Double]
    ) throws(MalformedData) {
        var reader = ByteReader(bytes)
        switch try reader.byte() {
        case 0:
            let weight = Double(bitPattern: try reader.littleEndian64())
            for _ in 0..<count { output.append(weight) }
        case 1:
            for _ in 0..<count {
                output.append(Double(Float(bitPattern: try reader.bigEndian32())))
            }
        case 2:
            for _ in 0..<count {
                output.append(Double(bitPattern: try reader.littleEndian64()))
            }
        default: throw MalformedData()
        }
    }
}

/// How many words each string of each document has.
struct LengthColumn: Sendable {
    /// Where the lengths of each document end in `lengths`.
    private var ends: [UInt32] = []
    private var lengths: [UInt32] = []
    /// The same once more, for a quicker look, where it can be.
    private var table = LengthTable()
    /// Of each string over the documents that have it.
    private(set) var sums: [Sum] = []

    struct Sum {
        private(set) var total: UInt64 = 0
        private(set) var count = 0
        private(set) var most: UInt32 = 0

        var average: Double { Double(total) / max(Double(count), 1) }

        @inline(__always)
        mutating func add(_ length: UInt32) {
            total &+= UInt64(length)
            count &+= 1
            most = max(most, length)
        }

        /// Adds every `step`th length from one on to the last.
        mutating func add(_ lengths: [UInt32], from first: Int, each step: Int) {
            var sum = self
            lengths.withUnsafeBufferPointer { lengths in
                var place = first
                while place < lengths.count {
                    sum.add(lengths[place])
                    place &+= step
                }
            }
            self = sum
        }
    }

    mutating func append(_ strings: some Sequence<UInt32>) {
        for (string, length) in strings.enumerated() {
            lengths.append(length)
            if string == sums.count { sums.append(Sum()) }
            sums[string].add(length)
        }
        ends.append(UInt32(lengths.count))
        addToTable(from: ends.count - 1)
    }

    /// Appends the documents of a memory segment, whose strings come in their order.
    mutating func append(_ segment: borrowing MemorySegment) {
        let first = ends.count
        let start = lengths.count
        segment.strings.length.withElements { lengths.append(contentsOf: $0) }
        segment.documents.firstString.withElements { firsts in
            for string in firsts.dropFirst() {
                ends.append(UInt32(truncatingIfNeeded: start) &+ string)
            }
        }
        if segment.documentCount > 0 { ends.append(UInt32(lengths.count)) }
        addUp(from: first)
    }

    /// Has the documents up to the number `document` have no strings.
    mutating func skip(to document: Int) {
        while count < document { append(EmptyCollection()) }
    }

    /// Appends the `count` documents of a page, which is one of those of `total` documents.
    mutating func decodePage(
        _ bytes: UnsafeRawBufferPointer, count: Int, total: Int = 0
    ) throws(MalformedData) {
        let first = ends.count
        let page = try Self.decode(bytes, count: count, from: lengths.count, into: &ends)
        if first == 0, count > 0 {
            reserveCapacity(min(total, Self.mostReserved), page.count / count)
        }
        page.withElements { lengths.append(contentsOf: $0) }
        addUp(from: first)
    }

    /// For no more documents and strings room is made before they are there, whatever the manifest says.
    private static let mostReserved = 1 << 20

    /// Makes room for so many documents, with so many strings each: arrays that grow move all that they have.
    private mutating func reserveCapacity(_ documents: Int, _ width: Int) {
        ends.reserveCapacity(documents)
        let strings = min(documents * width, Self.mostReserved)
        lengths.reserveCapacity(strings)
        table.reserveCapacity(strings)
    }

    /// The lengths of a page, which is all or nothing: who verifies goes on with the next one. What they end at goes to `ends`.
    private static func decode(
        _ bytes: UnsafeRawBufferPointer, count: Int, from start: Int, into ends: inout [UInt32]
    ) throws(MalformedData) -> Buffer<UInt32> {
        var reader = ByteReader(bytes)
        var pageEnds = Buffer<UInt32>(capacity: count)
        // Each has a byte at least.
        var lengths = Buffer<UInt32>(capacity: bytes.count)
        for _ in 0..<count {
            let size = reader.nextWord.map { append(ofWord: $0, to: &lengths) } ?? 0
            try reader.skip(ofWord: size)
            if size == 0 {
                let strings = try reader.varint(atMost: reader.remaining)
                for _ in 0..<strings { lengths.append(try reader.uint32()) }
            }
            pageEnds.append(UInt32(truncatingIfNeeded: start &+ lengths.count))
        }
        pageEnds.withElements { ends.append(contentsOf: $0) }
        return lengths
    }

    /// Appends the lengths of a document that begins with a word of eight bytes; how many of them are its own. 0 and nothing for what few documents have: more than
    /// two strings, or one of 2^14 words or more.
    @inline(__always)
    private static func append(ofWord word: UInt64, to lengths: inout Buffer<UInt32>) -> Int {
        let strings = Int(word & 0xff)
        guard strings <= 2 else { return 0 }
        let room = lengths.tail(room: 2)
        var rest = word >> 8
        var size: UInt64 = 1
        for string in 0..<strings {
            guard rest & 0x8080 != 0x8080 else { return 0 }
            let hasSecond = rest >> 7 & 1
            let high = rest >> 1 & 0x3f80 & (0 &- hasSecond)
            room[string] = UInt32(truncatingIfNeeded: rest & 0x7f | high)
            rest >>= 8 &+ 8 &* hasSecond
            size &+= 1 &+ hasSecond
        }
        lengths.commit(strings)
        return Int(size)
    }

    /// Takes documents from one on into the sums and the table.
    private mutating func addUp(from first: Int) {
        let width = width(from: first)
        addToTable(from: first, width: width)
        var start = start(of: first)
        if let width {
            while sums.count < width { sums.append(Sum()) }
            for string in 0..<width { sums[string].add(lengths, from: start + string, each: width) }
            return
        }
        for end in ends[first...] {
            while sums.count < Int(end) - start { sums.append(Sum()) }
            for place in start..<Int(end) { sums[place - start].add(lengths[place]) }
            start = Int(end)
        }
    }

    /// How many strings each document from one on has; nil where some have more than others.
    private func width(from first: Int) -> Int? {
        guard first < ends.count else { return nil }
        var expected = UInt32(truncatingIfNeeded: start(of: first))
        let width = ends[first] &- expected
        var differences: UInt32 = 0
        ends.withUnsafeBufferPointer { ends in
            for document in first..<ends.count {
                expected &+= width
                differences |= ends[document] ^ expected
            }
        }
        return differences == 0 ? Int(width) : nil
    }

    var count: Int { ends.count }

    /// The lengths of a document's strings, in words.
    func of(_ document: Int) -> ArraySlice<UInt32> {
        lengths[start(of: document)..<Int(ends[document])]
    }

    private mutating func addToTable(from first: Int, width: Int? = nil) {
        table.append(ends[first...], of: lengths, from: start(of: first), width: width)
    }

    /// Makes `output` the lengths of a string of some documents, which ascend; 0 where there is none.
    func load(
        _ documents: UnsafeBufferPointer<UInt32>, string: Int, into output: inout Buffer<Double>
    ) {
        output.removeAll()
        let room = output.tail(room: documents.count)
        if table.isWhole {
            table.load(documents, string: string, into: room)
        } else {
            for place in documents.indices {
                room[place] = Double(length(of: Int(documents[place]), string: string))
            }
        }
        output.commit(documents.count)
    }

    /// The length of a document's string; 0 where there is none.
    @inline(__always)
    func length(of document: Int, string: Int) -> Int {
        if table.isWhole { return table.length(of: document, string: string) }
        guard document < ends.count else { return 0 }
        let slot = start(of: document) + string
        return slot < Int(ends[document]) ? Int(lengths[slot]) : 0
    }

    /// Where a document's strings begin when all strings of all documents stand in a row.
    @inline(__always)
    func start(of document: Int) -> Int { document == 0 ? 0 : Int(ends[document - 1]) }

    /// Whether there is such a document, and it has such a string.
    func has(_ string: Int, of document: Int) -> Bool {
        document < ends.count && string < Int(ends[document]) - start(of: document)
    }

    /// Where the strings of documents stand when all are in a row.
    var slots: SlotPlaces { SlotPlaces(ends: ends, width: table.isWhole ? table.width : 0) }

    /// Lends the lengths of all strings by their slots, where each document has room for as many.
    @inline(__always)
    func withTable(_ body: (UnsafeBufferPointer<UInt16>) -> Void) { table.withLengths(body) }

    func makeSlotWalk() -> SlotWalk { SlotWalk(slots, lengths, table) }

    /// How many slots there are.
    var slotCount: Int {
        slots.width > 0 ? ends.count * slots.width : lengths.count
    }

    /// The average length of each string over the documents that have it.
    func averages() -> [Double] { sums.map(\.average) }
}

/// How many words each string of each document has.
///
/// As long as all documents have the same number of strings `table` has everything, in two bytes a
/// string: the first search after opening writes less into new memory. From the first document on
/// that has another number, as one that is missing, or a longer string, all lengths stand in
/// `lengths` too.
struct LengthColumn: Sendable {
    /// All lengths by document and string, where it can hold them.
    private var table = LengthTable()
    /// Where the lengths of each document end in `lengths`; both are empty as long as `isEven`.
    private var ends: [UInt32] = []
    private var lengths: [UInt32] = []
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
        mutating func add(
            _ lengths: UnsafeBufferPointer<UInt16>, from first: Int, each step: Int
        ) {
            var sum = self
            var place = first
            while place < lengths.count {
                sum.add(UInt32(lengths[place]))
                place &+= step
            }
            self = sum
        }
    }

    /// Whether all documents have the same number of strings, one at least, and all lengths are in
    /// the table.
    private var isEven: Bool { ends.isEmpty }

    var count: Int { isEven ? table.documentCount : ends.count }

    /// Appends a document.
    mutating func append(_ strings: some Sequence<UInt32>) {
        var page = Buffer<UInt32>()
        for length in strings { page.append(length) }
        let end = UInt32(truncatingIfNeeded: page.count)
        page.withElements { page in
            withUnsafePointer(to: end) {
                append(page, ends: UnsafeBufferPointer(start: $0, count: 1))
            }
        }
    }

    /// Appends a document of another column.
    mutating func append(_ document: Int, of other: LengthColumn) {
        let width = other.table.width
        guard isEven, other.isEven, fits(width), document < other.count else {
            append(other.of(document))
            return
        }
        let start = document * width
        other.table.withLengths {
            appendEven(UnsafeBufferPointer(rebasing: $0[start..<(start + width)]), width: width)
        }
    }

    /// Appends the documents of a memory segment, whose strings come in their order.
    mutating func append(_ segment: borrowing MemorySegment) {
        guard segment.documentCount > 0 else { return }
        var pageEnds = Buffer<UInt32>(capacity: segment.documentCount)
        segment.documents.firstString.withElements { firsts in
            for first in firsts.dropFirst() { pageEnds.append(first) }
        }
        pageEnds.append(UInt32(truncatingIfNeeded: segment.strings.count))
        segment.strings.length.withElements { page in
            pageEnds.withElements { append(page, ends: $0) }
        }
    }

    /// Has the documents up to the number `document` have no strings.
    mutating func skip(to document: Int) {
        while count < document { append(EmptyCollection()) }
    }

    /// Appends the `count` documents of a page, which is one of those of `total` documents.
    mutating func decodePage(
        _ bytes: UnsafeRawBufferPointer, count: Int, total: Int = 0
    ) throws(MalformedData) {
        if isEven {
            var even = Buffer<UInt16>()
            let width = try Self.decodeEven(bytes, count: count, into: &even)
            if width > 0, fits(width) {
                // Arrays that grow move all that they have.
                if self.count == 0 {
                    table.reserveCapacity(min(total, Self.mostReserved) * width)
                }
                even.withElements { appendEven($0, width: width) }
                return
            }
        }
        var pageEnds = Buffer<UInt32>(capacity: count)
        let page = try Self.decode(bytes, count: count, into: &pageEnds)
        let isFirst = self.count == 0
        page.withElements { page in
            pageEnds.withElements { append(page, ends: $0) }
        }
        if isFirst, count > 0 {
            reserveCapacity(min(total, Self.mostReserved), strings: page.count / count)
        }
    }

    /// Makes room for so many documents, with so many strings each.
    private mutating func reserveCapacity(_ documents: Int, strings: Int) {
        let most = min(documents * strings, 2 * Self.mostReserved)
        table.reserveCapacity(most)
        guard !isEven else { return }
        ends.reserveCapacity(documents)
        lengths.reserveCapacity(most)
    }

    /// For no more documents room is made before they are there, whatever the manifest says.
    private static let mostReserved = 1 << 19

    /// Whether documents of so many strings leave it even.
    private func fits(_ width: Int) -> Bool { count == 0 || width == table.width }

    /// Appends documents whose strings have these lengths, those of each ending where `pageEnds`
    /// says.
    private mutating func append(
        _ page: UnsafeBufferPointer<UInt32>, ends pageEnds: UnsafeBufferPointer<UInt32>
    ) {
        if isEven {
            var even = Buffer<UInt16>()
            let width = Self.copyEven(page, pageEnds, into: &even)
            if width > 0, fits(width) {
                even.withElements { appendEven($0, width: width) }
                return
            }
            spread()
        }
        let (first, start) = (ends.count, lengths.count)
        lengths.append(contentsOf: page)
        ends.append(
            contentsOf: pageEnds.lazy.map { UInt32(truncatingIfNeeded: start &+ Int($0)) })
        table.append(ends[first...], of: lengths, from: start)
        addUp(from: first)
    }

    /// Appends documents of `width` strings each.
    private mutating func appendEven(_ page: UnsafeBufferPointer<UInt16>, width: Int) {
        table.append(page, width: width)
        while sums.count < width { sums.append(Sum()) }
        for string in 0..<width { sums[string].add(page, from: string, each: width) }
    }

    /// Has `lengths` have all that the table has, before documents come that are not even.
    private mutating func spread() {
        let width = table.width
        ends = (0..<table.documentCount).map { UInt32(truncatingIfNeeded: ($0 + 1) * width) }
        table.withLengths { table in lengths = table.map { UInt32($0) } }
    }

    /// Takes documents from one on into the sums.
    private mutating func addUp(from first: Int) {
        var start = start(of: first)
        for end in ends[first...] {
            while sums.count < Int(end) - start { sums.append(Sum()) }
            for place in start..<Int(end) { sums[place - start].add(lengths[place]) }
            start = Int(end)
        }
    }

    /// The lengths of a document's strings, in words.
    func of(_ document: Int) -> [UInt32] {
        (0..<stringCount(of: document)).map {
            UInt32(truncatingIfNeeded: length(of: document, string: $0))
        }
    }

    /// How many strings a document has; 0 where there is no such document.
    @inline(__always)
    func stringCount(of document: Int) -> Int {
        guard document < count else { return 0 }
        return isEven ? table.width : Int(ends[document]) - start(of: document)
    }

    /// Makes `output` the lengths of a string of some documents, which ascend; 0 where there is
    /// none.
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

    /// Where a document's strings begin in `lengths`.
    @inline(__always)
    private func start(of document: Int) -> Int { document == 0 ? 0 : Int(ends[document - 1]) }

    /// Whether there is such a document, and it has such a string.
    func has(_ string: Int, of document: Int) -> Bool { string < stringCount(of: document) }

    /// Where the strings of documents stand when all are in a row.
    var slots: SlotPlaces {
        SlotPlaces(ends: ends, width: table.isWhole ? table.width : 0, documentCount: count)
    }

    /// Lends the lengths of all strings by their slots, where each document has room for as many.
    @inline(__always)
    func withTable(_ body: (UnsafeBufferPointer<UInt16>) -> Void) { table.withLengths(body) }

    func makeSlotWalk() -> SlotWalk { SlotWalk(slots, lengths, table) }

    /// How many slots there are.
    var slotCount: Int { slots.width > 0 ? count * slots.width : lengths.count }

    /// The average length of each string over the documents that have it.
    func averages() -> [Double] { sums.map(\.average) }
}

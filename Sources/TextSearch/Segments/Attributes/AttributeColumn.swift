import Synchronization

/// The values of one attribute of all documents of a segment.
///
/// Each document has a code. Codes are in the order of the values: 0 without the attribute, then
/// the number of the value plus one, then those of lists.
///
/// **Thread safety**: immutable.
final class AttributeColumn: Sendable {
    /// As narrow as the greatest code allows.
    enum Codes: Sendable {
        case narrow([UInt8])
        case medium([UInt16])
        case wide([UInt32])
    }

    private let values: ValueTable
    let codes: Codes
    /// The values of those documents that have several or none, by their numbers, ascending; and
    /// the ends of each list.
    private let lists: Buffer<UInt32>
    private let listEnds: Buffer<UInt32>
    /// The least number of an equal value for each value, where strings differ in composition only;
    /// nil where no two values are equal.
    private let equals: [UInt32]?
    /// The codes of the number and of the date that are no numbers, as far as documents have them,
    /// ascending.
    let notNumbers: [Int]
    let documentCount: Int
    private let foldedValues = Lazy<FoldedValues>()
    private let lazyOrder = Lazy<CodeOrder>()
    /// Of all columns of the process; never used again.
    let number = AttributeColumn.lastNumber.add(1, ordering: .relaxed).newValue
    private static let lastNumber = Atomic<Int>(0)

    fileprivate init(
        _ values: consuming ValueTable, _ codes: [UInt32], _ lists: consuming Buffer<UInt32>,
        _ listEnds: consuming Buffer<UInt32>, equals: [UInt32]?, notNumbers: [Int]
    ) {
        self.notNumbers = notNumbers
        values.seal()
        let greatest = values.count + listEnds.count
        self.codes =
            if greatest <= UInt8.max {
                .narrow(codes.map { UInt8(truncatingIfNeeded: $0) })
            } else if greatest <= UInt16.max {
                .medium(codes.map { UInt16(truncatingIfNeeded: $0) })
            } else {
                .wide(codes)
            }
        documentCount = codes.count
        self.values = values
        self.lists = lists
        self.listEnds = listEnds
        self.equals = equals
    }

    /// All codes are below.
    var codeCount: Int { values.count + listEnds.count + 1 }
    /// Codes of single values are from 1 to this one.
    var valueCount: Int { values.count }
    var hasLists: Bool { !listEnds.isEmpty }

    /// The code of a document, by its number in the segment.
    func code(of document: Int) -> Int {
        switch codes {
        case .narrow(let codes): document < codes.count ? Int(codes[document]) : 0
        case .medium(let codes): document < codes.count ? Int(codes[document]) : 0
        case .wide(let codes): document < codes.count ? Int(codes[document]) : 0
        }
    }

    /// The value of a code from 1 to `valueCount`.
    func value(of code: Int) -> AttributeValue? {
        values.withBytes(of: code - 1) { ColumnValue.value(UnsafeRawBufferPointer($0)) }
    }

    /// The codes of the texts that are equal to one but for case, accents and the like.
    func codes(like text: String) -> [Int] {
        foldedValues.get { FoldedValues(self) }.codes(like: text, self)
    }

    /// The documents by their codes. Made once, then kept.
    var order: CodeOrder { lazyOrder.get { CodeOrder(self) } }

    /// Whether a code is that of an empty list.
    func isEmpty(_ code: Int) -> Bool { code > values.count && list(of: code).isEmpty }

    private func list(of code: Int) -> Range<Int> {
        let list = code - values.count - 1
        return (list == 0 ? 0 : Int(listEnds[list - 1]))..<Int(listEnds[list])
    }

    /// Whether a list has a value for which `body` is true, by the values' codes.
    @inline(__always)
    func hasMember(_ code: Int, where body: (Int) -> Bool) -> Bool {
        for place in list(of: code) where body(Int(lists[place]) + 1) { return true }
        return false
    }

    /// The code of the least or the greatest value that a code stands for and that is a number,
    /// equal for equal values; nil where there is none.
    func extreme(of code: Int, greatest: Bool) -> Int? {
        var found = code
        if code > values.count {
            let list = list(of: code)
            guard
                let place = greatest
                    ? list.last(where: isNumber) : list.first(where: isNumber)
            else { return nil }
            found = Int(lists[place]) + 1
        } else if code == 0 || notNumbers.contains(code) {
            return nil
        }
        return equals.map { Int($0[found - 1]) + 1 } ?? found
    }

    /// Whether a value of a list is a number, if it is to be one.
    private func isNumber(at place: Int) -> Bool {
        notNumbers.isEmpty || !notNumbers.contains(Int(lists[place]) + 1)
    }

    /// Whether each code is of one value, which is a number if it is to be one, and no two values
    /// are equal.
    var isPlain: Bool { equals == nil && notNumbers.isEmpty && listEnds.isEmpty }

    /// Calls `body` with each of some documents, by its place among them, and its code.
    ///
    /// `first` is the number of the segment's first document.
    @inline(__always)
    func forEachCode(
        of documents: ArraySlice<UInt32>, first: UInt32, _ body: (_ place: Int, _ code: Int) -> Void
    ) {
        switch codes {
        case .narrow(let codes): Self.walk(codes, documents, first, body)
        case .medium(let codes): Self.walk(codes, documents, first, body)
        case .wide(let codes): Self.walk(codes, documents, first, body)
        }
    }

    /// Calls `body` with each document of a range that bits have, by its number in the segment, and
    /// its code.
    @inline(__always)
    func forEachCode(
        of bits: FilterBits, _ range: Range<Int>, _ body: (_ document: Int, _ code: Int) -> Void
    ) {
        switch codes {
        case .narrow(let codes): Self.walk(codes, bits, range, body)
        case .medium(let codes): Self.walk(codes, bits, range, body)
        case .wide(let codes): Self.walk(codes, bits, range, body)
        }
    }

    @inline(__always)
    private static func walk<Code: FixedWidthInteger>(
        _ codes: [Code], _ bits: FilterBits, _ range: Range<Int>,
        _ body: (_ document: Int, _ code: Int) -> Void
    ) {
        codes.withUnsafeBufferPointer { codes in
            bits.forEach(in: range) { body($0, $0 < codes.count ? Int(codes[$0]) : 0) }
        }
    }

    @inline(__always)
    private static func walk<Code: FixedWidthInteger>(
        _ codes: [Code], _ documents: ArraySlice<UInt32>, _ first: UInt32,
        _ body: (_ place: Int, _ code: Int) -> Void
    ) {
        codes.withUnsafeBufferPointer { codes in
            for place in documents.indices {
                let relative = Int(documents[place] &- first)
                body(place, relative < codes.count ? Int(codes[relative]) : 0)
            }
        }
    }

    /// Calls `body` with each value that a code stands for.
    func forEachValue(of code: Int, _ body: (AttributeValue) -> Void) {
        guard code > 0 else { return }
        if code <= values.count { return give(code - 1, body) }
        for place in list(of: code) { give(Int(lists[place]), body) }
    }

    private func give(_ number: Int, _ body: (AttributeValue) -> Void) {
        if let value = value(of: number + 1) { body(value) }
    }
}

/// Puts an attribute column together; documents come in order.
struct AttributeColumnBuilder: ~Copyable {
    private var values = ValueTable()
    private var codes: [UInt32]
    private var lists = Buffer<UInt32>()
    private var listEnds = Buffer<UInt32>()
    /// Documents that have lists.
    private var withLists: [Int] = []
    private var own: [UInt32] = []

    init(documentCount: Int) { codes = [UInt32](repeating: 0, count: documentCount) }

    /// Adds the documents of a page, of which the first has the relative number `start`.
    mutating func add(_ page: borrowing AttributePage, at start: Int) throws(MalformedData) {
        var numbers: [UInt32] = []
        for number in 0..<page.valueCount {
            let isValue = page.withValue(number) { bytes in
                numbers.append(values.number(of: bytes))
                return ColumnValue.value(UnsafeRawBufferPointer(bytes)) != nil
            }
            guard isValue else { throw MalformedData() }
        }
        page.forEachDocument { place, found in
            own.removeAll(keepingCapacity: true)
            for value in found { own.append(numbers[Int(value)]) }
            end(start + place)
        }
    }

    /// Adds a document by the stored form of the attribute's value.
    mutating func add(
        _ value: UnsafeRawBufferPointer, of document: Int, scratch: inout Buffer<UInt8>
    ) throws(MalformedData) {
        own.removeAll(keepingCapacity: true)
        try AttributeBytes.forEachScalar(in: value, scratch: &scratch) {
            own.append(values.number(of: $0))
        }
        end(document)
    }

    /// Adds a document by the attribute's value.
    mutating func add(_ value: AttributeValue, of document: Int) {
        own.removeAll(keepingCapacity: true)
        var scratch = Buffer<UInt8>()
        for scalar in value.scalars {
            scratch.removeAll()
            ColumnValue.append(scalar, to: &scratch)
            scratch.withElements { own.append(values.number(of: $0)) }
        }
        end(document)
    }

    private mutating func end(_ document: Int) {
        guard codes.indices.contains(document) else { return }
        if own.count > 1 { own = Array(Set(own)) }
        if own.count == 1 {
            codes[document] = own[0] + 1
        } else {
            for value in own { lists.append(value) }
            listEnds.append(UInt32(lists.count))
            withLists.append(document)
        }
    }

    /// Of memory, for values.
    var byteCount: Int { values.byteCount + lists.byteCount + listEnds.byteCount }

    /// - Throws: `SearchEnded` when the time is over before the values are in order.
    consuming func finish(_ clock: SearchClock) throws -> AttributeColumn {
        let (order, equals) = try values.inOrder(clock)
        var places = [UInt32](repeating: 0, count: order.count)
        for (place, number) in order.enumerated() { places[Int(number)] = UInt32(place) }
        for document in codes.indices where codes[document] > 0 {
            codes[document] = places[Int(codes[document] - 1)] + 1
        }
        for (list, document) in withLists.enumerated() {
            codes[document] = UInt32(values.count + list + 1)
            let start = list == 0 ? 0 : Int(listEnds[list - 1])
            lists.withMutableElements { lists in
                var own = lists[start..<Int(listEnds[list])]
                for place in own.indices { own[place] = places[Int(own[place])] }
                own.sort()
            }
        }
        let notNumbers = values.notNumbers().map { Int(places[Int($0)]) + 1 }
        values.arrange(order)
        return AttributeColumn(
            values, codes, lists, listEnds, equals: equals, notNumbers: notNumbers)
    }
}

/// The values of one attribute of all documents of a segment.
///
/// Each document has a code: 0 where it has no value, the number of its value plus one, or, behind those of all values, that of its list of values.
///
/// **Thread safety**: immutable.
final class AttributeColumn: Sendable {
    /// As narrow as the greatest code allows.
    private enum Codes: Sendable {
        case narrow([UInt8])
        case medium([UInt16])
        case wide([UInt32])
    }

    private let values: ValueTable
    private let codes: Codes
    /// The values of those documents that have several, and where those of each end.
    private let lists: Buffer<UInt32>
    private let listEnds: Buffer<UInt32>

    fileprivate init(
        _ values: consuming ValueTable, _ codes: [UInt32], _ lists: consuming Buffer<UInt32>,
        _ listEnds: consuming Buffer<UInt32>
    ) {
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
        self.values = values
        self.lists = lists
        self.listEnds = listEnds
    }

    /// All codes are below.
    var codeCount: Int { values.count + listEnds.count + 1 }

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
        let list = code - values.count - 1
        let start = list == 0 ? 0 : Int(listEnds[list - 1])
        for place in start..<Int(listEnds[list]) { give(Int(lists[place]), body) }
    }

    private func give(_ number: Int, _ body: (AttributeValue) -> Void) {
        let value = values.withBytes(of: number) { ColumnValue.value(UnsafeRawBufferPointer($0)) }
        if let value { body(value) }
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
        } else if !own.isEmpty {
            for value in own { lists.append(value) }
            listEnds.append(UInt32(lists.count))
            withLists.append(document)
        }
    }

    consuming func finish() -> AttributeColumn {
        for (list, document) in withLists.enumerated() {
            codes[document] = UInt32(values.count + list + 1)
        }
        return AttributeColumn(values, codes, lists, listEnds)
    }
}

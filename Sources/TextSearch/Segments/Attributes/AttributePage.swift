/// The values of one attribute of neighbouring documents of a segment: a page of its column.
///
/// Stored form (`c` table), for up to 4,096 documents: how many distinct values there are; each of
/// them, sorted, as the number of bytes that it shares with the one before, how many follow, and
/// these; the width of the codes in bits; a packed code for each document: 0 where it has not the
/// attribute, 1 where it has another number of values than one, the number of its value plus two
/// otherwise; for each document of code 1 how many values it has, and their numbers, ascending.
struct AttributePage: ~Copyable {
    private let bytes: Buffer<UInt8>
    private let ends: Buffer<Int>
    private let codes: Buffer<UInt32>
    /// The values of each document one after the other, and where those of each end.
    private let numbers: Buffer<UInt32>
    private let numberEnds: Buffer<UInt32>

    init(_ stored: UnsafeRawBufferPointer, count: Int) throws(MalformedData) {
        var reader = ByteReader(stored)
        var bytes = Buffer<UInt8>(capacity: stored.count)
        var ends = Buffer<Int>()
        let valueCount = try Self.readValues(&reader, &bytes, &ends)
        let width = Int(try reader.byte())
        guard width <= 32 else { throw MalformedData() }
        let packed = try reader.slice(BitPacking.byteCount(count: count, width: width))
        var codes = Buffer<UInt32>(repeating: 0, count: count)
        try codes.withMutableElements { (elements) throws(MalformedData) in
            try BitPacking.unpack(packed, width: width, into: elements)
        }
        var numbers = Buffer<UInt32>(capacity: count)
        var numberEnds = Buffer<UInt32>(capacity: count)
        for place in 0..<count {
            let code = codes[place]
            if code == 1 {
                var next: UInt64 = 0
                for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
                    let number = try reader.varint()
                    guard number >= next, number < UInt64(valueCount) else { throw MalformedData() }
                    numbers.append(UInt32(number))
                    next = number + 1
                }
            } else if code > 1 {
                guard Int(code) - 2 < valueCount else { throw MalformedData() }
                numbers.append(code - 2)
            }
            numberEnds.append(UInt32(numbers.count))
        }
        guard reader.isAtEnd else { throw MalformedData() }
        self.bytes = bytes
        self.ends = ends
        self.codes = codes
        self.numbers = numbers
        self.numberEnds = numberEnds
    }

    private static func readValues(
        _ reader: inout ByteReader, _ bytes: inout Buffer<UInt8>, _ ends: inout Buffer<Int>
    ) throws(MalformedData) -> Int {
        let count = try reader.varint(atMost: reader.remaining)
        var previous = 0
        for _ in 0..<count {
            let start = bytes.count
            try bytes.appendRest(&reader, after: previous)
            guard bytes.count > start else { throw MalformedData() }
            ends.append(bytes.count)
            previous = start
        }
        return count
    }

    var valueCount: Int { ends.count }

    @inline(__always)
    borrowing func withValue<R>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        let start = number == 0 ? 0 : ends[number - 1]
        let end = ends[number]
        return bytes.withElements { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Calls `body` with the place of each document that has the attribute, and the numbers of its
    /// values.
    borrowing func forEachDocument(
        _ body: (_ place: Int, _ values: UnsafeBufferPointer<UInt32>) throws -> Void
    ) rethrows {
        var start = 0
        for place in 0..<codes.count {
            let end = Int(numberEnds[place])
            defer { start = end }
            guard codes[place] != 0 else { continue }
            try numbers.withElements {
                try body(place, UnsafeBufferPointer(rebasing: $0[start..<end]))
            }
        }
    }
}

/// Collects the values of one attribute of neighbouring documents.
final class AttributePageBuilder {
    struct Entry: BitwiseCopyable {
        var place: UInt32
        /// Where the document's values begin in `numbers`.
        var first: UInt32
    }

    private var values = ValueTable()
    private var entries = Buffer<Entry>()
    private var numbers = Buffer<UInt32>()

    var isEmpty: Bool { entries.isEmpty }

    /// About what the page will take.
    var byteCount: Int { values.valueByteCount + numbers.count * 4 }

    /// The document that the next values are of; documents come in order.
    func begin(_ place: Int) {
        entries.append(Entry(place: UInt32(place), first: UInt32(numbers.count)))
    }

    func add(_ value: UnsafeBufferPointer<UInt8>) { numbers.append(values.number(of: value)) }

    func removeAll() {
        values.removeAll()
        entries.removeAll()
        numbers.removeAll()
    }

    /// Writes the page of `count` documents.
    func encode(count: Int, into output: inout Buffer<UInt8>) {
        let order = values.sorted()
        var ranks = [UInt32](repeating: 0, count: order.count)
        for (rank, number) in order.enumerated() { ranks[Int(number)] = UInt32(rank) }
        output.appendVarint(order.count)
        var previous: UInt32?
        for number in order {
            append(number, after: previous, to: &output)
            previous = number
        }
        var codes = Buffer<UInt32>(repeating: 0, count: count)
        var lists = Buffer<UInt8>()
        for index in 0..<entries.count {
            let end = index + 1 < entries.count ? Int(entries[index + 1].first) : numbers.count
            let own = Set((Int(entries[index].first)..<end).map { ranks[Int(numbers[$0])] })
            let place = Int(entries[index].place)
            if own.count == 1, let only = own.first {
                codes[place] = only + 2
                continue
            }
            codes[place] = 1
            lists.appendVarint(own.count)
            for number in own.sorted() { lists.appendVarint(UInt64(number)) }
        }
        codes.withElements { codes in
            let width = BitPacking.width(of: codes)
            output.append(UInt8(width))
            BitPacking.pack(codes, width: width, into: &output)
        }
        lists.withElements { output.append(contentsOf: $0) }
    }

    private func append(
        _ number: UInt32, after previous: UInt32?, to output: inout Buffer<UInt8>
    ) {
        let values = values.withBytes(of: Int(number)) { Array($0) }
        var shared = 0
        if let previous {
            shared = self.values.withBytes(of: Int(previous)) { before in
                zip(before, values).prefix { $0 == $1 }.count
            }
        }
        output.appendVarint(shared)
        output.appendPrefixed(Array(values[shared...]))
    }
}

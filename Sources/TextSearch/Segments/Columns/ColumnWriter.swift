/// Writes the columns of a segment, page by page; documents come in order.
struct ColumnWriter: ~Copyable {
    private let number: UInt32
    private let batch: StoreBatch
    private var key = Buffer<UInt8>()
    private var weights: [Double] = []
    private var lengths = Buffer<UInt8>()
    private var missing = [UInt8](repeating: 0, count: Column.pageSize / 8)
    private var hasMissing = false
    private var page: UInt32 = 0
    private var count = 0

    init(number: UInt32, batch: StoreBatch) {
        self.number = number
        self.batch = batch
    }

    /// Marks the documents up to the relative number `document` as missing.
    mutating func skip(to document: Int) {
        while Int(page) * Column.pageSize + count < document { appendMissing() }
    }

    mutating func appendMissing() {
        missing[count >> 3] |= 1 << UInt8(count & 7)
        hasMissing = true
        append(weight: 0, lengths: EmptyCollection())
    }

    mutating func append(weight: Double, lengths strings: some Collection<UInt32>) {
        weights.append(weight)
        lengths.appendVarint(strings.count)
        for length in strings { lengths.appendVarint(UInt64(length)) }
        count += 1
        if count == Column.pageSize { writePage() }
    }

    mutating func finish() {
        if count > 0 { writePage() }
    }

    private mutating func writePage() {
        if hasMissing {
            Key.column(segment: number, column: Column.missing, page: page, into: &key)
            missing.withUnsafeBytes { batch.put(key, $0) }
            missing = [UInt8](repeating: 0, count: Column.pageSize / 8)
            hasMissing = false
        }
        var bytes = Buffer<UInt8>()
        Column.encodeWeights(weights, into: &bytes)
        Key.column(segment: number, column: Column.weights, page: page, into: &key)
        batch.put(key, bytes)
        Key.column(segment: number, column: Column.lengths, page: page, into: &key)
        batch.put(key, lengths)
        weights.removeAll(keepingCapacity: true)
        lengths.removeAll()
        page += 1
        count = 0
    }
}

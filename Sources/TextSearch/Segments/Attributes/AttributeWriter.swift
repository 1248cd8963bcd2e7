/// Writes the attribute columns of a segment; nothing where no object has attributes.
struct AttributeWriter: ~Copyable {
    /// An attribute that takes more than this in a page is not whole: its values are read from
    /// records.
    static let largestPage = 16 << 20

    /// One attribute's column.
    private final class Slot {
        var entry: AttributeDirectory.Entry
        let builder = AttributePageBuilder()
        var page: UInt32 = 0

        init(_ name: String) { entry = AttributeDirectory.Entry(name: name) }
    }

    private let store: IndexStore
    private let number: UInt32
    private let documentCount: Int
    private let batch: StoreBatch
    private var columns: [Slot] = []
    private var numbers: [String: Int] = [:]
    private var hasMore = false
    private var key = Buffer<UInt8>()
    private var stored = Buffer<UInt8>()
    private var scratch = Buffer<UInt8>()

    init(store: IndexStore, number: UInt32, documentCount: Int, batch: StoreBatch) {
        self.store = store
        self.number = number
        self.documentCount = documentCount
        self.batch = batch
    }

    /// Adds a document by the stored form of its attributes; documents come in order.
    mutating func add(_ attributes: UnsafeRawBufferPointer, of document: Int) throws {
        try AttributeBytes.forEach(attributes) { name, value in
            guard let column = column(named: String(decoding: name, as: UTF8.self)) else { return }
            guard try begin(document, in: column) else { return }
            try AttributeBytes.forEachScalar(in: value, scratch: &scratch) {
                column.builder.add($0)
            }
        }
    }

    /// Adds the documents of another segment that have a number here.
    mutating func add(
        _ segment: FlushedSegment, _ number: (UInt32) -> UInt32?
    ) throws {
        guard let directory = try segment.attributeDirectory() else { return }
        if directory.hasMore { hasMore = true }
        for (attribute, entry) in directory.entries.enumerated() {
            guard let column = column(named: entry.name) else { continue }
            guard entry.isWhole else {
                column.entry.isWhole = false
                column.builder.removeAll()
                continue
            }
            try segment.forEachAttributePage(attribute, entry) { start, page in
                try page.forEachDocument { place, values in
                    let document = segment.manifest.firstDocument + UInt32(start + place)
                    guard let own = number(document), try begin(Int(own), in: column) else {
                        return
                    }
                    for value in values { page.withValue(Int(value)) { column.builder.add($0) } }
                }
            }
        }
    }

    mutating func finish() throws {
        for (attribute, column) in columns.enumerated() { try writePage(attribute, column) }
        // A column that lost all of its documents is one that no object has.
        guard hasMore || columns.contains(where: { !$0.entry.isWhole || !$0.entry.pages.isEmpty })
        else { return }
        var directory = AttributeDirectory()
        directory.hasMore = hasMore
        directory.entries = columns.map(\.entry)
        stored.removeAll()
        directory.encode(into: &stored)
        Key.column(
            segment: number, column: Column.attributeNames, page: 0, into: &key)
        batch.put(key, stored)
    }

    private mutating func column(named name: String) -> Slot? {
        if let known = numbers[name] { return columns[known] }
        guard columns.count < AttributeDirectory.mostNames,
            name.utf8.count <= AttributeDirectory.longestName
        else {
            hasMore = true
            return nil
        }
        let column = Slot(name)
        numbers[name] = columns.count
        columns.append(column)
        return column
    }

    /// Makes a column ready for the values of a document; false where it takes none.
    private mutating func begin(_ document: Int, in column: Slot) throws -> Bool {
        let page = UInt32(document / Column.pageSize)
        if page != column.page, let attribute = numbers[column.entry.name] {
            try writePage(attribute, column)
            column.page = page
        }
        guard column.entry.isWhole else { return false }
        guard column.builder.byteCount <= Self.largestPage else {
            column.entry.isWhole = false
            column.builder.removeAll()
            return false
        }
        column.builder.begin(document % Column.pageSize)
        return true
    }

    private mutating func writePage(_ attribute: Int, _ column: Slot) throws {
        guard !column.builder.isEmpty else { return }
        let first = Int(column.page) * Column.pageSize
        stored.removeAll()
        column.builder.encode(
            count: min(Column.pageSize, documentCount - first), into: &stored)
        Key.attributePage(segment: number, attribute: attribute, page: column.page, into: &key)
        batch.put(key, stored)
        column.entry.pages.append(column.page)
        column.builder.removeAll()
        if batch.byteCount >= SegmentWriter.batchSize { try store.commit(batch, sync: false) }
    }
}

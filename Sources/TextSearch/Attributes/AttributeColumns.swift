import Synchronization

/// The attribute columns of a segment that were asked for; they stay as long as the segment does.
struct AttributeColumns: Sendable {
    /// Nil until it was read.
    var directory: AttributeDirectory??
    /// Nil where no document has the attribute.
    var columns: [String: AttributeColumn?] = [:]
}

/// Where facets read the values of an attribute of a segment's documents.
enum AttributeSource: Sendable {
    case column(AttributeColumn)
    /// No column holds all of them.
    case records
    /// No document has the attribute.
    case nowhere

    fileprivate init(_ column: AttributeColumn?) { self = column.map { .column($0) } ?? .nowhere }
}

extension FlushedSegment {
    /// Which attribute columns there are; nil where no object has attributes. Read once, then kept.
    func attributeDirectory() throws -> AttributeDirectory? {
        try attributes.withLock { known in
            if let directory = known.directory { return directory }
            var key = Buffer<UInt8>(capacity: 16)
            Key.column(segment: number, column: Column.attributeNames, page: 0, into: &key)
            let directory = try store.withValue(key, .columns) { try AttributeDirectory($0) }
            known.directory = .some(directory)
            return directory
        }
    }

    /// Calls `body` with the pages of an attribute, and the relative number of the first document of each.
    func forEachAttributePage(
        _ attribute: Int, _ entry: AttributeDirectory.Entry,
        _ body: (_ start: Int, _ page: borrowing AttributePage) throws -> Void
    ) throws {
        var key = Buffer<UInt8>(capacity: 16)
        for page in entry.pages {
            let start = Int(page) * Column.pageSize
            let count = min(Column.pageSize, manifest.documentCount - start)
            Key.attributePage(segment: number, attribute: attribute, page: page, into: &key)
            let found: Void? = try store.withValue(key, .columns) { stored in
                guard count > 0 else { throw MalformedData() }
                try body(start, try AttributePage(stored, count: count))
            }
            if found == nil { throw TextIndexError.corrupted("attributes of segment \(number)") }
        }
    }

    /// The values of an attribute. Read once, then kept.
    ///
    /// - Throws: ``TextIndexError``; `SearchEnded` when the time is over before they are read.
    func attribute(_ name: String, _ clock: SearchClock) throws -> AttributeSource {
        guard let directory = try attributeDirectory() else { return .nowhere }
        guard case .column(let attribute) = directory.place(of: name) else {
            if case .records = directory.place(of: name) { return .records }
            return .nowhere
        }
        if let known = attributes.withLock({ $0.columns[name] }) { return AttributeSource(known) }
        var builder = AttributeColumnBuilder(documentCount: manifest.documentCount)
        try forEachAttributePage(attribute, directory.entries[attribute]) { start, page in
            if clock.check() { throw SearchEnded() }
            try builder.add(page, at: start)
        }
        let column = builder.finish()
        attributes.withLock { $0.columns[name] = column }
        return .column(column)
    }
}

extension MemorySegment {
    /// The values of an attribute. Put together once, then kept.
    func attribute(_ name: String) throws -> AttributeSource {
        guard documents.hasAttributes else { return .nowhere }
        if let known = attributes.withLock({ $0.columns[name] }) { return AttributeSource(known) }
        var builder = AttributeColumnBuilder(documentCount: documentCount)
        var scratch = Buffer<UInt8>()
        var isThere = false
        try IndexStore.translating(.objects) {
            for document in 0..<documentCount {
                try documents.withAttributes(of: document) { stored in
                    try AttributeBytes.forEach(UnsafeRawBufferPointer(stored)) { found, value in
                        guard String(decoding: found, as: UTF8.self) == name else { return }
                        isThere = true
                        try builder.add(value, of: document, scratch: &scratch)
                    }
                }
            }
        }
        let column = isThere ? builder.finish() : nil
        attributes.withLock { $0.columns[name] = .some(column) }
        return AttributeSource(column)
    }
}

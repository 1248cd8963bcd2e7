import Synchronization

/// The attribute columns of a segment that were asked for; they stay as long as the segment does.
struct AttributeColumns: Sendable {
    /// Of a flushed segment; nil until it was read.
    var directory: AttributeDirectory??
    /// The attributes of a segment in memory; nil until somebody asked.
    var names: Set<String>?
    /// Those of attributes that some document has: what else is asked for leaves nothing behind.
    var columns: [String: AttributeColumn] = [:]
}

/// Where facets read the values of an attribute of a segment's documents.
enum AttributeSource: Sendable {
    case column(AttributeColumn)
    /// No column holds all of them.
    case records
    /// No document has the attribute.
    case nowhere
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

    /// Calls `body` with the pages of an attribute, and the relative number of the first document
    /// of each.
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
        if let known = attributes.withLock({ $0.columns[name] }) { return .column(known) }
        var builder = AttributeColumnBuilder(documentCount: manifest.documentCount)
        try forEachAttributePage(attribute, directory.entries[attribute]) { start, page in
            try clock.work(1_024)
            try builder.add(page, at: start)
        }
        let column = try builder.finish(clock)
        attributes.withLock { $0.columns[name] = column }
        return .column(column)
    }
}

extension MemorySegment {
    /// The values of an attribute. Put together once, then kept.
    ///
    /// - Throws: ``TextIndexError``; `SearchEnded` when the time is over before they are.
    func attribute(_ name: String, _ clock: SearchClock) throws -> AttributeSource {
        guard documents.hasAttributes, try attributeNames(clock).contains(name) else {
            return .nowhere
        }
        if let known = attributes.withLock({ $0.columns[name] }) { return .column(known) }
        var builder = AttributeColumnBuilder(documentCount: documentCount)
        var scratch = Buffer<UInt8>()
        try forEachAttribute(clock) { document, found, value in
            guard found == name else { return }
            try builder.add(value, of: document, scratch: &scratch)
        }
        let column = try builder.finish(clock)
        attributes.withLock { $0.columns[name] = column }
        return .column(column)
    }

    /// Collected once, then kept.
    private func attributeNames(_ clock: SearchClock) throws -> Set<String> {
        if let known = attributes.withLock({ $0.names }) { return known }
        var names: Set<String> = []
        try forEachAttribute(clock) { _, name, _ in names.insert(name) }
        let found = names
        attributes.withLock { $0.names = found }
        return found
    }

    /// Calls `body` with each attribute of all documents, and the stored form of its value.
    private func forEachAttribute(
        _ clock: SearchClock,
        _ body: (_ document: Int, _ name: String, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try IndexStore.translating(.objects) {
            for document in 0..<documentCount {
                if document & 0xff == 0 { try clock.work(256) }
                try documents.withAttributes(of: document) { stored in
                    try AttributeBytes.forEach(UnsafeRawBufferPointer(stored)) { name, value in
                        try body(document, String(decoding: name, as: UTF8.self), value)
                    }
                }
            }
        }
    }
}

extension AttributeColumn {
    /// The values of some documents of a segment, from their records.
    ///
    /// - Throws: ``TextIndexError``; `SearchEnded` when the time is over before they are read.
    static func recorded(
        _ name: String, of wanted: ArraySlice<UInt32>, in documents: Range<UInt32>,
        _ store: IndexStore, _ clock: SearchClock
    ) throws -> AttributeColumn {
        let share = try MemoryShare(clock, documents.count * 8)
        defer { withExtendedLifetime(share) {} }
        var builder = AttributeColumnBuilder(documentCount: documents.count)
        var key = Buffer<UInt8>(capacity: 8)
        for document in wanted {
            // To read a record takes as long as that.
            try clock.work(64)
            Key.document(.objects, document, into: &key)
            let head = try store.withValue(key, .objects) { try RecordHead($0) }
            guard let head else {
                throw TextIndexError.corrupted("the record of document \(document)")
            }
            guard let value = head.attributes[name] else { continue }
            builder.add(value, of: Int(document - documents.lowerBound))
            try share.grow(to: documents.count * 8 + builder.byteCount)
        }
        return try builder.finish(clock)
    }
}

/// All entries of a flushed segment, each read by its own key: damage elsewhere in the store does
/// not matter.
struct SegmentEntries {
    let store: IndexStore
    let segment: Manifest.Segment

    /// Calls `body` with every entry.
    ///
    /// Throws what cannot be read, and at the end when the entries are not those that were written.
    func forEach(
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var digest: UInt64 = 0
        func take(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
            digest &+= EntryDigest.of(key, value)
            try body(key, value)
        }
        try forEachColumnPage(take)
        for part in try forEachPart(take) {
            try part.forEachTerm(where: { !part.hasInlinePostings(of: $0) }) { term, _ in
                try forEachPosting(of: term, take)
            }
        }
        try StoredStems(store: store).forEach(of: segment.number, take)
        guard digest == segment.digest else {
            throw TextIndexError.corrupted("segment \(segment.number)")
        }
    }

    private typealias Body = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void

    private func read(
        _ key: borrowing Buffer<UInt8>, _ table: Table, isOptional: Bool = false, _ body: Body
    ) throws {
        let found: Void? = try store.withValue(key, table) { value in
            try key.withBytes { try body($0, value) }
        }
        guard found != nil || isOptional else {
            throw TextIndexError.corrupted("the table '\(table)' of segment \(segment.number)")
        }
    }

    private func forEachColumnPage(_ body: Body) throws {
        var key = Buffer<UInt8>()
        for (column, pageSize, isOptional) in Column.all {
            for page in 0..<((segment.documentCount + pageSize - 1) / pageSize) {
                Key.column(
                    segment: segment.number, column: column, page: UInt32(page), into: &key)
                try read(key, .columns, isOptional: isOptional, body)
            }
        }
        Key.column(segment: segment.number, column: Column.formerLists, page: 0, into: &key)
        try read(key, .columns, isOptional: true, body)
        try forEachAttributePage(body)
    }

    private func forEachAttributePage(_ body: Body) throws {
        var key = Buffer<UInt8>()
        var directory = AttributeDirectory()
        Key.column(segment: segment.number, column: Column.attributeNames, page: 0, into: &key)
        try read(key, .columns, isOptional: true) { key, value in
            directory = try AttributeDirectory(value)
            try body(key, value)
        }
        for (attribute, entry) in directory.entries.enumerated() {
            for page in entry.pages {
                Key.attributePage(
                    segment: segment.number, attribute: attribute, page: page, into: &key)
                try read(key, .columns, body)
            }
        }
    }

    private func forEachPart(_ body: Body) throws -> [VocabularyPart] {
        var key = Buffer<UInt8>()
        var parts: [VocabularyPart] = []
        var termCount = 0
        while termCount < segment.termCount {
            Key.part(
                .vocabulary, segment: segment.number, part: UInt32(parts.count), into: &key)
            try read(key, .vocabulary) { key, value in
                parts.append(try VocabularyPart(value))
                try body(key, value)
            }
            termCount += parts.last?.termCount ?? 0
        }
        return parts
    }

    private func forEachPosting(of term: UnsafeBufferPointer<UInt8>, _ body: Body) throws {
        var key = Buffer<UInt8>()
        var chunk = PostingsChunk()
        Key.term(.postings, term, segment: segment.number, into: &key)
        try read(key, .postings) { key, value in
            try chunk.open(value)
            try body(key, value)
        }
        for page in 0..<chunk.pageCount {
            Key.positions(term, segment: segment.number, page: page, into: &key)
            try read(key, .positions, body)
        }
    }
}

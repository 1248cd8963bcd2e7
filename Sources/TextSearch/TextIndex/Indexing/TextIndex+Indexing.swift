public import Foundation

extension TextIndex {
    /// Indexes an object. If its identifier is known, it replaces the earlier version.
    ///
    /// The identifier is fetched at once, the text on a thread of ``indexingQueue`` or on one that
    /// waits for the operation.
    ///
    /// - Parameter object: the object.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func indexObject(_ object: Object) -> IndexingOperation {
        let handover = Handover(object)
        return submit(for: object) { [unowned self] identifier, operation in
            let data = Data(identifier)
            guard let indexed = try indexedObject(for: handover.value, identifier: data) else {
                return .removals([identifier])
            }
            try check(indexed)
            let documents = AnalysedDocuments(under: writer.snapshot) { [unowned operation] in
                var builder = SegmentBuilder(analyzer: $0)
                builder.add(indexed, identifier: identifier)
                let segment = builder.freeze()
                operation.setDistinctTermCount(segment.terms.count)
                return segment
            }
            guard documents.segment.textByteCount < JournalEntry.largestText else {
                return .largeDocuments(documents, isBulk: false)
            }
            return .documents(documents, journal: [JournalEntry.encode(indexed)])
        }
    }

    /// Indexes an object again; the same as ``indexObject(_:)``.
    ///
    /// - Parameter object: the object.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func updateIndex(for object: Object) -> IndexingOperation { indexObject(object) }

    /// Removes an object. An object that is not in the index is no error.
    ///
    /// - Parameter object: the object.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func removeIndex(for object: Object) -> IndexingOperation {
        submit(for: object) { identifier, _ in .removals([identifier]) }
    }

    /// Removes the object with an identifier. One that is not in the index is no error.
    ///
    /// - Parameter identifier: the identifier.
    /// - Returns: The operation, already in the queue.
    @discardableResult
    public func removeIndex(forIdentifier identifier: Data) -> IndexingOperation {
        submit(identifier: Result { identifier }) { identifier, _ in .removals([identifier]) }
    }

    /// Removes all objects, and returns when they are gone.
    ///
    /// - Throws: ``TextIndexError``.
    public func removeAll() throws {
        let operation = try submitRemovalOfAll()
        operation.waitUntilFinished()
        if let error = operation.error { throw error }
    }

    func submitRemovalOfAll() throws -> IndexingOperation {
        try usage.beginWork()
        let operation = submit(identifier: []) { _ in .removalOfAll }
        operation.onResolve { [usage] in usage.endWork() }
        return operation
    }

    private func submit(
        for object: Object,
        _ work: @escaping @Sendable ([UInt8], IndexingOperation) throws -> PreparedWork
    ) -> IndexingOperation {
        submit(identifier: Result { try identifier(for: object) }, work)
    }

    func submit(
        identifier: Result<Data, any Error>,
        _ work: @escaping @Sendable ([UInt8], IndexingOperation) throws -> PreparedWork
    ) -> IndexingOperation {
        submit(about: Result { try checked(identifier: try identifier.get()) }, work)
    }

    /// Submits work on an object, by its identifier, or on none: the identifier is empty then.
    func submit(
        about checked: Result<[UInt8], any Error>,
        _ work: @escaping @Sendable ([UInt8], IndexingOperation) throws -> PreparedWork
    ) -> IndexingOperation {
        do {
            try usage.beginWork()
        } catch {
            return rejected(error)
        }
        let operation = submit(identifier: (try? checked.get()) ?? []) { operation in
            try work(try checked.get(), operation)
        }
        operation.onResolve { [self] in usage.endWork() }
        return operation
    }

    /// An operation that fails without having touched the index.
    private func rejected(_ error: any Error) -> IndexingOperation {
        let operation = IndexingOperation(
            identifier: [], sequencer: sequencer, queue: nil
        ) { _ in throw error }
        operation.resolve(.failure(error))
        operation.start()
        return operation
    }

    /// The bytes of an identifier that may be one.
    func checked(identifier: Data) throws -> [UInt8] {
        try check(identifier: identifier)
        return Array(identifier)
    }

    func check(identifier: Data) throws {
        let largest = min(max(configuration.maximumIdentifierLength, 1), 4096)
        guard !identifier.isEmpty, identifier.count <= largest else {
            throw TextIndexError(
                .invalidArgument,
                "An identifier has 1 to \(largest) bytes; this one has \(identifier.count).")
        }
    }

    /// Whether the configuration allows an object to be indexed.
    package func isIndexable(_ object: IndexedObject) -> Bool {
        (try? check(object)) != nil
    }

    /// Checks what an object says of itself.
    ///
    /// - Returns: How large it is.
    @discardableResult
    func check(_ object: IndexedObject) throws -> ObjectSize {
        guard !object.weight.isNaN else {
            throw TextIndexError(.invalidArgument, "An object's weight must not be NaN.")
        }
        var size = ObjectSize()
        if !object.context.isEmpty || !object.attributes.isEmpty {
            size.values = try checkValues(of: object)
        }
        guard object.strings.count <= configuration.maximumStringCount else {
            throw TextIndexError(
                .limitExceeded,
                "The object has \(object.strings.count) strings; maximumStringCount is \(configuration.maximumStringCount)."
            )
        }
        var (longest, length) = (0, 0)
        for string in object.strings {
            longest = max(longest, string.utf8.count)
            length += string.utf8.count
        }
        guard longest <= configuration.maximumStringLength else {
            throw TextIndexError(
                .limitExceeded,
                "A string of the object has \(longest) bytes; maximumStringLength is \(configuration.maximumStringLength)."
            )
        }
        guard length <= configuration.maximumTextLength else {
            throw TextIndexError(
                .limitExceeded,
                "The object has \(length) bytes of text; maximumTextLength is \(configuration.maximumTextLength)."
            )
        }
        size.text = length
        if size.text + size.values > Self.smallestDoubtful { try checkRecord(of: object) }
        return size
    }

    /// A smaller object has a record that the store takes, whatever its words are.
    private static var smallestDoubtful: Int { 8 << 20 }

    /// What the record of an object, an entry of its own, may take: the rest of the store's 64 MiB
    /// is of what lies beside it in a batch.
    private static var largestRecord: Int { 54 << 20 }

    /// Where each word begins depends on the words: what that takes is only known once they are
    /// found.
    private func checkRecord(of object: IndexedObject) throws {
        var builder = SegmentBuilder(analyzer: writer.snapshot.analyzer)
        builder.add(object, identifier: [])
        let size = builder.freeze().documents.withRecord(of: 0) { $0.count }
        guard size <= Self.largestRecord else {
            throw TextIndexError(
                .limitExceeded,
                "The record of the object has \(size) bytes; \(Self.largestRecord) are taken. Index its text as several objects."
            )
        }
    }

    /// How deeply the values of an object may nest: one that holds no others is a level, an array
    /// of it two.
    private static var mostLevels: Int { 60 }

    /// The bytes of its context and attributes.
    private func checkValues(of object: IndexedObject) throws -> Int {
        let values =
            Array(object.context.values) + object.attributes.values.map(\.asContext)
        let names = object.context.keys.reduce(0) { $0 + $1.utf8.count }
        let size = values.reduce(names) { $0 + $1.byteCount }
        guard size <= configuration.maximumContextLength,
            values.allSatisfy({ $0.depth <= Self.mostLevels })
        else {
            throw TextIndexError(
                .limitExceeded,
                """
                The object's context and attributes have \(size) bytes or are nested too deeply; \
                maximumContextLength is \(configuration.maximumContextLength), \(Self.mostLevels) levels are taken.
                """)
        }
        return size
    }
}

public import Foundation
import Synchronization

/// An index of items that belong to domains and may expire, in the shape of Core Spotlight's.
///
/// ```swift
/// let items = try ItemIndex(at: directory)
/// let lunch = SearchableItem(id: "1", domain: "mail.inbox", attributes: .init(title: "Lunch"))
/// try await items.index([lunch])
/// try await items.delete(domains: ["mail"])
/// for item in try await items.items(matching: "title == 'lun*'cd") { print(item.id) }
/// ```
///
/// What returns has taken effect and is durable as ``TextIndexConfiguration/durability`` says. An
/// item that has expired is never found.
///
/// Ranked searches, facets and suggestions are those of ``index``; expired items are in it until
/// the next call of this type.
///
/// **Thread safety**: everything may be called from any thread. Changes take effect one call after
/// the other.
public final class ItemIndex: Sendable {
    /// The index that holds the items.
    public let index: TextIndex<SearchableItem>

    private let work = SerialTasks()
    private let now: @Sendable () -> Date
    /// The time.
    var moment: Date { now() }
    /// The first moment at which an item expires, as far as it is known; the distant future for
    /// never.
    private let nextExpiration = Mutex<Date?>(nil)
    private static let stateName = "items"

    /// Opens an index of items, or makes one.
    ///
    /// - Parameters:
    ///   - directory: a folder that belongs to the index alone.
    ///   - configuration: how to analyse text; its fields are those of
    ///     ``ItemAttributes/textNames``.
    ///   - now: tells the time.
    /// - Throws: ``TextIndexError``, as opening an index does.
    public init(
        at directory: URL, configuration: TextIndexConfiguration = .init(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        var configuration = configuration
        configuration.fields = ItemAttributes.textNames
        index = try TextIndex(at: directory, configuration: configuration)
        self.now = now
        index.identifier = { Data($0.id.utf8) }
        index.indexer = { item, _ in try item.indexed() }
        let index = index
        index.objectGetter = { [weak index] in try index?.item(for: $0).map { SearchableItem($0) } }
    }

    // MARK: Changes

    /// Indexes items in place of those of the same identifiers. All take effect together if they
    /// have less than 256 KB of text.
    ///
    /// - Parameter items: the items.
    /// - Throws: ``TextIndexError``: `.invalidArgument` for an update of an item that is not there,
    ///   and for an attribute whose name is taken (``ItemAttributes/values``); `.limitExceeded` for
    ///   an item that is larger than the configuration allows: nothing is changed then; `.closed`,
    ///   `.diskFull`, `.io`.
    public func index(_ items: [SearchableItem]) async throws {
        try await change { $0.index(items) }
    }

    /// Deletes items; those that are not there are passed over.
    ///
    /// - Parameter identifiers: those of the items.
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.io`.
    public func delete(identifiers: [String]) async throws {
        try await change { $0.delete(identifiers: identifiers) }
    }

    /// Deletes all items of domains, and of the domains within them: `mail` with `mail.inbox`, but
    /// neither `mail2` nor `Mail.inbox`.
    ///
    /// - Parameter domains: the domains.
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.io`.
    public func delete(domains: [String]) async throws {
        try await change { $0.delete(domains: domains) }
    }

    /// Deletes all items, and forgets the state.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.io`.
    public func deleteAll() async throws {
        try await work.run { [index] in try await Lane.calls.run { try index.removeAll() } }
    }

    /// Makes changes that belong together, and stores what stands for them: after a crash either
    /// both are there or neither is.
    ///
    /// ```swift
    /// let known = try items.lastClientState
    /// try await items.batch(expecting: .some(known), storing: position) { batch in
    ///     batch.index(changed)
    ///     batch.delete(identifiers: gone)
    /// }
    /// ```
    ///
    /// Changes of more than 256 KB of text are committed in parts, and the state with the last one.
    ///
    /// - Parameters:
    ///   - expected: what must be stored before; nil takes anything, an inner nil nothing stored.
    ///   - state: what to store, 8,192 bytes at most.
    ///   - body: makes the changes.
    /// - Throws: ``TextIndexError``: `.mismatchedClientState` where another state is stored; as
    ///   ``index(_:)`` does; what `body` throws.
    public func batch(
        expecting expected: Data?? = nil, storing state: Data,
        _ body: @escaping @Sendable (inout ItemBatch) throws -> Void
    ) async throws {
        try await change(
            mark: ClientState(Self.stateName, state, expecting: expected), body)
    }

    /// The state of the last batch; nil when there is none.
    public var lastClientState: Data? {
        get throws { try index.clientState(named: Self.stateName) }
    }

    private func change(
        mark: ClientState? = nil, _ body: @escaping @Sendable (inout ItemBatch) throws -> Void
    ) async throws {
        try await work.run {
            var batch = ItemBatch()
            try body(&batch)
            let resolved = try self.resolved(batch)
            var changes = try resolved.changes.map(self.checked)
            if let mark { changes.append(.mark(mark)) }
            guard !changes.isEmpty else { return }
            self.expect(resolved.earliest)
            let report = try await self.index.apply(read: changes)
            if let failure = report.failures.first { throw failure.error }
        }
    }

    /// What a change puts into the index; throws where an item cannot be indexed, so that nothing
    /// is changed then.
    private func checked(_ change: IndexChange<SearchableItem>) throws -> ReadChange {
        switch change {
        case .index(let item, _):
            let (identifier, object) = (Data(item.id.utf8), try item.indexed())
            try index.check(identifier: identifier)
            try index.check(object)
            return .index(object, identifier)
        case .remove(let identifier): return .remove(identifier)
        case .mark(let mark): return .mark(mark)
        }
    }

    /// Finds the items that are updated and those of domains.
    private func resolved(
        _ batch: ItemBatch
    ) throws -> (changes: [IndexChange<SearchableItem>], earliest: Date?) {
        var pending = PendingItems()
        for change in batch.changes {
            switch change {
            case .index(let item):
                let identifier = Data(item.id.utf8)
                guard item.isUpdate else {
                    pending.set(identifier, item)
                    continue
                }
                guard let known = try pending.items[identifier] ?? self.item(id: item.id) else {
                    throw TextIndexError(
                        .invalidArgument, "An item that is to be updated is not in the index.")
                }
                pending.set(identifier, known.updated(by: item))
            case .deleteItem(let id): pending.set(Data(id.utf8), nil)
            case .deleteDomain(let name):
                let domain = ItemDomain(name)
                for (identifier, item) in pending.items {
                    if let own = item?.domain, domain.contains(own) { pending.set(identifier, nil) }
                }
                for identifier in try index.identifiers(for: .filter(domain.query))
                where pending.items[identifier] == nil {
                    pending.set(identifier, nil)
                }
            }
        }
        return (pending.changes, pending.items.values.compactMap { $0?.expirationDate }.min())
    }

    /// What a batch comes to, in the order in which items are first named. Strings that are equal
    /// may have different bytes: those are other identifiers.
    private struct PendingItems {
        /// Nil for what is deleted.
        private(set) var items: [Data: SearchableItem?] = [:]
        private var order: [Data] = []

        mutating func set(_ identifier: Data, _ item: SearchableItem?) {
            if items.updateValue(item, forKey: identifier) == nil { order.append(identifier) }
        }

        var changes: [IndexChange<SearchableItem>] {
            order.map { identifier in
                (items[identifier] ?? nil).map { .index($0) } ?? .remove(identifier)
            }
        }
    }

    // MARK: Expiry

    private func expect(_ date: Date?) {
        guard let date else { return }
        nextExpiration.withLock { next in
            if let known = next { next = min(known, date) }
        }
    }

    /// Removes items that have expired. Every call that reads does this first; it costs nothing
    /// until one has.
    ///
    /// - Returns: How many were removed.
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.io`.
    @discardableResult
    public func purgeExpired() async throws -> Int {
        if let next = nextExpiration.withLock({ $0 }), next > now() { return 0 }
        return try await work.run { try await self.purge() }
    }

    private func purge() async throws -> Int {
        let name = SearchableItem.Names.expiration
        let expired = AttributeComparison.lessOrEqual(AttributeValue.date(now()))
        let report = try await index.removeObjects(matching: .attribute(name, expired))
        let ranking = Ranking.sorted(by: [.attribute(name, .ascending)])
        let next = try await index.search(.attribute(name, .exists), limit: 1, ranking: ranking)
        var date = Date.distantFuture
        if let first = next.items.first, case .date(let found) = first.attributes[name] {
            date = found
        }
        nextExpiration.withLock { $0 = date }
        return report.removedCount
    }

    /// Closes the index.
    ///
    /// - Throws: ``TextIndexError`` when the last writes failed.
    public func close() async throws {
        await work.finished()
        try await Lane.calls.run { [index] in try index.close() }
    }
}

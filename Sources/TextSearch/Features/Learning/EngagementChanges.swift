/// Something to remember or to forget, as an operation has made it ready for the writer.
enum EngagementChange: Sendable {
    case record(identifier: [UInt8], query: [UInt8], StoredEngagement)
    case forgetObject([UInt8])
    /// What was strengthened last before a time, in seconds since the reference date; nil for all.
    case forgetQueries([[UInt8]], before: Double?)
    case forgetAll
}

/// The changes of a group commit to both tables of engagements, which stay each other's mirror.
///
/// Nothing is written before `put(into:_:)`. Belongs to one thread.
struct EngagementChanges {
    private struct Slot<Entry: EngagementEntry> {
        /// The digest of the stored entry, if there is one.
        var before: UInt64?
        var entry: Entry
    }

    private var queries: [[UInt8]: Slot<QueryEngagements>] = [:]
    private var objects: [[UInt8]: Slot<EngagedObject>] = [:]
    private var forgetsAll = false

    var isEmpty: Bool { queries.isEmpty && objects.isEmpty && !forgetsAll }

    /// Whether it only takes away.
    private(set) var onlyForgets = true

    // MARK: Entries

    private mutating func load(
        query: [UInt8], object: [UInt8], _ store: IndexStore
    ) throws {
        try Self.load(query, &queries, isStored: !forgetsAll, store)
        try Self.load(object, &objects, isStored: !forgetsAll, store)
    }

    private static func load<Entry>(
        _ name: [UInt8], _ slots: inout [[UInt8]: Slot<Entry>], isStored: Bool,
        _ store: IndexStore
    ) throws {
        guard slots[name] == nil else { return }
        let stored = isStored ? try Entry.stored(name, in: store) : nil
        slots[name] = Slot(before: stored?.digest, entry: stored?.entry ?? Entry())
    }

    // MARK: Changes

    /// Adds to what is left of the engagement of an object with a query.
    mutating func record(
        _ identifier: [UInt8], _ query: [UInt8], _ new: StoredEngagement,
        _ settings: LearningSettings, _ store: IndexStore
    ) throws {
        try load(query: query, object: identifier, store)
        onlyForgets = false
        var sum = new
        if let old = queries[query]?.entry.objects[identifier] {
            sum.time = max(old.time, new.time)
            sum.strength =
                settings.decayed(old.strength, after: sum.time - old.time)
                + settings.decayed(new.strength, after: sum.time - new.time)
        }
        // Of what is long past nothing may be left.
        sum.strength = min(max(sum.strength, .leastNormalMagnitude), Self.greatestStrength)
        queries[query]?.entry.objects[identifier] = sum
        objects[identifier]?.entry.queries[query] = sum.time
        try makeRoom(besides: identifier, query, settings, store)
    }

    /// Sums stay numbers.
    static let greatestStrength = 1e12

    private mutating func makeRoom(
        besides identifier: [UInt8], _ query: [UInt8], _ settings: LearningSettings,
        _ store: IndexStore
    ) throws {
        let others = queries[query]?.entry.objects ?? [:]
        if others.count > max(settings.maximumObjects, 1) {
            let now = others.values.reduce(-Double.infinity) { max($0, $1.time) }
            let weakest = others.filter { $0.key != identifier }.map {
                (settings.decayed($0.value.strength, after: now - $0.value.time), $0.key)
            }.min { Self.precedes($0, $1) }
            if let weakest { try forget(weakest.1, query, store) }
        }
        let known = objects[identifier]?.entry.queries ?? [:]
        if known.count > max(settings.maximumQueries, 1) {
            let oldest = known.filter { $0.key != query }.map { ($0.value, $0.key) }
                .min { Self.precedes($0, $1) }
            if let oldest { try forget(identifier, oldest.1, store) }
        }
    }

    private static func precedes(_ a: (Double, [UInt8]), _ b: (Double, [UInt8])) -> Bool {
        a.0 != b.0 ? a.0 < b.0 : a.1.lexicographicallyPrecedes(b.1)
    }

    private mutating func forget(
        _ identifier: [UInt8], _ query: [UInt8], _ store: IndexStore
    ) throws {
        try load(query: query, object: identifier, store)
        queries[query]?.entry.objects[identifier] = nil
        objects[identifier]?.entry.queries[query] = nil
    }

    /// Forgets an object.
    mutating func forget(_ identifier: [UInt8], _ store: IndexStore) throws {
        try Self.load(identifier, &objects, isStored: !forgetsAll, store)
        for query in objects[identifier]?.entry.queries.keys.map({ $0 }) ?? [] {
            try forget(identifier, query, store)
        }
    }

    /// Forgets the objects of a query, or those that were chosen last before a time.
    mutating func forgetObjects(
        ofQuery query: [UInt8], before time: Double?, _ store: IndexStore
    ) throws {
        try Self.load(query, &queries, isStored: !forgetsAll, store)
        for (identifier, engagement) in queries[query]?.entry.objects ?? [:]
        where time.map({ engagement.time < $0 }) ?? true {
            try forget(identifier, query, store)
        }
    }

    /// Forgets everything, the earlier changes of the group too.
    mutating func forgetAll() {
        queries = [:]
        objects = [:]
        forgetsAll = true
        onlyForgets = true
    }

    // MARK: Writing

    /// Writes the changes into a batch.
    ///
    /// - Returns: What the tables add up to then.
    func put(
        into batch: StoreBatch, _ before: EngagementTotals, _ store: IndexStore
    ) throws -> EngagementTotals {
        var totals = before
        if forgetsAll {
            for table in [Table.engagements, .engagedObjects] {
                try store.makeCursor(fillCache: false).forEach(in: table) { key, _ in
                    batch.delete(key)
                    return true
                }
            }
            totals = EngagementTotals()
        }
        Self.put(queries, into: batch, &totals)
        Self.put(objects, into: batch, &totals)
        if totals != before { totals.put(into: batch) }
        return totals
    }

    private static func put<Entry>(
        _ slots: [[UInt8]: Slot<Entry>], into batch: StoreBatch, _ totals: inout EngagementTotals
    ) {
        for (name, slot) in slots {
            let key = Entry.key(name)
            if let before = slot.before { totals.remove(before) }
            if slot.entry.isEmpty {
                if slot.before != nil { key.withUnsafeBytes { batch.delete($0) } }
                continue
            }
            let value = slot.entry.sealed(under: key)
            totals.insert(
                key.withUnsafeBytes { key in
                    value.withUnsafeBytes { EntryDigest.of(key, $0) }
                })
            batch.put(key, value)
        }
    }
}

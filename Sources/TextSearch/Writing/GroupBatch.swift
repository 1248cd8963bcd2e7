/// A group commit in the making: journaled documents and removals that become durable together.
///
/// Document numbers are taken as work is added; nothing else of the state changes before `commit`.
struct GroupBatch {
    private let batch = StoreBatch()
    private var parts: [PlacedSegment] = []
    private var died: Set<UInt32> = []
    /// With a removal of everything: the first document that comes after it.
    private var firstAfterRemoval: UInt32?
    /// Documents of the group that were removed again: no segment will hold them.
    private var undone: [UInt32] = []
    private var engagements = EngagementChanges()
    private var clientStates: ClientStates.Values = [:]

    /// Bytes that are to be written so far.
    var byteCount: Int { batch.byteCount }

    var removesAll: Bool { firstAfterRemoval != nil }

    var isEmpty: Bool {
        parts.isEmpty && died.isEmpty && !removesAll && engagements.isEmpty && clientStates.isEmpty
    }

    mutating func add(
        _ work: PreparedWork, to state: inout IndexWriter.State, _ writer: IndexWriter
    ) throws {
        switch work {
        case .nothing, .largeDocuments, .matchingRemovals: break
        case .changes(let changes): try add(changes, to: &state, writer)
        case .documents(let documents, let journal):
            let segment = documents.segment(state.analyzer, number: state.analyzerNumber)
            try add(segment, journal: journal, to: &state, writer)
        case .removals(let identifiers): try remove(identifiers, from: state, writer)
        case .engagement(let change): try add(change, to: &state, writer)
        case .removalOfAll:
            // What the group did so far is undone by it too. What it journaled lies below the
            // watermark.
            for part in parts { undone += part.documents }
            parts = []
            firstAfterRemoval = state.nextDocument
            engagements.forgetAll()
        }
    }

    private mutating func add(
        _ changes: PreparedChanges, to state: inout IndexWriter.State, _ writer: IndexWriter
    ) throws {
        try remove(changes.removals, from: state, writer)
        if let documents = changes.documents {
            let segment = documents.segment(state.analyzer, number: state.analyzerNumber)
            try add(segment, journal: changes.journal, to: &state, writer)
        }
        for change in changes.states {
            let (name, value) = (Array(change.name.utf8), Array(change.value))
            clientStates[name] = value
            batch.putClientState(name, value)
        }
    }

    private mutating func remove(
        _ identifiers: [[UInt8]], from state: borrowing IndexWriter.State, _ writer: IndexWriter
    ) throws {
        var lookup = IdentifierLookup(store: writer.store)
        let hasEngagements = !state.engagements.isEmpty || !engagements.isEmpty
        for identifier in identifiers {
            try identifier.withUnsafeBufferPointer {
                if let old = try find($0, in: state, &lookup) { bury(old) }
            }
            if hasEngagements { try engagements.forget(identifier, writer.store) }
        }
    }

    private mutating func add(
        _ change: EngagementChange, to state: inout IndexWriter.State, _ writer: IndexWriter
    ) throws {
        let store = writer.store
        switch change {
        case .record(let identifier, let query, let engagement):
            var lookup = IdentifierLookup(store: store)
            let document = try identifier.withUnsafeBufferPointer {
                try find($0, in: state, &lookup)
            }
            guard document != nil else { return }
            try engagements.record(
                identifier, query, engagement, writer.configuration.learning, store)
        case .forgetObject(let identifier): try engagements.forget(identifier, store)
        case .forgetQueries(let queries, let time):
            for query in queries {
                try engagements.forgetObjects(ofQuery: query, before: time, store)
            }
        case .forgetAll: engagements.forgetAll()
        }
    }

    private mutating func add(
        _ segment: MemorySegment, journal: [[UInt8]], to state: inout IndexWriter.State,
        _ writer: IndexWriter
    ) throws {
        let base = try IndexWriter.take(segment.documentCount, &state)
        var lookup = IdentifierLookup(store: writer.store)
        for index in 0..<segment.documentCount {
            let document = base + UInt32(index)
            try segment.documents.withIdentifier(of: index) { identifier in
                Result {
                    if let old = try find(identifier, in: state, &lookup) { bury(old) }
                    batch.putIdentifier(identifier, document)
                }
            }.get()
            segment.documents.withRecord(of: index) { batch.putSealed(.objects, document, $0) }
            if index < journal.count {
                journal[index].withUnsafeBytes { batch.putSealed(.journal, document, $0) }
            }
        }
        segment.identifierTable.superseded.withElements {
            for document in $0 { bury(base + document) }
        }
        parts.append(
            PlacedSegment(segment: segment, firstDocument: base, isJournaled: true))
    }

    private mutating func bury(_ document: UInt32) {
        died.insert(document)
        batch.putTombstone(document)
    }

    /// The living document of an identifier after what the group has done so far.
    private func find(
        _ identifier: UnsafeBufferPointer<UInt8>, in state: borrowing IndexWriter.State,
        _ lookup: inout IdentifierLookup
    ) throws -> UInt32? {
        let probe = IdentifierProbe(identifier)
        for part in parts.reversed() {
            if let found = part.segment.identifierTable.document(
                for: probe, in: part.segment.documents)
            {
                let document = part.firstDocument + found
                return died.contains(document) ? nil : document
            }
        }
        guard !removesAll, state.hasDocuments else { return nil }
        guard let found = try lookup.document(for: identifier, in: state) else { return nil }
        return died.contains(found) ? nil : found
    }

    /// Writes the batch and puts its effects into the state.
    func commit(to state: inout IndexWriter.State, _ writer: IndexWriter) throws {
        var manifest = state.manifest
        if let firstAfterRemoval {
            manifest.retired += state.flushed.map(\.number)
            manifest.segments = []
            manifest.watermark = firstAfterRemoval
            manifest.nextDocument = state.nextDocument
            batch.put(Manifest.key, manifest.encoded())
        }
        if removesAll {
            // They stood for objects that are gone.
            for name in state.clientStates.keys { batch.deleteClientState(name) }
        }
        let living = living(after: state.living)
        batch.put(LivingDocuments.key, living.encoded())
        let totals = try engagements.put(into: batch, state.engagements, writer.store)
        if parts.isEmpty, engagements.onlyForgets { batch.useReserve() }
        try writer.store.commit(batch, sync: writer.isSynced)
        state.living = living
        state.engagements = totals
        if removesAll { state.clientStates = [:] }
        state.clientStates.merge(clientStates) { $1 }
        if removesAll {
            let replaced = state.flushed.map { segment in
                (segment, segment.manifest.documents.filter { !state.rebuilt.owns($0) })
            }
            let gone = state.memory.flatMap { Array($0.documents) } + undone
            state.manifest = manifest
            state.flushed = []
            state.memory = []
            state.dead = Tombstones()
            writer.merger.retire(replaced, documents: gone, in: &state)
        }
        state.dead.insert(died.sorted())
        state.memory += parts
        writer.flusher.mergeMemory(&state)
    }

    private func living(after before: LivingDocuments) -> LivingDocuments {
        var living = removesAll ? LivingDocuments() : before
        for part in parts {
            for document in part.documents { living.insert(document) }
        }
        // What died before everything was removed counts no more.
        let counts = { (document: UInt32) in
            !removesAll || parts.contains { $0.documents.contains(document) }
        }
        for document in died where counts(document) { living.remove(document) }
        return living
    }
}

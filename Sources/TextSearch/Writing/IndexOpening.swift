import Foundation

/// Brings an index back to the state of its last commit.
enum IndexOpening {
    static let fingerprintKey = Key.meta("analyzer")

    /// Does the same as `load`, and says of damage that no file by itself shows where it is to be
    /// looked for.
    static func loadWhole(
        _ store: IndexStore, _ analyzer: Analyzer, _ configuration: TextIndexConfiguration,
        _ caches: SearchCaches
    ) throws -> IndexWriter.State {
        do {
            return try load(store, analyzer, configuration, caches)
        } catch let error as TextIndexError
            where error.code == .corrupted && error.underlying == nil
        {
            throw TextIndexError(
                .corrupted, "\(error.message) The files that CURRENT leads to do not fit together.")
        }
    }

    /// Reads manifest and tombstones and replays the journal.
    ///
    /// Complexity: linear in the tombstones and in the text of the journal.
    static func load(
        _ store: IndexStore, _ analyzer: Analyzer, _ configuration: TextIndexConfiguration,
        _ caches: SearchCaches
    ) throws -> IndexWriter.State {
        var state = IndexWriter.State(analyzer, caches)
        if let stored = try store.value(Manifest.key) {
            state.manifest = try IndexStore.translating(.meta) {
                try stored.withUnsafeBytes { try Manifest($0) }
            }
            try compareFingerprint(store, configuration, &state)
        } else {
            try create(store, analyzer)
        }
        for segment in state.manifest.segments {
            let missing = try FlushedSegment.missingDocuments(of: segment, in: store)
            state.dead.insert(missing)
            state.flushed.append(
                FlushedSegment(segment, missingCount: missing.count, store: store, state.caches))
        }
        for segment in state.manifest.rebuilt {
            let missing = try FlushedSegment.missingDocuments(of: segment, in: store)
            state.rebuilt.append(
                FlushedSegment(segment, missingCount: missing.count, store: store, state.caches),
                missing: missing)
        }
        try replayJournal(store, &state)
        try loadTombstones(store, &state)
        try compareLiving(store, &state)
        state.engagements = try EngagementTotals(storedIn: store)
        state.clientStates = try ClientStates.stored(in: store)
        try findNextNumbers(store, &state)
        return state
    }

    private static func create(_ store: IndexStore, _ analyzer: Analyzer) throws {
        // A store that holds anything had a manifest: without it, tables are lost.
        let cursor = try store.makeCursor(fillCache: false)
        try cursor.seek(to: [])
        guard !cursor.isValid else { throw TextIndexError.corrupted("the manifest") }
        try store.beginWriting()
        let batch = StoreBatch()
        batch.put(fingerprintKey, encode(analyzer.fingerprint))
        batch.put(Manifest.key, Manifest().encoded())
        batch.put(LivingDocuments.key, LivingDocuments().encoded())
        batch.put(Key.identifiersEnd, [])
        try store.commit(batch, sync: true)
    }

    // MARK: Analysis settings

    static func encode(_ fingerprint: [String: String]) -> [UInt8] {
        var output = Buffer<UInt8>()
        output.appendVarint(fingerprint.count)
        for (name, value) in fingerprint.sorted(by: { $0.key < $1.key }) {
            output.appendPrefixed(Array(name.utf8))
            output.appendPrefixed(Array(value.utf8))
        }
        return output.toArray()
    }

    /// The state's analyzer becomes the one to use with what is stored, when there is one.
    private static func compareFingerprint(
        _ store: IndexStore, _ configuration: TextIndexConfiguration,
        _ state: inout IndexWriter.State
    ) throws {
        let analyzer = state.analyzer
        guard let bytes = try store.value(fingerprintKey) else {
            throw TextIndexError.corrupted("the analysis settings")
        }
        let stored = try IndexStore.translating(.meta) {
            try bytes.withUnsafeBytes { bytes in
                var reader = ByteReader(bytes)
                var stored: [String: String] = [:]
                for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
                    let name = String(decoding: try reader.prefixed(), as: UTF8.self)
                    stored[name] = String(decoding: try reader.prefixed(), as: UTF8.self)
                }
                return stored
            }
        }
        let names = Set(stored.keys).union(analyzer.fingerprint.keys).sorted()
        let different = names.filter { stored[$0] != analyzer.fingerprint[$0] }
        guard !different.isEmpty else { return }
        if configuration.indexesStopWords {
            var before = configuration
            before.indexesStopWords = false
            let previous = Analyzer(before)
            if previous.fingerprint == stored {
                state.fingerprint = stored
                state.analyzer = previous
                return
            }
        }
        if configuration.reopensForRebuild {
            state.fingerprint = stored
            if let previous = configuration.previousAnalysis?.analyzer,
                previous.fingerprint == stored
            {
                state.analyzer = previous
            }
            return
        }
        let list = different.map {
            "\($0) (stored: \(stored[$0] ?? "none"), asked for: \(analyzer.fingerprint[$0] ?? "none"))"
        }
        throw TextIndexError(
            .configurationMismatch,
            """
            The index was built with other analysis settings: \(list.joined(separator: "; ")). Open it with \
            the stored ones, or set reopensForRebuild in the configuration and call rebuild().
            """)
    }

    // MARK: Journal

    /// Documents committed since the last flush become memory segments again, one for each run of
    /// numbers.
    private static func replayJournal(
        _ store: IndexStore, _ state: inout IndexWriter.State
    ) throws {
        let analyzer = state.analyzer
        let watermark = state.manifest.watermark
        let cursor = try store.makeCursor(fillCache: false)
        var builder: SegmentBuilder?
        var first: UInt32 = 0
        var next: UInt32 = 0
        var key = Buffer<UInt8>()
        func finish(_ builder: inout SegmentBuilder?) {
            guard let built = builder.take() else { return }
            state.memory.append(
                PlacedSegment(
                    segment: built.freeze(), firstDocument: first, isJournaled: true))
        }
        try cursor.forEach(in: .journal, from: Key.document(.journal, watermark)) { entry, value in
            let document = try Key.lastNumber(entry)
            if document != next || builder?.textByteCount ?? 0 > 1 << 20 { finish(&builder) }
            if builder == nil {
                builder = SegmentBuilder(analyzer: analyzer, slotBits: 12)
                first = document
            }
            // No document has the last number: after it there would be no next one.
            guard document < .max else { throw TextIndexError.corrupted("the journal") }
            next = document + 1
            Key.document(.objects, document, into: &key)
            guard let record = try store.withValue(key, .objects, { try ObjectRecord($0) }) else {
                throw TextIndexError.corrupted("the journal")
            }
            var object = try JournalEntry.decode(try Seal.content(entry, value))
            object.weight = record.weight
            object.attributes = record.attributes
            builder?.add(object, identifier: Array(record.identifier))
            return true
        }
        finish(&builder)
        state.nextDocument = next
    }

    private static func loadTombstones(
        _ store: IndexStore, _ state: inout IndexWriter.State
    ) throws {
        let snapshot = IndexWriter.snapshot(of: state)
        var dead: [UInt32] = []
        try store.makeCursor(fillCache: false).forEach(in: .tombstones) { key, _ in
            let document = try Key.lastNumber(key)
            if snapshot.covers(document) { dead.append(document) }
            return true
        }
        state.dead.insert(dead)
    }

    /// The documents found alive must be those that were committed: a lost tombstone would bring an
    /// object back, a lost journal entry take one away.
    private static func compareLiving(
        _ store: IndexStore, _ state: inout IndexWriter.State
    ) throws {
        guard let stored = try store.value(LivingDocuments.key) else {
            throw TextIndexError.corrupted("the count of objects")
        }
        state.living = try IndexStore.translating(.meta) {
            try stored.withUnsafeBytes { try LivingDocuments($0) }
        }
        guard state.living == LivingDocuments(IndexWriter.snapshot(of: state)) else {
            throw TextIndexError.corrupted("the journal or the tombstones")
        }
    }

    /// The segments in the store that a crash kept from being named, by what was in it when it was
    /// opened: segments from the next number on are those of who goes on. Nothing once `isWanted`
    /// says no.
    ///
    /// Complexity: a seek for each segment.
    static func unnamedSegments(
        _ store: IndexStore, besides manifest: Manifest, while isWanted: () -> Bool
    ) throws -> [UInt32] {
        let known = Set((manifest.segments + manifest.rebuilt).map(\.number))
            .union(manifest.retired)
        var unnamed: [UInt32] = []
        let cursor = try store.makeCursor(fillCache: false)
        var last: UInt32?
        while let found = try cursor.segment(after: last), found < manifest.nextSegment {
            guard isWanted() else { return [] }
            if !known.contains(found) { unnamed.append(found) }
            last = found
        }
        return unnamed
    }

    /// Numbers that a crash left under unnamed keys are not given again.
    ///
    /// Complexity: two seeks where there are none. What is asked for is whether there is something
    /// behind the numbers that are known: the last key of a table would have to be looked for from
    /// its end backwards, over all that was deleted and that LevelDB has not let go. The journal
    /// was read to its end.
    private static func findNextNumbers(
        _ store: IndexStore, _ state: inout IndexWriter.State
    ) throws {
        let cursor = try store.makeCursor(fillCache: false)
        state.nextDocument = max(state.nextDocument, state.manifest.nextDocument)
        try cursor.seek(to: Key.document(.objects, state.nextDocument))
        let objects = Table.objects.rawValue
        let hasMore = try cursor.isValid && cursor.withEntry { key, _ in key.first == objects }
        if hasMore {
            try cursor.seekToLast(of: objects)
            let last = try cursor.withEntry { key, _ in try Key.lastNumber(key) }
            state.nextDocument = max(state.nextDocument, last &+ 1)
        }
        let next = state.manifest.nextSegment
        guard try cursor.segment(after: next == 0 ? nil : next - 1) != nil else { return }
        try cursor.seekToLast(of: Table.segments)
        let last = try cursor.withEntry { key, _ in Key.segment(of: key) }
        guard let last, last < .max else { return }
        state.manifest.nextSegment = max(next, last + 1)
    }
}

/// The results of a keyword over one snapshot, made ready in parts: documents by weight first, then items for those of one
/// weight at a time.
struct KeywordResults<Object>: ~Copyable {
    private let index: TextIndex<Object>
    private let snapshot: Snapshot
    private var matcher: KeywordMatcher
    private let hits: Buffer<Hit>
    /// The documents, best weight first.
    private var entries: [Entry] = []

    private struct Entry {
        var weight: Double
        var document: UInt32
        var hits: Range<Int>
    }

    init(_ query: KeywordQuery, index: TextIndex<Object>, snapshot: Snapshot) throws {
        var matcher = KeywordMatcher(
            snapshot: snapshot, store: index.store,
            minimalTokenLength: snapshot.analyzer.minimalTokenLength)
        // An empty keyword has no words, and so no hits.
        let hits = try matcher.hits(of: query)
        var entries: [Entry] = []
        if query.isEmpty {
            snapshot.forEachDocument {
                entries.append(Entry(weight: 0, document: $0, hits: 0..<0))
                return true
            }
        }
        var start = 0
        while start < hits.count {
            let document = hits[start].document
            var end = start + 1
            while end < hits.count, hits[end].document == document { end += 1 }
            entries.append(Entry(weight: 0, document: document, hits: start..<end))
            start = end
        }
        var weights = WeightLookup(snapshot)
        for place in entries.indices {
            entries[place].weight = try weights.weight(of: entries[place].document)
        }
        entries.sort {
            $0.weight != $1.weight ? $0.weight > $1.weight : $0.document < $1.document
        }
        self.index = index
        self.snapshot = snapshot
        self.hits = hits
        self.entries = entries
        self.matcher = matcher
    }

    var count: Int { entries.count }

    /// All items in order, best first.
    mutating func all() throws -> [SearchResultItem<Object>] {
        let items = try self.items(0..<entries.count)
        return index.ordered(items)
    }

    /// Calls `body` with runs of items in order, of at least `size` items where there are so many, until it returns false.
    mutating func forEachRun(
        ofAtLeast size: Int, reversed: Bool, _ body: ([SearchResultItem<Object>]) throws -> Bool
    ) throws {
        // Only a plain index orders by weight; an override has to see all items.
        guard index.usesDefaultOrder else {
            var items = try all()
            if reversed { items.reverse() }
            _ = try body(items)
            return
        }
        var run: [SearchResultItem<Object>] = []
        var next = reversed ? entries.count : 0
        while reversed ? next > 0 : next < entries.count {
            let group = sameWeight(at: reversed ? next - 1 : next)
            var items = index.ordered(try self.items(group))
            if reversed { items.reverse() }
            run += items
            next = reversed ? group.lowerBound : group.upperBound
            if run.count >= size {
                guard try body(run) else { return }
                run = []
            }
        }
        if !run.isEmpty { _ = try body(run) }
    }

    private borrowing func sameWeight(at place: Int) -> Range<Int> {
        let weight = entries[place].weight
        var lower = place
        var upper = place + 1
        while lower > 0, entries[lower - 1].weight == weight { lower -= 1 }
        while upper < entries.count, entries[upper].weight == weight { upper += 1 }
        return lower..<upper
    }

    private mutating func items(_ range: Range<Int>) throws -> [SearchResultItem<Object>] {
        var reader = RecordReader(store: index.store)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(range.count)
        for place in range {
            let entry = entries[place]
            var record = try reader.record(of: entry.document)
            var tokens: [ResultToken] = []
            tokens.reserveCapacity(entry.hits.count)
            for hit in entry.hits {
                tokens.append(try ResultToken(hits[hit], matcher.matched, &record))
            }
            items.append(
                index.item(
                    record, relevance: 0, defaultScore: entry.weight, tokens: tokens,
                    document: entry.document))
        }
        return items
    }
}

/// Reads object records.
struct RecordReader: ~Copyable {
    private let store: IndexStore
    private var key = Buffer<UInt8>()

    init(store: IndexStore) { self.store = store }

    /// The record of a document that a snapshot names: it must be there.
    mutating func record(of document: UInt32) throws -> ObjectRecord {
        Key.document(.objects, document, into: &key)
        guard let record = try store.withValue(key, .objects, { try ObjectRecord($0) }) else {
            throw TextIndexError.corrupted("the record of document \(document)")
        }
        return record
    }
}

/// The weights of documents, from columns and memory segments.
struct WeightLookup {
    private let snapshot: Snapshot
    private var flushed = 0
    private var memory = 0
    private var weights: [Double] = []
    private var loaded = -1

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// The weight of a document; documents must come in ascending order for the best speed.
    mutating func weight(of document: UInt32) throws -> Double {
        while flushed < snapshot.flushed.count,
            document >= snapshot.flushed[flushed].manifest.documents.upperBound
        {
            flushed += 1
        }
        if flushed < snapshot.flushed.count,
            snapshot.flushed[flushed].manifest.documents.contains(document)
        {
            if loaded != flushed {
                weights = try snapshot.flushed[flushed].weights()
                loaded = flushed
            }
            return weights[Int(document - snapshot.flushed[flushed].manifest.firstDocument)]
        }
        while memory < snapshot.memory.count,
            document >= snapshot.memory[memory].documents.upperBound
        {
            memory += 1
        }
        guard memory < snapshot.memory.count,
            snapshot.memory[memory].documents.contains(document)
        else { throw TextIndexError.corrupted("the documents") }
        let part = snapshot.memory[memory]
        return part.segment.documents.weights[Int(document - part.firstDocument)]
    }
}

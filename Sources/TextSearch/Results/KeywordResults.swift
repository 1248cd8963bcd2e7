/// The results of a keyword over one snapshot, made ready in parts: first the documents in order, then items for some at a time.
struct KeywordResults<Object>: ~Copyable {
    private let index: TextIndex<Object>
    private let snapshot: Snapshot
    private var matcher: KeywordMatcher
    private let hits: Buffer<Hit>
    /// The documents, best first; ties as they come until they are settled.
    private var entries: [Entry] = []

    private struct Entry {
        var weight: Double
        var place = MatchPlace()
        var document: UInt32
        var hits: Range<Int>

        static func precedes(_ a: Entry, _ b: Entry) -> Bool {
            if a.weight != b.weight { return a.weight > b.weight }
            if a.place != b.place { return a.place < b.place }
            return a.document < b.document
        }

        func isTied(with other: Entry) -> Bool {
            (weight, place.string, place.position, place.offset)
                == (other.weight, other.place.string, other.place.position, other.place.offset)
        }
    }

    init(
        _ query: KeywordQuery, index: TextIndex<Object>, snapshot: Snapshot,
        clock: SearchClock = SearchClock(.unlimited, longest: nil)
    ) throws {
        var matcher = KeywordMatcher(snapshot: snapshot, store: index.store, clock: clock)
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
            let place = MatchPlace(hits[start], count: end - start, matcher.matched)
            entries.append(
                Entry(weight: 0, place: place, document: document, hits: start..<end))
            start = end
        }
        var weights = WeightLookup(snapshot)
        for place in entries.indices {
            entries[place].weight = try weights.weight(of: entries[place].document)
        }
        // NaN weights are refused, so this is an order.
        entries.sort(by: Entry.precedes)
        self.index = index
        self.snapshot = snapshot
        self.hits = hits
        self.entries = entries
        self.matcher = matcher
    }

    /// Sorts ties by the number of their matches: of the pieces of text, which only the record tells where hits may be of one.
    private mutating func settleTies() throws {
        let wordsOverlap = snapshot.analyzer.analyses.contains(where: \.wordsOverlap)
        var reader = RecordReader(store: index.store)
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].isTied(with: entries[start]) { end += 1 }
            if end - start > 1 {
                for place in start..<end where mayShareText(entries[place].hits, wordsOverlap) {
                    var record = try reader.record(of: entries[place].document)
                    entries[place].place.count = try tokens(entries[place].hits, &record).count
                }
                entries[start..<end].sort(by: Entry.precedes)
            }
            start = end
        }
    }

    private borrowing func mayShareText(_ range: Range<Int>, _ wordsOverlap: Bool) -> Bool {
        zip(range, range.dropFirst()).contains { first, second in
            let (a, b) = (hits[first], hits[second])
            return a.string == b.string && (wordsOverlap || a.position == b.position)
        }
    }

    private borrowing func tokens(
        _ range: Range<Int>, _ record: inout ObjectRecord
    ) throws -> [ResultToken] {
        var tokens: [ResultToken] = []
        tokens.reserveCapacity(range.count)
        for hit in range {
            tokens.append(try ResultToken(hits[hit], matcher.matched, &record))
        }
        return ResultToken.distinct(tokens)
    }

    var count: Int { entries.count }

    /// All items in order, best first.
    mutating func all() throws -> [SearchResultItem<Object>] {
        try settleTies()
        let items = try self.items(0..<entries.count)
        return index.usesDefaultOrder ? items : index.ordered(items)
    }

    /// Calls `body` with runs of about `size` items in order, until it returns false.
    mutating func forEachRun(
        of size: Int, reversed: Bool, _ body: ([SearchResultItem<Object>]) throws -> Bool
    ) throws {
        // An override may want another order, for which it has to see all items.
        guard index.usesDefaultOrder else {
            var items = try all()
            if reversed { items.reverse() }
            _ = try body(items)
            return
        }
        try settleTies()
        var done = 0
        // The first is there at once; later ones are worth more at a time.
        var count = 1
        while done < entries.count {
            let end = min(done + count, entries.count)
            count = min(count * 4, size)
            if reversed {
                let range = (entries.count - end)..<(entries.count - done)
                guard try body(try items(range).reversed()) else { return }
            } else {
                guard try body(try items(done..<end)) else { return }
            }
            done = end
        }
    }

    private mutating func items(_ range: Range<Int>) throws -> [SearchResultItem<Object>] {
        var reader = RecordReader(store: index.store)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(range.count)
        for place in range {
            let entry = entries[place]
            var record = try reader.record(of: entry.document)
            let tokens = try tokens(entry.hits, &record)
            var matchPlace = entry.place
            matchPlace.count = tokens.count
            items.append(
                index.item(
                    record, relevance: 0, defaultScore: entry.weight, tokens: tokens,
                    place: matchPlace, document: entry.document))
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

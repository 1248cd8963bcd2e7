/// Which terms of a segment have which stem, sorted; for queries that are to find inflected words.
///
/// **Thread safety**: an immutable value.
struct StemList: Sendable {
    /// A stem, behind the number of its language, and a term that has it.
    struct Pair: Sendable, Hashable, Comparable {
        var key: [UInt8]
        var term: [UInt8]

        static func < (a: Pair, b: Pair) -> Bool {
            a.key == b.key
                ? a.term.lexicographicallyPrecedes(b.term)
                : a.key.lexicographicallyPrecedes(b.key)
        }
    }

    private struct Entry: Sendable {
        var start: UInt32
        var keyLength: UInt16
        var termLength: UInt16
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    init() {}

    /// Complexity: sorts the pairs.
    init(_ pairs: [Pair]) {
        var last: Pair?
        for pair in pairs.sorted() where pair != last {
            append(pair.key[...], pair.term[...])
            last = pair
        }
    }

    /// Those of several segments as of one.
    init(merging lists: [StemList]) {
        let filled = lists.filter { !$0.isEmpty }
        if filled.count < 2 {
            self = filled.first ?? StemList()
        } else {
            self.init(
                filled.flatMap { list in
                    list.entries.map {
                        Pair(key: Array(list.key($0)), term: Array(list.term($0)))
                    }
                })
        }
    }

    var isEmpty: Bool { entries.isEmpty }
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride }

    private mutating func append(_ key: ArraySlice<UInt8>, _ term: ArraySlice<UInt8>) {
        entries.append(
            Entry(
                start: UInt32(bytes.count), keyLength: UInt16(clamping: key.count),
                termLength: UInt16(clamping: term.count)))
        bytes += key
        bytes += term
    }

    private func key(_ entry: Entry) -> ArraySlice<UInt8> {
        bytes[Int(entry.start)..<(Int(entry.start) + Int(entry.keyLength))]
    }

    private func term(_ entry: Entry) -> ArraySlice<UInt8> {
        let start = Int(entry.start) + Int(entry.keyLength)
        return bytes[start..<(start + Int(entry.termLength))]
    }

    /// The terms that have a stem.
    ///
    /// Complexity: logarithmic in the number of stems.
    func terms(of key: [UInt8]) -> [[UInt8]] {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if self.key(entries[middle]).lexicographicallyPrecedes(key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var terms: [[UInt8]] = []
        while low < entries.count, self.key(entries[low]).elementsEqual(key) {
            terms.append(Array(term(entries[low])))
            low += 1
        }
        return terms
    }

    /// Calls `body` with each stem and its terms, in order.
    func forEachKey(_ body: (_ key: ArraySlice<UInt8>, _ terms: [[UInt8]]) throws -> Void) rethrows
    {
        var index = 0
        while index < entries.count {
            let key = self.key(entries[index])
            var terms: [[UInt8]] = []
            while index < entries.count, self.key(entries[index]) == key {
                terms.append(Array(term(entries[index])))
                index += 1
            }
            try body(key, terms)
        }
    }
}

/// The stems of flushed segments: under the segment, the language and the stem, the terms that have it, each length first.
struct StoredStems {
    let store: IndexStore

    /// The terms of a segment that have a stem.
    func terms(of key: [UInt8], segment: UInt32) throws -> [[UInt8]] {
        var buffer = Buffer<UInt8>()
        Key.stem(segment: segment, key[...], into: &buffer)
        return try store.withValue(buffer, .stems, Self.decode) ?? []
    }

    private static func decode(_ value: UnsafeRawBufferPointer) throws(MalformedData) -> [[UInt8]] {
        var reader = ByteReader(value)
        var terms: [[UInt8]] = []
        while !reader.isAtEnd { terms.append(Array(try reader.prefixed())) }
        return terms
    }

    static func write(
        _ list: StemList, segment: UInt32, into batch: StoreBatch, commitIfLarge: () throws -> Void
    ) throws {
        var key = Buffer<UInt8>()
        var value = Buffer<UInt8>()
        try list.forEachKey { stem, terms in
            Key.stem(segment: segment, stem, into: &key)
            value.removeAll()
            for term in terms { value.appendPrefixed(term) }
            batch.put(key, value)
            try commitIfLarge()
        }
    }

    /// Writes the stems of several segments as those of one, without holding more than one stem of each. Terms that the merged segment,
    /// whose vocabulary must be in the store, does not have any more are left out.
    func merge(
        _ segments: [UInt32], into merged: FlushedSegment, _ batch: StoreBatch,
        commitIfLarge: () throws -> Void
    ) throws {
        var walks = try segments.map { try Walk(store, segment: $0) }
        // All of it is asked for, one term after the other.
        if walks.contains(where: { $0.stem != nil }) { _ = try merged.vocabulary() }
        var key = Buffer<UInt8>()
        var value = Buffer<UInt8>()
        while let least = walks.compactMap(\.stem).min(by: { $0.lexicographicallyPrecedes($1) }) {
            var terms: Set<[UInt8]> = []
            for index in walks.indices where walks[index].stem == least {
                terms.formUnion(walks[index].terms)
                try walks[index].advance()
            }
            value.removeAll()
            for term in terms.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let place = try term.withUnsafeBufferPointer { try merged.place(of: $0) }
                if place != nil { value.appendPrefixed(term) }
            }
            if value.isEmpty { continue }
            Key.stem(segment: merged.number, least[...], into: &key)
            batch.put(key, value)
            try commitIfLarge()
        }
    }

    /// A way through the stems of one segment.
    private struct Walk {
        private let cursor: StoreCursor
        private let prefix: [UInt8]
        /// The stem at hand, behind the number of its language; nil at the end.
        private(set) var stem: [UInt8]?
        private(set) var terms: [[UInt8]] = []

        init(_ store: IndexStore, segment: UInt32) throws {
            cursor = try store.makeCursor(fillCache: false)
            var key = Buffer<UInt8>()
            Key.stem(segment: segment, [], into: &key)
            prefix = key.toArray()
            try cursor.seek(to: prefix)
            try read()
        }

        mutating func advance() throws {
            try cursor.next()
            try read()
        }

        private mutating func read() throws {
            stem = nil
            terms = []
            guard cursor.isValid else { return try cursor.check() }
            let prefix = prefix
            let found = try IndexStore.translating(.stems) {
                try cursor.withEntry { key, value -> ([UInt8], [[UInt8]])? in
                    guard key.starts(with: prefix) else { return nil }
                    return (Array(key.dropFirst(prefix.count)), try StoredStems.decode(value))
                }
            }
            if let found { (stem, terms) = found }
        }
    }

    /// Calls `body` with each stored key of a segment and its value.
    func forEach(
        of segment: UInt32,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var key = Buffer<UInt8>()
        Key.stem(segment: segment, [], into: &key)
        try store.makeCursor(fillCache: false).forEach(prefix: key, of: .stems, body)
    }
}

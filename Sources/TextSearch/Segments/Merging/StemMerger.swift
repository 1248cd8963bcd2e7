/// Writes the stems of several flushed segments as those of one, without holding more than one stem
/// of each.
struct StemMerger {
    let segments: [FlushedSegment]
    /// The merged segment, whose vocabulary and postings must be in the store: terms that it does
    /// not have any more are left out.
    let merged: FlushedSegment
    let documents: MergedDocuments

    private struct Holder {
        var segment: Int
        var documents: [UInt32]?
    }

    func write(into batch: StoreBatch, commitIfLarge: () throws -> Void) throws {
        var walks = try segments.map { try Walk($0.store, segment: $0.number) }
        // All of it is asked for, one term after the other.
        if walks.contains(where: { $0.stem != nil }) { _ = try merged.vocabulary() }
        var key = Buffer<UInt8>()
        var value = Buffer<UInt8>()
        while let least = walks.compactMap(\.stem).min(by: { $0.lexicographicallyPrecedes($1) }) {
            var holders: [[UInt8]: [Holder]] = [:]
            for index in walks.indices where walks[index].stem == least {
                for term in walks[index].terms {
                    holders[term.bytes, default: []].append(
                        Holder(segment: index, documents: term.documents))
                }
                try walks[index].advance()
            }
            var terms: [StemList.Term] = []
            for term in holders.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                if let found = try stemmed(term, holders[term] ?? []) { terms.append(found) }
            }
            if terms.isEmpty { continue }
            StoredStems.encode(terms, into: &value)
            Key.stem(segment: merged.number, least[...], into: &key)
            batch.put(key, value)
            try commitIfLarge()
        }
    }

    /// What the merged segment is to say of a term; nil where none of its documents has the stem.
    private func stemmed(_ term: [UInt8], _ holders: [Holder]) throws -> StemList.Term? {
        guard try has(term, merged) else { return nil }
        let isWhole =
            try holders.allSatisfy { $0.documents == nil }
            && !segments.indices.contains { number in
                try !holders.contains { $0.segment == number } && has(term, segments[number])
            }
        if isWhole { return StemList.Term(bytes: term) }
        var documents: [UInt32] = []
        for holder in holders {
            let segment = segments[holder.segment]
            let own = try holder.documents ?? Self.documents(of: term, segment)
            documents += own.compactMap {
                self.documents.place(of: segment.manifest.firstDocument &+ $0)
            }
        }
        if documents.isEmpty { return nil }
        // They ascend, as the segments do.
        let isAll = try documents.count == Self.documents(of: term, merged).count
        return StemList.Term(bytes: term, documents: isAll ? nil : documents)
    }

    private func has(_ term: [UInt8], _ segment: FlushedSegment) throws -> Bool {
        try term.withUnsafeBufferPointer { try segment.place(of: $0) } != nil
    }

    /// The documents of a term, relative to the segment.
    private static func documents(of term: [UInt8], _ segment: FlushedSegment) throws -> [UInt32] {
        var reader = TermPostingsReader()
        let isThere: Void? = try term.withUnsafeBufferPointer {
            try segment.withPostings(of: $0) { try reader.readDocuments($0) }
        }
        return isThere == nil ? [] : reader.chunk.documents.withElements { Array($0) }
    }

    /// A way through the stems of one segment.
    private struct Walk {
        private let cursor: StoreCursor
        private let prefix: [UInt8]
        /// The stem at hand, behind the number of its language; nil at the end.
        private(set) var stem: [UInt8]?
        private(set) var terms: [StemList.Term] = []

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
                try cursor.withEntry { key, value -> ([UInt8], [StemList.Term])? in
                    guard key.starts(with: prefix) else { return nil }
                    return (Array(key.dropFirst(prefix.count)), try StoredStems.decode(value))
                }
            }
            if let found { (stem, terms) = found }
        }
    }
}

/// Finds the documents of a snapshot that filters let pass, segment by segment, by the columns of attributes.
struct FilterEvaluator {
    let snapshot: Snapshot
    let store: IndexStore
    let clock: SearchClock
    /// Whether what is found must be whole: then the search ends where the time is over.
    let needsAll: Bool

    /// The documents that a filter is asked for.
    private struct Universe {
        /// The segment's; flushed ones come first.
        let place: Int
        let segment: Range<UInt32>
        /// Some living documents of the segment, ascending; nil for all that it has.
        let some: ArraySlice<UInt32>?

        var count: Int { some?.count ?? segment.count }
        var wordCount: Int { (count + 63) / 64 }
        /// Of the last word, the bits of documents.
        var lastBits: UInt64 { count & 63 == 0 ? .max : 1 << UInt64(count & 63) - 1 }

        /// A bit for each document, by its number in the segment.
        @inline(__always)
        func words(where isWanted: (UInt32) throws -> Bool) rethrows -> [UInt64] {
            var words = [UInt64](repeating: 0, count: wordCount)
            if let some {
                for (number, document) in some.enumerated()
                where try isWanted(document &- segment.lowerBound) {
                    words[number >> 6] |= 1 << UInt64(number & 63)
                }
            } else {
                for document in 0..<UInt32(segment.count) where try isWanted(document) {
                    words[Int(document >> 6)] |= 1 << UInt64(document & 63)
                }
            }
            return words
        }
    }

    // MARK: Answers

    /// The living documents of each segment that a filter lets pass.
    func sets(_ node: FilterNode) throws -> FilterSets {
        let count = snapshot.flushed.count + snapshot.memory.count
        return FilterSets(
            try (0..<count).map { place in
                let segment = snapshot.documents(ofPlace: place)
                let all = Universe(place: place, segment: segment, some: nil)
                if !snapshot.dead.intersects(segment), let known = try knownBits(node, all) {
                    return known
                }
                return FilterBits(living(try words(node, all), segment))
            }, snapshot)
    }

    /// The places of those of ascending living documents that a filter lets pass, ascending.
    func places(_ node: FilterNode, among documents: [UInt32]) throws -> [Int] {
        var places: [Int] = []
        var start = 0
        for place in 0..<(snapshot.flushed.count + snapshot.memory.count) {
            let segment = snapshot.documents(ofPlace: place)
            let end = start + documents[start...].firstPlace { $0 >= segment.upperBound } - start
            defer { start = end }
            guard start < end else { continue }
            let some = Universe(place: place, segment: segment, some: documents[start..<end])
            for (word, bits) in try words(node, some).enumerated() {
                var rest = bits
                while rest != 0 {
                    places.append(start + (word << 6 | rest.trailingZeroBitCount))
                    rest &= rest &- 1
                }
            }
        }
        return places
    }

    private func living(_ words: [UInt64], _ segment: Range<UInt32>) -> [UInt64] {
        guard snapshot.dead.intersects(segment) else { return words }
        var living = words
        for word in living.indices where living[word] != 0 {
            living[word] &= ~snapshot.dead.bits(from: segment.lowerBound + UInt32(word << 6))
        }
        return living
    }

    // MARK: Combinations

    /// A bit for each document of `universe`.
    private func words(
        _ node: FilterNode, _ universe: Universe, isNegated: Bool = false
    ) throws -> [UInt64] {
        switch node {
        case .everything:
            return inverted([UInt64](repeating: 0, count: universe.wordCount), universe)
        case .nothing: return [UInt64](repeating: 0, count: universe.wordCount)
        case .attribute(let name, let operation):
            return try attribute(name, operation, universe, isNegated)
        case .weight(let bounds): return try weights(bounds, universe)
        case .documents(let documents):
            let own = Set(documents.part(in: universe.segment))
            return universe.words { own.contains($0 &+ universe.segment.lowerBound) }
        case .all(let parts):
            var result = try words(.everything, universe)
            for part in parts {
                let found = try words(part, universe, isNegated: isNegated)
                for place in result.indices { result[place] &= found[place] }
            }
            return result
        case .any(let parts): return try union(parts, universe, isNegated)
        case .none(let parts): return inverted(try union(parts, universe, true), universe)
        case .atLeast(let count, let parts):
            return try atLeast(count, parts, universe, isNegated)
        }
    }

    private func inverted(_ words: [UInt64], _ universe: Universe) -> [UInt64] {
        var inverted = words.map { ~$0 }
        if !inverted.isEmpty { inverted[inverted.count - 1] &= universe.lastBits }
        return inverted
    }

    private func union(
        _ parts: [FilterNode], _ universe: Universe, _ isNegated: Bool
    ) throws -> [UInt64] {
        var result = [UInt64](repeating: 0, count: universe.wordCount)
        for part in parts {
            let found = try words(part, universe, isNegated: isNegated)
            for place in result.indices { result[place] |= found[place] }
        }
        return result
    }

    private func atLeast(
        _ count: Int, _ parts: [FilterNode], _ universe: Universe, _ isNegated: Bool
    ) throws -> [UInt64] {
        guard count > 0 else { return try words(.everything, universe) }
        guard count <= parts.count else { return try words(.nothing, universe) }
        // By how many parts match, up to the count: those that `count` of them do are the last.
        var reached = [[UInt64]](
            repeating: [UInt64](repeating: 0, count: universe.wordCount), count: count)
        for part in parts {
            let found = try words(part, universe, isNegated: isNegated)
            for place in found.indices {
                for level in (1..<count).reversed() {
                    reached[level][place] |= reached[level - 1][place] & found[place]
                }
                reached[0][place] |= found[place]
            }
        }
        return reached[count - 1]
    }

    // MARK: Attributes

    /// What is kept of a filter that is a comparison alone.
    private func knownBits(_ node: FilterNode, _ all: Universe) throws -> FilterBits? {
        guard case .attribute(let name, let operation) = node,
            case .column(let column) = try source(name, all.place, needsAll), !clock.isSpent
        else { return nil }
        return bits(operation, column)
    }

    /// Nowhere once the time is over.
    private func source(
        _ name: String, _ place: Int, _ isNegated: Bool
    ) throws -> AttributeSource {
        do {
            if clock.check() { throw SearchEnded() }
            if place < snapshot.flushed.count {
                return try snapshot.flushed[place].attribute(name, clock)
            }
            return try snapshot.memory[place - snapshot.flushed.count].segment.attribute(name)
        } catch is SearchEnded {
            if needsAll || isNegated { throw SearchEnded() }
            return .nowhere
        }
    }

    private func attribute(
        _ name: String, _ operation: AttributeComparison.Operation, _ universe: Universe,
        _ isNegated: Bool
    ) throws -> [UInt64] {
        switch try source(name, universe.place, isNegated) {
        case .nowhere: return [UInt64](repeating: 0, count: universe.wordCount)
        case .records: return try recorded(name, operation, universe, isNegated)
        case .column(let column):
            guard let some = universe.some else { return bits(operation, column).words }
            let key = IndexStore.FilterKey(column: column.number, operation: operation)
            // A code is tested in about the time in which a few are made bits of.
            if some.count < universe.segment.count / 8,
                store.recentFilters.value(for: key) == nil
            {
                let set = CodeSet(operation, column)
                return universe.words { set.contains(column.code(of: Int($0))) }
            }
            let bits = bits(operation, column)
            return universe.words { bits.contains($0) }
        }
    }

    /// Made once, and kept as long as it is used.
    private func bits(
        _ operation: AttributeComparison.Operation, _ column: AttributeColumn
    ) -> FilterBits {
        let key = IndexStore.FilterKey(column: column.number, operation: operation)
        if let known = store.recentFilters.value(for: key) { return known }
        let made = FilterBits(CodeSet(operation, column).words())
        store.recentFilters.insert(made, for: key, byteCount: made.byteCount)
        return made
    }

    /// By the records of the living.
    private func recorded(
        _ name: String, _ operation: AttributeComparison.Operation, _ universe: Universe,
        _ isNegated: Bool
    ) throws -> [UInt64] {
        var key = Buffer<UInt8>(capacity: 8)
        return try universe.words { relative in
            let document = universe.segment.lowerBound &+ relative
            if universe.some == nil, snapshot.dead.contains(document) { return false }
            if clock.check() {
                if needsAll || isNegated { throw SearchEnded() }
                return false
            }
            Key.document(.objects, document, into: &key)
            let head = try store.withValue(key, .objects) { try RecordHead($0) }
            guard let head else {
                throw TextIndexError.corrupted("the record of document \(document)")
            }
            return operation.holds(for: head.attributes[name])
        }
    }

    private func weights(_ bounds: AttributeBounds, _ universe: Universe) throws -> [UInt64] {
        guard universe.place < snapshot.flushed.count else {
            let memory = snapshot.memory[universe.place - snapshot.flushed.count].segment
            return universe.words {
                bounds.contains(.number(memory.documents.weights[Int($0)]))
            }
        }
        let weights = try snapshot.flushed[universe.place].weights()
        // Most have the same as the one before.
        var last = -Double.infinity
        var isIn = bounds.contains(.number(last))
        return universe.words { document in
            let weight = weights[Int(document)]
            if weight != last { (last, isIn) = (weight, bounds.contains(.number(weight))) }
            return isIn
        }
    }
}

/// The living documents of each segment of a snapshot that a filter lets pass.
struct FilterSets {
    /// Flushed segments come first.
    let bits: [FilterBits]
    let count: Int
    private let firstDocuments: [UInt32]

    init(_ bits: [FilterBits], _ snapshot: Snapshot) {
        self.bits = bits
        count = bits.reduce(0) { $0 + $1.count }
        firstDocuments = bits.indices.map { snapshot.documents(ofPlace: $0).lowerBound }
    }

    /// The documents, ascending.
    var documents: [UInt32] {
        var documents: [UInt32] = []
        documents.reserveCapacity(count)
        for (bits, first) in zip(bits, firstDocuments) where bits.count > 0 {
            bits.forEach {
                documents.append(first &+ $0)
                return true
            }
        }
        return documents
    }

    /// The first of them, ascending.
    func prefix(_ limit: Int) -> [UInt32] {
        var documents: [UInt32] = []
        for (bits, first) in zip(bits, firstDocuments) where documents.count < limit {
            bits.forEach {
                guard documents.count < limit else { return false }
                documents.append(first &+ $0)
                return true
            }
        }
        return documents
    }

    /// Those of ascending documents that are among them.
    func documents(among others: [UInt32]) -> [UInt32] {
        others.filter { document in
            let place = firstDocuments.lastIndex { $0 <= document }
            return place.map { bits[$0].contains(document - firstDocuments[$0]) } ?? false
        }
    }
}

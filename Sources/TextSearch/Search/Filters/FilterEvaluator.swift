/// Finds the documents of a snapshot that filters let pass, segment by segment, by the columns of
/// attributes.
struct FilterEvaluator {
    let snapshot: Snapshot
    let store: IndexStore
    let clock: SearchClock
    /// Whether what is found must be whole: then the search ends where the time is over.
    let needsAll: Bool
    /// Whether the documents that it is asked for are what others found, which is put together even
    /// when the time is over.
    let isCombining: Bool

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
    }

    /// Counts work; whether the search has to end. What would let more pass throws `SearchEnded`
    /// then.
    private func isOver(_ units: Int, _ isNegated: Bool = false) throws -> Bool {
        guard isOver(after: units) else { return false }
        if needsAll || isNegated { throw SearchEnded() }
        return true
    }

    private func isOver(after units: Int) -> Bool {
        isCombining ? clock.isOver(afterCombining: units) : clock.isOver(afterWork: units)
    }

    /// So many documents are asked for before the time is looked at.
    private static let stretch = 256

    /// A bit for each document of `universe`, by its number in the segment; those from where the
    /// time is over have none.
    @inline(__always)
    private func words(
        of universe: Universe, _ isNegated: Bool, unitsEach units: Int = 1,
        where isWanted: (UInt32) throws -> Bool
    ) throws -> [UInt64] {
        var words = [UInt64](repeating: 0, count: universe.wordCount)
        var start = 0
        while start < universe.count {
            // Those that take much are counted one by one.
            let end = min(start + max(Self.stretch / units, 1), universe.count)
            if try isOver((end - start) * units, isNegated) { break }
            if let some = universe.some {
                for number in start..<end {
                    let document = some[some.startIndex + number] &- universe.segment.lowerBound
                    if try isWanted(document) { words[number >> 6] |= 1 << UInt64(number & 63) }
                }
            } else {
                for number in start..<end where try isWanted(UInt32(truncatingIfNeeded: number)) {
                    words[number >> 6] |= 1 << UInt64(number & 63)
                }
            }
            start = end
        }
        return words
    }

    // MARK: Answers

    /// The living documents of each segment that a filter lets pass.
    func sets(_ node: FilterNode) throws -> FilterSets {
        let share = MemoryShare(clock)
        let bits = try snapshot.segments.indices.map { place in
            let segment = snapshot.segments[place].documents
            let all = Universe(place: place, segment: segment, some: nil)
            if !snapshot.dead.intersects(segment), let known = try knownBits(node, all) {
                return known
            }
            try share.grow(to: share.bytes + all.wordCount * 8)
            return FilterBits(living(try words(node, all), segment))
        }
        return FilterSets(bits, snapshot, share)
    }

    /// The places of those of ascending living documents that a filter lets pass, ascending.
    func places(_ node: FilterNode, among documents: [UInt32]) throws -> [Int] {
        var places: [Int] = []
        var start = 0
        let share = MemoryShare(clock)
        defer { withExtendedLifetime(share) {} }
        for place in snapshot.segments.indices {
            let segment = snapshot.segments[place].documents
            let end = start + documents[start...].firstPlace { $0 >= segment.upperBound } - start
            defer { start = end }
            guard start < end else { continue }
            let some = Universe(place: place, segment: segment, some: documents[start..<end])
            try share.grow(to: places.capacity * 8 + some.wordCount * 8)
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
        case .everything: return inverted(nothing(universe), universe)
        case .nothing: return nothing(universe)
        case .attribute(let name, let operation):
            return try attribute(name, operation, universe, isNegated)
        case .weight(let bounds): return try weights(bounds, universe, isNegated)
        case .documents(let documents):
            let own = documents.part(in: universe.segment)
            var words = nothing(universe)
            var place = 0
            for document in own {
                var number = Int(document - universe.segment.lowerBound)
                if let some = universe.some {
                    place =
                        some[(some.startIndex + place)...].firstPlace { $0 >= document }
                        - some.startIndex
                    guard place < some.count, some[some.startIndex + place] == document else {
                        continue
                    }
                    number = place
                }
                words[number >> 6] |= 1 << UInt64(number & 63)
            }
            return words
        case .all(let parts): return try intersection(parts, universe, isNegated)
        case .any(let parts): return try union(parts, universe, isNegated)
        case .none(let parts): return inverted(try union(parts, universe, true), universe)
        case .atLeast(let count, let parts):
            return try atLeast(count, parts, universe, isNegated)
        }
    }

    private func nothing(_ universe: Universe) -> [UInt64] {
        [UInt64](repeating: 0, count: universe.wordCount)
    }

    private func inverted(_ words: [UInt64], _ universe: Universe) -> [UInt64] {
        var inverted = words.map { ~$0 }
        if !inverted.isEmpty { inverted[inverted.count - 1] &= universe.lastBits }
        return inverted
    }

    /// Takes the memory of so many sets, as long as it is there.
    private func room(for sets: Int, _ universe: Universe) throws -> MemoryShare {
        try MemoryShare(clock, sets * universe.wordCount * 8)
    }

    private func intersection(
        _ parts: [FilterNode], _ universe: Universe, _ isNegated: Bool
    ) throws -> [UInt64] {
        let share = try room(for: 2, universe)
        defer { withExtendedLifetime(share) {} }
        guard let first = parts.first else { return try words(.everything, universe) }
        var result = try words(first, universe, isNegated: isNegated)
        for part in parts.dropFirst() {
            if try isOver(universe.wordCount / 16 + 1, isNegated) { return nothing(universe) }
            let found = try words(part, universe, isNegated: isNegated)
            for place in result.indices { result[place] &= found[place] }
        }
        return result
    }

    private func union(
        _ parts: [FilterNode], _ universe: Universe, _ isNegated: Bool
    ) throws -> [UInt64] {
        let share = try room(for: 2, universe)
        defer { withExtendedLifetime(share) {} }
        guard let first = parts.first else { return nothing(universe) }
        var result = try words(first, universe, isNegated: isNegated)
        for part in parts.dropFirst() {
            if try isOver(universe.wordCount / 16 + 1, isNegated) { break }
            let found = try words(part, universe, isNegated: isNegated)
            for place in result.indices { result[place] |= found[place] }
        }
        return result
    }

    private func atLeast(
        _ count: Int, _ parts: [FilterNode], _ universe: Universe, _ isNegated: Bool
    ) throws -> [UInt64] {
        guard count > 0 else { return try words(.everything, universe) }
        guard count <= parts.count else { return nothing(universe) }
        let share = try room(for: count + 1, universe)
        defer { withExtendedLifetime(share) {} }
        // By how many parts match, up to the count: those that `count` of them do are the last.
        var reached = [[UInt64]](repeating: nothing(universe), count: count)
        for part in parts {
            if try isOver(count * universe.wordCount / 16 + 1, isNegated) { break }
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
            case .column(let column) = try source(name, all.place, false)
        else { return nil }
        return try bits(operation, column, false)
    }

    /// Nowhere where the time is over before the column is there.
    private func source(
        _ name: String, _ place: Int, _ isNegated: Bool
    ) throws -> AttributeSource {
        do {
            return try snapshot.segments[place].attribute(name, clock)
        } catch let end as SearchEnded {
            if needsAll || isNegated { throw end }
            return .nowhere
        }
    }

    private func attribute(
        _ name: String, _ operation: AttributeComparison.Operation, _ universe: Universe,
        _ isNegated: Bool
    ) throws -> [UInt64] {
        switch try source(name, universe.place, isNegated) {
        case .nowhere: return nothing(universe)
        case .records: return try recorded(name, operation, universe, isNegated)
        case .column(let column):
            guard let some = universe.some else {
                return try bits(operation, column, isNegated)?.words ?? nothing(universe)
            }
            let key = SearchCaches.FilterKey(column: column.number, operation: operation)
            // A code is tested in about the time in which a few are made bits of.
            if some.count < universe.segment.count / 8,
                snapshot.caches?.filters.value(for: key) == nil
            {
                let set = CodeSet(operation, column)
                return try words(of: universe, isNegated) {
                    set.contains(column.code(of: Int($0)))
                }
            }
            guard let bits = try bits(operation, column, isNegated) else {
                return nothing(universe)
            }
            return try words(of: universe, isNegated) { bits.contains($0) }
        }
    }

    /// Made once, and kept as long as it is used; nil where the time is over.
    private func bits(
        _ operation: AttributeComparison.Operation, _ column: AttributeColumn, _ isNegated: Bool
    ) throws -> FilterBits? {
        let key = SearchCaches.FilterKey(column: column.number, operation: operation)
        if let known = snapshot.caches?.filters.value(for: key) { return known }
        do {
            let made = FilterBits(try CodeSet(operation, column).words(isOver(after:)))
            snapshot.caches?.filters.insert(made, for: key, byteCount: made.byteCount)
            return made
        } catch let end as SearchEnded {
            if needsAll || isNegated { throw end }
            return nil
        }
    }

    /// By the records of the living.
    private func recorded(
        _ name: String, _ operation: AttributeComparison.Operation, _ universe: Universe,
        _ isNegated: Bool
    ) throws -> [UInt64] {
        var key = Buffer<UInt8>(capacity: 8)
        // To read a record takes as long as that.
        return try words(of: universe, isNegated, unitsEach: 64) { relative in
            let document = universe.segment.lowerBound &+ relative
            if universe.some == nil, snapshot.dead.contains(document) { return false }
            Key.document(.objects, document, into: &key)
            let head = try store.withValue(key, .objects) { try RecordHead($0) }
            guard let head else {
                throw TextIndexError.corrupted("the record of document \(document)")
            }
            return operation.holds(for: head.attributes[name])
        }
    }

    private func weights(
        _ bounds: AttributeBounds, _ universe: Universe, _ isNegated: Bool
    ) throws -> [UInt64] {
        let weights = try snapshot.segments[universe.place].weights()
        // Most have the same as the one before.
        var last = -Double.infinity
        var isIn = bounds.contains(.number(last))
        return try words(of: universe, isNegated) { document in
            let weight = weights[Int(document)]
            if weight != last { (last, isIn) = (weight, bounds.contains(.number(weight))) }
            return isIn
        }
    }
}

/// Groups of words that were found close together: how often in each string, and their hits where
/// somebody wants them.
struct FoundGroups: ~Copyable {
    private(set) var counts = Buffer<WordCount>()
    private(set) var hits = Buffer<Hit>()
    private let keepsHits: Bool
    /// Whether the hits of a group are one, from its first word to its last one.
    private let joinsHits: Bool
    private let share: MemoryShare
    /// How many groups were added one by one.
    private var appended = 0
    /// Which groups are wanted, by the hit of their first word; nil for all.
    var isWanted: ((Hit) throws -> Bool)?

    init(keepsHits: Bool, joinsHits: Bool = false, _ clock: SearchClock) {
        self.keepsHits = keepsHits
        self.joinsHits = joinsHits
        share = MemoryShare(clock)
    }

    /// Adds a group: it counts once, where its first word occurs.
    mutating func append(_ group: Proximity.Group) throws {
        guard let head = group.first, try isWanted?(head) ?? true else { return }
        add(head, 1)
        if joinsHits, let last = group.last {
            var hit = head
            hit.span = last.position - head.position
            hit.lastTerm = last.term
            hits.append(hit)
        } else if keepsHits {
            group.withUnsafeBufferPointer { hits.append(contentsOf: $0) }
        }
        appended &+= 1
        if appended & 255 == 0 || group.count > 64 { try hold() }
    }

    /// Adds hits each of which is a group.
    mutating func append(single found: borrowing Buffer<Hit>) throws {
        for place in 0..<found.count where try isWanted?(found[place]) ?? true {
            add(found[place], 1)
            if keepsHits { hits.append(found[place]) }
        }
        try hold()
    }

    /// Adds how often groups occur in strings.
    mutating func append(_ found: borrowing Buffer<WordCount>) throws {
        found.withElements { counts.append(contentsOf: $0) }
        try hold()
    }

    private mutating func add(_ head: Hit, _ count: UInt32) {
        let last = counts.count - 1
        if last >= 0, counts[last].document == head.document, counts[last].string == head.string {
            counts[last].count += count
        } else {
            counts.append(
                WordCount(document: head.document, string: head.string, count: count))
        }
    }

    private func hold() throws { try share.grow(to: counts.byteCount + hits.byteCount) }

    /// Puts all in order; false where the time was over.
    mutating func sort(_ work: MatchWork) throws -> Bool {
        let areCountsSorted = try counts.withMutableElements {
            try work.sort($0) { ($0.document, $0.string) < ($1.document, $1.string) }
        }
        if !areCountsSorted { return false }
        return try hits.withMutableElements { try work.sort($0, by: Hit.precedes) }
    }
}

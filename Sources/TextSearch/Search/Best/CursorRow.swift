/// Cursors over the parts of a query that one segment has, in the order of the parts; those of the
/// next segment take their places.
///
/// It owns them, so that moving them counts no references and looks for no other access.
struct CursorRow: ~Copyable {
    /// In the order of the parts.
    private(set) var count = 0
    /// So many of them, the first ones, are over parts that are required.
    private(set) var requiredCount = 0
    private let capacity: Int
    /// `capacity` cursors, of which the first `count` are in use. They are reached by `pointee`: of
    /// the pointer's own subscript the compiler (6.3) makes what it cannot build for the thread
    /// sanitizer.
    private let cursors: UnsafeMutablePointer<ScoredCursor>

    /// With room for so many.
    init(capacity: Int) {
        self.capacity = max(capacity, 0)
        cursors = .allocate(capacity: self.capacity)
        for place in 0..<self.capacity { (cursors + place).initialize(to: ScoredCursor()) }
    }

    deinit {
        cursors.deinitialize(count: capacity)
        cursors.deallocate()
    }

    var isEmpty: Bool { count == 0 }
    var indices: Range<Int> { 0..<count }

    /// The numbers of the cursors over parts that are required, those with the fewest documents
    /// first.
    var byDocumentCount: [Int] {
        let required = 0..<requiredCount
        let counts = required.map { self[$0].documentCount }
        return required.sorted { counts[$0] < counts[$1] }
    }
    /// The numbers of those over parts that are not required.
    var bonuses: Range<Int> { requiredCount..<count }

    subscript(part: Int) -> ScoredCursor {
        @inline(__always)
        _read {
            precondition(UInt(bitPattern: part) < UInt(bitPattern: count))
            let cursor = cursors + part
            yield cursor.pointee
        }
        @inline(__always)
        _modify {
            precondition(UInt(bitPattern: part) < UInt(bitPattern: count))
            let cursor = cursors + part
            yield &cursor.pointee
        }
    }

    mutating func removeAll() {
        count = 0
        requiredCount = 0
    }

    /// Takes one more into use, which `begin` has walk over something.
    mutating func append(
        isBonus: Bool = false, _ begin: (inout ScoredCursor) throws -> Void
    ) rethrows {
        precondition(count < capacity)
        try begin(&(cursors + count).pointee)
        count += 1
        if !isBonus { requiredCount = count }
    }
}

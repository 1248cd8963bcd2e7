/// The memory that a search holds beyond the caches of its index.
///
/// **Invariants**:
/// 1. `used` is what was taken and not given back, and never more than `limit`.
/// 2. From three quarters of the limit on memory is short: what reads postings ends, and what it
///    read can be put together in the rest.
final class SearchMemory {
    /// In bytes; `.max` for no bound.
    let limit: Int
    private let enough: Int
    private(set) var used = 0
    /// The most that was held at once.
    private(set) var peak = 0
    /// Whether memory was ever short.
    private(set) var isShort = false

    init(limit: Int) {
        self.limit = max(limit, 0)
        enough = self.limit == .max ? .max : self.limit - self.limit / 4
    }

    /// Takes memory; throws `.limitExceeded` when there is not so much.
    func take(_ bytes: Int) throws {
        let (sum, overflow) = used.addingReportingOverflow(bytes)
        guard !overflow, sum <= limit else {
            isShort = true
            throw exceeded
        }
        used = sum
        if sum > peak { peak = sum }
        if sum > enough { isShort = true }
    }

    var exceeded: TextIndexError {
        TextIndexError(
            .limitExceeded,
            "The search needs more than \(limit) bytes of memory (QueryLimits.memory).")
    }

    /// Whether so much may be taken without being short.
    func hasRoom(for bytes: Int) -> Bool { bytes <= enough - used }

    func give(_ bytes: Int) { used -= bytes }
}

/// Memory that one holder has of a search's, given back when the last copy of the holder goes.
///
/// **Thread safety**: none; it belongs to its search's thread.
final class MemoryShare {
    private let clock: SearchClock
    private(set) var bytes = 0

    init(_ clock: SearchClock) { self.clock = clock }

    /// With so much at once; see `SearchClock.take(_:)`.
    init(_ clock: SearchClock, _ bytes: Int) throws {
        self.clock = clock
        try grow(to: bytes)
    }

    deinit { clock.give(bytes) }

    /// Holds so much, if it does not hold more.
    func grow(to bytes: Int) throws {
        guard bytes > self.bytes else { return }
        try clock.take(bytes - self.bytes)
        self.bytes = bytes
    }

    /// Holds so much and no more.
    func set(to bytes: Int) throws {
        try grow(to: bytes)
        clock.give(self.bytes - bytes)
        self.bytes = bytes
    }
}

import Synchronization

/// The memory that a search holds beyond the caches of its index.
///
/// **Invariants**:
/// 1. `used` is what was taken and not given back, and never more than `limit`.
/// 2. From three quarters of the limit on memory is short: what reads postings ends, and what it
///    read can be put together in the rest.
final class SearchMemory {
    /// In bytes; `.max` for no bound.
    let limit: Int
    /// From here on it is short, or more is asked of the pool.
    private var enough: Int
    private(set) var used = 0
    /// What several threads of one search have together, and what this one has of it.
    private let pool: SearchMemoryPool?
    private var pooled = 0
    /// The most that was held at once.
    private(set) var peak = 0
    /// Whether memory was ever short.
    private(set) var isShort = false

    init(limit: Int) {
        self.limit = max(limit, 0)
        pool = nil
        enough = self.limit == .max ? .max : self.limit - self.limit / 4
    }

    /// A share of the memory of a search that has several threads, for one of them.
    init(_ pool: SearchMemoryPool) {
        limit = pool.limit
        self.pool = pool
        enough = pool.limit == .max ? .max : 0
    }

    deinit { pool?.give(pooled) }

    /// Takes memory; throws `.limitExceeded` when there is not so much.
    func take(_ bytes: Int) throws {
        let (sum, overflow) = used.addingReportingOverflow(bytes)
        guard !overflow, sum <= limit else {
            isShort = true
            throw exceeded
        }
        used = sum
        if sum > peak { peak = sum }
        if sum > enough { try askForMore(sum, bytes) }
    }

    /// More than enough is used, of which `bytes` are new.
    private func askForMore(_ sum: Int, _ bytes: Int) throws {
        guard let pool else {
            isShort = true
            return
        }
        let needed = sum - pooled
        let wanted = needed + min(SearchMemoryPool.piece, pool.limit / 64)
        switch pool.take(wanted) {
        case .enough:
            pooled += wanted
            enough = pooled
        case .short:
            pooled += wanted
            enough = pooled
            isShort = true
        case .none:
            used -= bytes
            isShort = true
            throw exceeded
        }
    }

    var exceeded: TextIndexError {
        TextIndexError(
            .limitExceeded,
            "The search needs more than \(limit) bytes of memory (QueryLimits.memory).")
    }

    /// Whether so much may be taken without being short.
    func hasRoom(for bytes: Int) -> Bool { bytes <= (pool?.roomLeft ?? 0) + enough - used }

    func give(_ bytes: Int) { used -= bytes }
}

/// The memory of a search that runs on several threads, each of which has a ``SearchMemory``.
///
/// **Thread safety**: may be used from any thread.
final class SearchMemoryPool: Sendable {
    /// So much is taken at a time besides what is needed, unless that is too much of all.
    static let piece = 64 << 10

    enum Answer {
        case enough, short, none
    }

    let limit: Int
    private let used = Mutex(0)

    init(limit: Int) { self.limit = max(limit, 0) }

    func take(_ bytes: Int) -> Answer {
        guard limit < .max else { return .enough }
        return used.withLock { used in
            let (sum, overflow) = used.addingReportingOverflow(bytes)
            guard !overflow, sum <= limit else { return .none }
            used = sum
            return sum > limit - limit / 4 ? .short : .enough
        }
    }

    func give(_ bytes: Int) { used.withLock { $0 -= min(bytes, $0) } }

    /// What may be taken before memory is short.
    var roomLeft: Int {
        limit == .max ? 0 : used.withLock { max(limit - limit / 4 - $0, 0) }
    }
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

/// The budget of a search that runs, and what it left out.
///
/// Every loop that grows with the index or with the query counts its work here, and every buffer
/// that does takes its memory here (`SearchMemory`). Once the clock is spent nothing more of the
/// query is begun.
final class SearchClock {
    /// So much work is done at the most before the time is looked at again, but for the work of one
    /// call.
    static let unitsPerCheck = 1_024

    private let deadline: ContinuousClock.Instant?
    private let cancellation: SearchCancellation?
    /// Whether it may ever be over: to ask the others costs more.
    private var isBounded: Bool
    /// Whether it was found spent: something was left out.
    private(set) var isSpent = false
    /// How many terms a pattern may stand for, and whether one stands for more.
    let maximumExpansions: Int
    private(set) var hasTooManyTerms = false
    /// Whether nothing was left out.
    var isComplete: Bool { !isSpent && !hasTooManyTerms && !lacksPart }
    /// Whether a part of the work that had a clock of its own ran out of time.
    private var lacksPart = false
    /// After how many checks it is over; for tests, which have no time.
    private var checksLeft: Int?
    /// What the search holds; clocks of parts of its work share it.
    let memory: SearchMemory
    /// The work since the time was looked at; the most that there ever was, all that was counted,
    /// and what was done after the end, for tests.
    private var stretch = 0
    private(set) var longestStretch = 0
    private var workBefore = 0
    var countedWork: Int { workBefore &+ stretch }
    private(set) var workAfterEnd = 0

    /// The shorter of both times counts.
    init(
        _ budget: SearchBudget, longest: Duration?, maximumExpansions: Int = .max,
        memory: Int = .max
    ) {
        self.maximumExpansions = maximumExpansions
        self.memory = SearchMemory(limit: memory)
        let time = budget.time.map { min($0, longest ?? $0) } ?? longest
        deadline = time.map { .now + $0 }
        cancellation = budget.cancellation
        checksLeft = budget.checks
        isBounded = deadline != nil || cancellation != nil || checksLeft != nil
    }

    /// A clock of the same time and memory for a part of the work, in which a pattern may stand for
    /// so many terms.
    init(_ other: SearchClock, maximumExpansions: Int) {
        self.maximumExpansions = maximumExpansions
        memory = other.memory
        deadline = other.deadline
        cancellation = other.cancellation
        isBounded = other.isBounded
        checksLeft = other.checksLeft
        isSpent = other.isSpent
    }

    /// A clock from some time on, with memory that others share.
    init(
        _ budget: SearchBudget, longest: Duration?, from start: ContinuousClock.Instant,
        maximumExpansions: Int, sharing memory: SearchMemory
    ) {
        self.maximumExpansions = maximumExpansions
        self.memory = memory
        let time = budget.time.map { min($0, longest ?? $0) } ?? longest
        deadline = time.map { start + $0 }
        cancellation = budget.cancellation
        checksLeft = budget.checks
        isBounded = deadline != nil || cancellation != nil || checksLeft != nil
    }

    /// A clock of the same time for a part of the work, with the memory of another one.
    init(_ other: SearchClock, sharing memory: SearchMemory) {
        maximumExpansions = other.maximumExpansions
        self.memory = memory
        deadline = other.deadline
        cancellation = other.cancellation
        isBounded = other.isBounded
        checksLeft = other.checksLeft
    }

    /// A clock of the same time for a part of the work that has memory of its own.
    init(_ other: SearchClock, memory: Int) {
        maximumExpansions = other.maximumExpansions
        self.memory = SearchMemory(limit: memory)
        deadline = other.deadline
        cancellation = other.cancellation
        isBounded = other.deadline != nil || other.cancellation != nil || other.checksLeft != nil
        checksLeft = other.checksLeft
    }

    /// A clock for a part of the work that may take half of the time that is left, with memory of
    /// its own.
    init(halfOf other: SearchClock, memory: Int) {
        maximumExpansions = other.maximumExpansions
        self.memory = SearchMemory(limit: memory)
        deadline = other.deadline.map { end in
            let now = ContinuousClock.now
            return now + (end - now) / 2
        }
        cancellation = other.cancellation
        isBounded = other.isBounded
        checksLeft = other.checksLeft.map { $0 / 2 }
        isSpent = other.isSpent
    }

    /// For tests: over after so many checks, or with so much memory.
    init(checks: Int, memory: Int = .max) {
        deadline = nil
        cancellation = nil
        checksLeft = checks
        isBounded = true
        maximumExpansions = .max
        self.memory = SearchMemory(limit: memory)
    }

    func noteTooManyTerms() { hasTooManyTerms = true }

    // MARK: Time

    /// Whether the search has to end.
    @inline(__always)
    func check() -> Bool { isBounded && checkTime() }

    /// Counts work, and looks at the time once there was enough of it; whether the search has to
    /// end.
    ///
    /// A unit is a posting, a place of a word, a term, a comparison, a state of a pattern: what
    /// takes some hundred instructions at the most. Call it once for a block of them.
    @inline(__always)
    func isOver(afterWork units: Int) -> Bool { isBounded && countWork(units) }

    /// The same; throws `SearchEnded` when the search has to end.
    @inline(__always)
    func work(_ units: Int) throws {
        if isOver(afterWork: units) { throw SearchEnded() }
    }

    /// How much may be done to put together what was found once the time is over: some ten
    /// milliseconds.
    private var combining = 1 << 20

    /// Counts the work of putting together what was found; whether it has to end, too.
    @inline(__always)
    func isOver(afterCombining units: Int) -> Bool {
        guard isOver(afterWork: units) else { return false }
        combining &-= units
        return combining < 0
    }

    @inline(never)
    private func countWork(_ units: Int) -> Bool {
        stretch &+= units
        return stretch < Self.unitsPerCheck ? isSpent : checkTime()
    }

    @inline(never)
    private func checkTime() -> Bool {
        longestStretch = max(longestStretch, stretch)
        workBefore &+= stretch
        if isSpent { workAfterEnd &+= stretch }
        stretch = 0
        if isSpent { return true }
        if let left = checksLeft {
            checksLeft = left - 1
            isSpent = left <= 0
            return isSpent
        }
        isSpent = cancellation?.isCancelled ?? false || deadline.map { $0 <= .now } ?? false
        return isSpent
    }

    /// Notes a part of the work that ran out of time; the rest goes on. What a part leaves out for
    /// want of memory of its own does not count.
    func note(_ part: SearchClock) {
        if part.isSpent, !part.memory.isShort { lacksPart = true }
    }

    /// How long it may take to show what was found: what is left of the time, but 40 ms at the
    /// least; nil where it has no end.
    var timeToShow: Duration? { deadline.map { max($0 - .now, .milliseconds(40)) } }

    // MARK: Memory

    /// Takes memory. When that leaves less than a quarter of all, the search ends with what it has:
    /// the clock is spent. Give back what is freed.
    ///
    /// Throws `TextIndexError` with `.limitExceeded` when there is not so much; then nothing is
    /// taken.
    func take(_ bytes: Int) throws {
        try memory.take(bytes)
        if memory.isShort, !isSpent {
            isSpent = true
            isBounded = true
        }
    }

    /// Throws `.limitExceeded` when something was left out for want of memory, for whoever is
    /// promised all.
    func checkComplete() throws {
        if isSpent, memory.isShort { throw memory.exceeded }
    }

    /// Gives memory back.
    func give(_ bytes: Int) { memory.give(bytes) }
}

/// Thrown where a search has to end and what was found so far cannot be used.
struct SearchEnded: Error {}

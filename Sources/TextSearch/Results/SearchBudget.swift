import Synchronization

/// How long a search may take: given to a search, which then ends with the best that it found so far.
///
/// ```swift
/// let results = try index.search("*a*", budget: .time(.milliseconds(20)))
/// if !results.isComplete { showThatThereIsMore() }
/// ```
///
/// What is given is right, but there may be more, and better: ``SearchResults/isComplete`` is false, and ``SearchResults/totalCount`` a lower
/// bound. The time is looked at between terms, blocks of postings and objects, each of which takes far less than a millisecond; making the items of the
/// page is not cut short.
///
/// Keyword searches take one too: ``TextIndex/enumerateResults(forKeyword:options:budget:using:)`` and
/// ``TextIndex/resultCount(forKeyword:budget:)``.
///
/// **Thread safety**: an immutable value.
public struct SearchBudget: Sendable {
    let time: Duration?
    let cancellation: SearchCancellation?

    /// A budget.
    ///
    /// - Parameters:
    ///   - time: how long the search may take; nil for as long as it does.
    ///   - cancellation: what ends it early.
    public init(time: Duration? = nil, cancellation: SearchCancellation? = nil) {
        self.time = time
        self.cancellation = cancellation
    }

    /// No bounds but ``TextIndexConfiguration/searchTimeout``.
    public static let unlimited = SearchBudget()

    /// A time.
    ///
    /// - Parameter time: how long the search may take.
    /// - Returns: The budget.
    public static func time(_ time: Duration) -> SearchBudget { SearchBudget(time: time) }

    /// A cancellation.
    ///
    /// - Parameter cancellation: what ends the search early.
    /// - Returns: The budget.
    public static func cancelled(by cancellation: SearchCancellation) -> SearchBudget {
        SearchBudget(cancellation: cancellation)
    }
}

/// Ends searches early: those that were given it in their ``SearchBudget``.
///
/// **Thread safety**: may be used from any thread.
public final class SearchCancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    /// What it happens with, too.
    private let other: SearchCancellation?

    /// Creates a cancellation that has not happened.
    public init() { other = nil }

    /// One that happens with another, if there is one, or by itself.
    init(orWith other: SearchCancellation?) { self.other = other }

    /// Ends the searches that hold it, and those that will.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether it happened.
    public var isCancelled: Bool {
        flag.load(ordering: .relaxed) || other?.isCancelled ?? false
    }
}

/// The budget of a search that runs, and what it left out.
final class SearchClock {
    private let deadline: ContinuousClock.Instant?
    private let cancellation: SearchCancellation?
    /// Whether it may ever be over: to ask the others costs more.
    private let isBounded: Bool
    /// Whether it was found spent: something was left out.
    private(set) var isSpent = false
    /// How many terms a pattern may stand for, and whether one stands for more.
    let maximumExpansions: Int
    private(set) var hasTooManyTerms = false
    /// Whether nothing was left out.
    var isComplete: Bool { !isSpent && !hasTooManyTerms }
    /// After how many checks it is over; for tests, which have no time.
    private var checksLeft: Int?

    /// The shorter of both times counts.
    init(_ budget: SearchBudget, longest: Duration?, maximumExpansions: Int = .max) {
        self.maximumExpansions = maximumExpansions
        let time = budget.time.map { min($0, longest ?? $0) } ?? longest
        deadline = time.map { .now + $0 }
        cancellation = budget.cancellation
        isBounded = deadline != nil || cancellation != nil
    }

    /// A clock of the same time for a part of the work, in which a pattern may stand for so many terms.
    init(_ other: SearchClock, maximumExpansions: Int) {
        self.maximumExpansions = maximumExpansions
        deadline = other.deadline
        cancellation = other.cancellation
        isBounded = other.isBounded
        checksLeft = other.checksLeft
        isSpent = other.isSpent
    }

    init(checks: Int) {
        deadline = nil
        cancellation = nil
        checksLeft = checks
        isBounded = true
        maximumExpansions = .max
    }

    func noteTooManyTerms() { hasTooManyTerms = true }

    /// Whether the search has to end.
    @inline(__always)
    func check() -> Bool { isBounded && checkTime() }

    @inline(never)
    private func checkTime() -> Bool {
        if isSpent { return true }
        if let left = checksLeft {
            checksLeft = left - 1
            isSpent = left <= 0
            return isSpent
        }
        isSpent = cancellation?.isCancelled ?? false || deadline.map { $0 <= .now } ?? false
        return isSpent
    }
}

/// Thrown where a search has to end and what was found so far cannot be used.
struct SearchEnded: Error {}

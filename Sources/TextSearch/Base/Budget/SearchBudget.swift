import Synchronization

/// How long a search may take: given to a search, which then ends with the best that it found so far.
///
/// ```swift
/// let results = try index.search("*a*", budget: .time(.milliseconds(20)))
/// if !results.isComplete { showThatThereIsMore() }
/// ```
///
/// What is given is right, but there may be more, and better: ``SearchResults/isComplete`` is false, and ``SearchResults/totalCount`` a lower
/// bound. The time is looked at after every 1,024 units of work at the latest: postings, places of words, terms of the vocabulary, states of a pattern. Making the
/// items of the page is not cut short.
///
/// Keyword searches take one too: ``TextIndex/enumerateResults(forKeyword:options:budget:using:)`` and
/// ``TextIndex/resultCount(forKeyword:budget:)``.
///
/// **Thread safety**: an immutable value.
public struct SearchBudget: Sendable {
    let time: Duration?
    let cancellation: SearchCancellation?
    /// After how many looks at the time it is over; for tests, which have no time.
    var checks: Int?

    /// A budget.
    ///
    /// - Parameters:
    ///   - time: how long the search may take; nil for as long as it does.
    ///   - cancellation: what ends it early.
    public init(time: Duration? = nil, cancellation: SearchCancellation? = nil) {
        self.time = time
        self.cancellation = cancellation
    }

    /// The same with so much time at the most.
    func within(_ longest: Duration?) -> SearchBudget {
        var budget = SearchBudget(
            time: time.map { min($0, longest ?? $0) } ?? longest, cancellation: cancellation)
        budget.checks = checks
        return budget
    }

    /// What is left of it until some time, but a millisecond at the least.
    package func until(_ deadline: ContinuousClock.Instant) -> SearchBudget {
        within(max(deadline - .now, .milliseconds(1)))
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

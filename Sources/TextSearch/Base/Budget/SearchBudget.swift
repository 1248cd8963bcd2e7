import Synchronization

/// How long a search may take. A search that runs out of time ends with the best results so far.
///
/// ```swift
/// let results = try index.search("*a*", budget: .time(.milliseconds(20)))
/// if !results.isComplete { showThatThereIsMore() }
/// ```
///
/// The results are right, but there may be more and better ones: ``SearchResults/isComplete`` is
/// false, and ``SearchResults/totalCount`` is a lower bound. The time is checked at least once in
/// 1,024 units of work: postings, positions of words, terms of the vocabulary, states of a pattern.
/// Making the items of the page is not cut short.
///
/// Keyword searches take one too: ``TextIndex/enumerateResults(forKeyword:options:budget:using:)``
/// and ``TextIndex/resultCount(forKeyword:budget:)``.
///
/// **Thread safety**: an immutable value.
public struct SearchBudget: Sendable {
    let time: Duration?
    let cancellation: SearchCancellation?
    /// After how many looks at the time it is over; for tests, which have no time.
    var checks: Int?

    /// Creates a budget of a time, a cancellation, or both.
    ///
    /// - Parameters:
    ///   - time: how long the search may take; nil, the default, adds no limit.
    ///   - cancellation: what ends it early.
    public init(time: Duration? = nil, cancellation: SearchCancellation? = nil) {
        self.time = time
        self.cancellation = cancellation
    }

    /// The same with so much time at the most.
    package func within(_ longest: Duration?) -> SearchBudget {
        var budget = SearchBudget(
            time: time.map { min($0, longest ?? $0) } ?? longest, cancellation: cancellation)
        budget.checks = checks
        return budget
    }

    /// What is left of it until some time, but a millisecond at the least.
    package func until(_ deadline: ContinuousClock.Instant) -> SearchBudget {
        within(max(deadline - .now, .milliseconds(1)))
    }

    /// No limit but ``TextIndexConfiguration/searchTimeout``; the default of searches.
    public static let unlimited = SearchBudget()

    /// Creates a budget that limits the time of a search.
    ///
    /// - Parameter time: how long the search may take.
    /// - Returns: The budget.
    public static func time(_ time: Duration) -> SearchBudget { SearchBudget(time: time) }

    /// Creates a budget that ends a search when it is cancelled.
    ///
    /// - Parameter cancellation: what ends the search early.
    /// - Returns: The budget.
    public static func cancelled(by cancellation: SearchCancellation) -> SearchBudget {
        SearchBudget(cancellation: cancellation)
    }
}

/// Ends every search that has it in its ``SearchBudget``.
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

    /// Ends the running and future searches that use this cancellation.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether ``cancel()`` was called, on any thread.
    public var isCancelled: Bool {
        flag.load(ordering: .relaxed) || other?.isCancelled ?? false
    }
}

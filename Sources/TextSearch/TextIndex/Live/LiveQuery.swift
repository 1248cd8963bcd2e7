import Synchronization

/// A query whose answer is followed from commit to commit.
///
/// It remembers the answer that it gave last, not the commits since: whoever asks late gets one
/// difference over all of them, and nothing piles up while nobody asks. It holds no state of the
/// index.
///
/// **Thread safety**: guarded.
package final class LiveQuery<Object>: Sendable {
    private struct State {
        var matches = LiveMatches()
        var choices = LiveChoices()
        var shown: [ShownResult] = []
        var totalCount: SearchResults<Object>.TotalCount?
        var isComplete = true
        var searchCount = 0
    }

    let index: TextIndex<Object>
    private let request: SearchRequest
    /// Matches whatever the request may come to match.
    private let broadest: Query
    private let rescoresAlways: Bool
    /// How long each search may take.
    private let time: Duration?
    private let state = Mutex(State())

    init(_ index: TextIndex<Object>, _ request: SearchRequest, _ options: LiveOptions) throws {
        try index.checkPage(request)
        self.index = index
        rescoresAlways = options.rescoresAlways
        time = options.time
        var request = request
        // Nobody reads what could be said of unknown words.
        request.checksWords = false
        self.request = request
        let asked = request.query
        // Which words a step takes for others depends on all objects.
        let isWhole = request.steps == .exact
        let wider =
            request.fallsBack && isWhole
            ? request.readings.map(\.query) + [asked.anyInsteadOfAll].compactMap(\.self) : []
        broadest = isWhole ? wider.isEmpty ? asked : Query(.any([asked] + wider)) : .everything
    }

    var commits: CommitSignal { index.writer.commits }

    /// How often it searched; for tests.
    var searchCount: Int { state.withLock { $0.searchCount } }

    /// What changed since it was asked last; nil when nothing did. Also the commit up to which that
    /// is said.
    ///
    /// Once it is cancelled, what it gives may be less than there is.
    package func poll(
        _ cancellation: SearchCancellation? = nil
    ) throws -> (difference: LiveDifference<Object>?, generation: UInt64) {
        try poll(SearchBudget(time: time, cancellation: cancellation)) { index.clock($0) }
    }

    /// `clock` makes one for the look at what is new, and one for the search.
    func poll(
        _ budget: SearchBudget, clock: (SearchRequest) -> SearchClock
    ) throws -> (difference: LiveDifference<Object>?, generation: UInt64) {
        try index.usage.search {
            let snapshot = index.writer.snapshot
            var request = request
            request.snapshot = snapshot
            request.budget = budget
            let difference = try state.withLock { state in
                try self.difference(request, in: snapshot, &state, clock)
            }
            return (difference, snapshot.generation)
        }
    }

    /// Returns at the next commit after one: true; or false when there will be none, or when the
    /// task is cancelled.
    package func waitForCommit(after generation: UInt64) async -> Bool {
        await commits.next(after: generation)
    }

    private func difference(
        _ request: SearchRequest, in snapshot: Snapshot, _ state: inout State,
        _ clock: (SearchRequest) -> SearchClock
    ) throws -> LiveDifference<Object>? {
        var matches = state.matches
        var choices = state.choices
        let looking = clock(request)
        let change = try matches.update(to: snapshot, looking) {
            try documents(of: request, in: $0, looking)
        }
        let hasLearned = try choices.update(to: snapshot) { try index.engagements(for: request) }
        if !hasLearned, change == .none || change == .others && !rescoresAlways {
            state.matches = matches
            state.choices = choices
            return nil
        }
        state.searchCount += 1
        let results = try index.search(request, clock(request))
        // What was cut short may be more next time.
        if !results.isComplete { matches.forget() }
        let difference = LiveDifference(
            from: state.shown, to: results.items, totalCount: results.totalCount,
            isComplete: results.isComplete)
        let isNew =
            state.totalCount != results.totalCount || state.isComplete != results.isComplete
            || !difference.isEmpty
        state.matches = matches
        state.choices = choices
        state.shown = results.items.map(ShownResult.init)
        state.totalCount = results.totalCount
        state.isComplete = results.isComplete
        return isNew ? difference : nil
    }

    /// What the query matches in some segments; nil where that is not known.
    private func documents(
        of request: SearchRequest, in some: Snapshot, _ clock: SearchClock
    ) throws -> [UInt32]? {
        var evaluator = index.evaluator(some, request.ranking, clock)
        do {
            let found = try evaluator.evaluate(broadest, .documents)
            return clock.isComplete ? found?.documents : nil
        } catch is SearchEnded {
            return nil
        }
    }
}

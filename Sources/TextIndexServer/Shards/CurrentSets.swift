import HTTPTypes
import Synchronization
import TextIndexInterface
import TextSearch

/// The set that a node serves, and the one before it for those who still ask for that.
///
/// Servers that spread searches go over to a new set when every shard of it is there. Until then
/// they ask for the old one, by its generation.
///
/// **Thread safety**: guarded.
final class CurrentSets<Object: Sendable>: Sendable {
    private struct State {
        var current: ServedSet<Object>
        /// All of its shards, where they are all here and somebody searched them.
        var whole: IndexesAsOne<Object>?
        /// The shards that were asked for last, as requests name them.
        var named: (generation: String, numbers: String, shards: [ServedShard<Object>])?
        var earlier: (set: ServedSet<Object>, end: ContinuousClock.Instant)?
    }

    private let source: SetSource<Object>
    private let state: Mutex<State>
    /// How long the one before is kept.
    private let overlap: Duration

    init(_ source: SetSource<Object>, overlap: Duration) throws {
        self.source = source
        self.overlap = overlap
        state = Mutex(State(current: try source.open()))
    }

    /// The sets that are served, the newest first.
    var all: [ServedSet<Object>] {
        state.withLock { [$0.current] + ($0.earlier.map { [$0.set] } ?? []) }
    }

    var current: ServedSet<Object> { state.withLock { $0.current } }

    /// The current set, and all of its shards as one index; nil where some are elsewhere.
    func whole() throws -> (set: ServedSet<Object>, IndexesAsOne<Object>)? {
        try state.withLock { state in
            let set = state.current
            if let whole = state.whole { return (set, whole) }
            guard set.shards.count == set.plan.names.count else { return nil }
            let shards = set.shards.map { $0.served }
            let whole = try IndexesAsOne(shards, memory: Self.memory(of: shards))
            state.whole = whole
            return (set, whole)
        }
    }

    /// Each shard has its part of the server's memory; all of them are one search.
    private static func memory(of all: [ServedIndex<Object>]) -> Int {
        all.reduce(0) { sum, served in
            let part = served.index.configuration.queryLimits.memory
            let (more, isTooMuch) = sum.addingReportingOverflow(max(part, 0))
            return isTooMuch ? .max : more
        }
    }

    /// The set of a generation.
    ///
    /// - Throws: ``Problem`` where it is not served, or not any more.
    func set(of generation: String) throws -> ServedSet<Object> {
        let set: ServedSet<Object>? = state.withLock { state in
            if state.current.plan.generation == generation { return state.current }
            guard let earlier = state.earlier?.set, earlier.plan.generation == generation else {
                return nil
            }
            return earlier
        }
        guard let set else { throw Problem.otherGeneration }
        return set
    }

    /// Some shards of a set that is served, if they were the last to be kept; nil where they were
    /// not.
    func kept(_ numbers: String, of generation: String) -> [ServedShard<Object>]? {
        state.withLock { state in
            guard let named = state.named, named.numbers == numbers,
                named.generation == generation
            else { return nil }
            return named.shards
        }
    }

    /// Keeps some shards of a set: those who ask mostly ask for the same ones again.
    func keep(_ shards: [ServedShard<Object>], as numbers: String, of generation: String) {
        state.withLock { state in
            // It may be gone by now.
            guard
                [state.current.plan.generation, state.earlier?.set.plan.generation]
                    .contains(generation)
            else { return }
            state.named = (generation, numbers, shards)
        }
    }

    /// Opens a newer set if there is one, and lets go of the one before that is kept long enough.
    /// Blocks its thread.
    func refresh(at now: ContinuousClock.Instant = .now) throws {
        state.withLock { state in
            guard let earlier = state.earlier, earlier.end <= now else { return }
            state.earlier = nil
            state.named = nil
        }
        guard try source.newest() != current.plan else { return }
        let opened = try source.open()
        state.withLock { state in
            guard opened.plan != state.current.plan else { return }
            state.earlier = (state.current, now + overlap)
            state.current = opened
            state.whole = nil
            state.named = nil
        }
    }
}

extension Problem {
    static let otherGeneration = Problem(
        .conflict, "other-generation", "The set is another one",
        "This node serves no set of this generation; GET /v1/shards names those that it serves.",
        parameter: "generation")

    static func missingShards(_ names: [String], because reasons: [String] = []) -> Problem {
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and more" : "")
        var problem = Problem(
            .serviceUnavailable, "shards-missing", "Some shards cannot be searched",
            "No node answers for \(shown)"
                + (reasons.isEmpty ? "." : ": \(reasons.joined(separator: "; "))."))
        problem.headers[.retryAfter] = "1"
        return problem
    }
}

import TextIndexInterface

#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// Which set is searched, by which nodes.
///
/// A new set is searched once some replica serves each of its shards. Until then it is the one
/// before, for as long as that is served. Every search is one of one set, from its first phase to
/// its last.
///
/// **Thread safety**: guarded.
final class SpreadPlan: Sendable {
    /// The shards of one group in a set.
    struct Part: Sendable {
        let shards: [Int]
        let group: ReplicaGroup
    }

    let groups: [ReplicaGroup]
    private let newest: @Sendable () throws -> SetPlan
    private let state: Mutex<(current: SetPlan, wanted: SetPlan, turn: Int)>

    init(_ groups: [ReplicaGroup], newest: @escaping @Sendable () throws -> SetPlan) throws {
        self.groups = groups
        self.newest = newest
        let plan = try newest()
        state = Mutex((plan, plan, 0))
    }

    /// The set that is searched.
    var current: SetPlan { state.withLock { $0.current } }

    /// A number that goes on.
    func nextTurn() -> Int {
        state.withLock { state in
            state.turn &+= 1
            return state.turn & 0xFFFF
        }
    }

    /// The shards of a set by groups; those that no group has are left out.
    func parts(of plan: SetPlan) -> [Part] {
        groups.compactMap { group in
            let shards = group.numbers.numbers(of: plan.names.count)
            return shards.isEmpty ? nil : Part(shards: shards, group: group)
        }
    }

    /// The numbers of the shards that nobody serves.
    func missing(of plan: SetPlan) -> [Int] {
        let served = parts(of: plan)
            .filter { $0.group.serves($0.shards, of: plan.generation) }.flatMap(\.shards)
        let known = Set(served)
        return plan.names.indices.filter { !known.contains($0) }
    }

    /// The numbers of the shards that nobody serves, or whose files are gone where they are served.
    func lacking(of plan: SetPlan) -> [Int] {
        let gone = parts(of: plan).flatMap { $0.group.gone($0.shards, of: plan.generation) }
        return Set(missing(of: plan) + gone).sorted()
    }

    /// Why nodes do not serve the shards of a set as they should, each with its name.
    func reasons(of plan: SetPlan) -> [(node: String, reason: String)] {
        parts(of: plan).flatMap { part in
            part.group.replicas.compactMap { replica in
                replica.reason(part.shards, of: plan.generation).map { (replica.node.name, $0) }
            }
        }
    }

    /// Looks which set is the newest. Blocks its thread.
    func refresh() throws {
        let plan = try newest()
        state.withLock { $0.wanted = plan }
    }

    /// Asks all replicas what they serve, and goes over to the newest set once that can be
    /// searched.
    ///
    /// - Parameters:
    ///   - deadline: how long a replica may take.
    ///   - patience: how long to wait for their answers; one that is late counts when it is there.
    func poll(until deadline: ContinuousClock.Instant, patience: Duration) async {
        let (answers, sink) = AsyncStream.makeStream(of: Void.self)
        let polls = groups.flatMap(\.replicas).map { replica in
            replica.poll(until: deadline) { self.decide() }
        }
        let all = Task {
            for poll in polls { await poll.value }
            sink.finish()
        }
        let clock = Task {
            try? await Task.sleep(for: patience)
            sink.finish()
        }
        for await _ in answers {}
        clock.cancel()
        all.cancel()
    }

    private func decide() {
        let (current, wanted, _) = state.withLock { $0 }
        guard current != wanted else { return }
        let (old, new) = (missing(of: current), missing(of: wanted))
        // Of two that are not whole, the one of which less is missing.
        let oldShare = Double(old.count) / Double(max(current.names.count, 1))
        let newShare = Double(new.count) / Double(max(wanted.names.count, 1))
        guard new.isEmpty || newShare <= oldShare else { return }
        state.withLock { state in
            if state.wanted == wanted { state.current = wanted }
        }
    }
}

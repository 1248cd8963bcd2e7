import TextIndexInterface

#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// A node that holds the same shards as others of its group.
///
/// **Thread safety**: guarded.
final class Replica: Sendable {
    struct State: Sendable {
        /// The shards that it said to serve, by the generation of the set.
        var offers: [String: Set<Int>] = [:]
        /// Those of them whose files are gone: they may be answered for as long as they are open.
        var gone: [String: Set<Int>] = [:]
        /// Whether it answered the last time that it was asked.
        var isReachable = false
        /// Requests that it has not answered yet.
        var open = 0
        var requests = 0
        var failures = 0
        /// Why it does not answer; nil once it does again.
        var failure: NodeFailure?
        /// Whether it did not say which shards it serves.
        var isFailureOfPoll = false
        /// What asks it which shards it serves, as long as that takes.
        var poll: Task<Void, Never>?
    }

    let node: any NodeTransport
    let numbers: ShardNumbers
    private let state = Mutex(State())

    init(_ node: any NodeTransport, _ numbers: ShardNumbers) {
        self.node = node
        self.numbers = numbers
    }

    var current: State { state.withLock { $0 } }

    /// Asks which shards it serves, unless that is asked already.
    ///
    /// - Parameters:
    ///   - deadline: how long it may take.
    ///   - done: called when it is known.
    /// - Returns: What ends then.
    func poll(
        until deadline: ContinuousClock.Instant, _ done: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        state.withLock { state in
            if let poll = state.poll { return poll }
            let poll = Task {
                await self.poll(until: deadline)
                self.state.withLock { $0.poll = nil }
                done()
            }
            state.poll = poll
            return poll
        }
    }

    private func poll(until deadline: ContinuousClock.Instant) async {
        do {
            let reply = try await node.send("/v1/shards", nil, until: deadline)
            guard reply.status == 200 else { throw NodeFailure.refused(reply.status) }
            let (offers, gone) = try Self.offers(reply.body)
            state.withLock { state in
                state.offers = offers
                state.gone = gone
                state.isReachable = true
                // Why it did not do what it was asked is told until it does.
                if state.isFailureOfPoll || state.failure?.isOfConnection ?? false {
                    state.failure = nil
                    state.isFailureOfPoll = false
                }
            }
        } catch is CancellationError {
        } catch {
            state.withLock { state in
                state.isReachable = false
                state.failure = error as? NodeFailure ?? .closed
                state.isFailureOfPoll = true
                // Its former offers are gone.
                if case NodeFailure.otherVersion = error { state.offers = [:] }
            }
        }
    }

    private static func offers(
        _ body: [UInt8]
    ) throws -> (offers: [String: Set<Int>], gone: [String: Set<Int>]) {
        guard case .object(let members)? = try? JSONReader.value(of: body) else {
            throw NodeFailure.malformed
        }
        let messages = members.first { $0.name == "messages" }?.value
        let version: Int? = if case .int(let number)? = messages { number } else { nil }
        guard version == Int(ShardMessage.version) else { throw NodeFailure.otherVersion(version) }
        guard case .array(let sets)? = members.first(where: { $0.name == "sets" })?.value else {
            throw NodeFailure.malformed
        }
        var offers: [String: Set<Int>] = [:]
        var gone: [String: Set<Int>] = [:]
        for set in sets {
            guard case .object(let set) = set,
                case .string(let generation)? = set.first(where: { $0.name == "generation" })?
                    .value,
                case .array(let shards)? = set.first(where: { $0.name == "shards" })?.value
            else { throw NodeFailure.malformed }
            for shard in shards {
                guard case .object(let shard) = shard,
                    case .int(let number)? = shard.first(where: { $0.name == "number" })?.value
                else { throw NodeFailure.malformed }
                offers[generation, default: []].insert(number)
                if case .bool(false)? = shard.first(where: { $0.name == "isThere" })?.value {
                    gone[generation, default: []].insert(number)
                }
            }
        }
        return (offers, gone)
    }

    // MARK: Requests

    /// Sends a request, and notes whether it is answered.
    func send(
        _ path: String, _ body: [UInt8], until deadline: ContinuousClock.Instant
    ) async throws -> NodeReply {
        state.withLock { state in
            state.open += 1
            state.requests += 1
        }
        defer { state.withLock { $0.open -= 1 } }
        do {
            let reply = try await node.send(path, body, until: deadline)
            state.withLock { state in
                state.isReachable = true
                if reply.status == 200 { state.failure = nil }
            }
            return reply
        } catch let failure as NodeFailure {
            state.withLock { state in
                state.failures += 1
                state.failure = failure
                state.isFailureOfPoll = false
                switch failure {
                // One that is slow may answer the next time, and one that said much does.
                case .outOfTime, .tooMuch: break
                default: state.isReachable = false
                }
            }
            throw failure
        }
    }

    /// Notes why it did not do what it was asked.
    func note(_ failure: NodeFailure) {
        state.withLock { state in
            state.failures += 1
            state.failure = failure
            state.isFailureOfPoll = false
        }
    }

    /// Why it does not serve some shards of a set as it should; nil where it does.
    func reason(_ shards: [Int], of generation: String) -> String? {
        let state = current
        guard state.isReachable else { return state.failure?.description ?? "no answer yet" }
        guard let offered = state.offers[generation] else {
            return state.failure?.description ?? "it serves another set"
        }
        guard offered.isSuperset(of: shards) else { return "it serves other shards" }
        return state.gone[generation]?.isDisjoint(with: shards) ?? true
            ? nil : "files of its shards are gone"
    }

    /// Notes why nothing is to be asked of it until it says what it serves.
    func leave(_ failure: NodeFailure) {
        note(failure)
        state.withLock { $0.offers = [:] }
    }

    /// Notes that it does not serve a set any more.
    func forget(_ generation: String) {
        state.withLock { $0.offers[generation] = nil }
    }
}

/// Nodes that hold the same shards.
struct ReplicaGroup: Sendable {
    let numbers: ShardNumbers
    let replicas: [Replica]

    /// Those that serve shards of a set, the likeliest to answer soon first.
    ///
    /// - Parameters:
    ///   - shards: the numbers of the shards.
    ///   - generation: that of the set.
    ///   - turn: a number that goes on, so that equal ones take turns.
    /// - Returns: The replicas.
    func serving(_ shards: [Int], of generation: String, turn: Int) -> [Replica] {
        let known = replicas.enumerated().compactMap {
            place, replica -> (replica: Replica, state: Replica.State, isWhole: Bool, turn: Int)? in
            let state = replica.current
            guard let offered = state.offers[generation], offered.isSuperset(of: shards) else {
                return nil
            }
            let place = (place + turn) % replicas.count
            let isWhole = state.gone[generation]?.isDisjoint(with: shards) ?? true
            return (replica, state, isWhole, place)
        }
        return known.sorted { a, b in
            if a.state.isReachable != b.state.isReachable { return a.state.isReachable }
            if a.isWhole != b.isWhole { return a.isWhole }
            if a.state.open != b.state.open { return a.state.open < b.state.open }
            return a.turn < b.turn
        }.map(\.replica)
    }

    /// Whether some replica serves shards of a set and answered when it was asked last.
    func serves(_ shards: [Int], of generation: String) -> Bool {
        replicas.contains { replica in
            let state = replica.current
            return state.isReachable && state.offers[generation]?.isSuperset(of: shards) ?? false
        }
    }

    /// Those of some shards whose files all replicas lack that answer for them.
    func gone(_ shards: [Int], of generation: String) -> Set<Int> {
        let serving = replicas.map(\.current).filter { state in
            state.isReachable && state.offers[generation]?.isSuperset(of: shards) ?? false
        }
        guard var gone = serving.first?.gone[generation] else { return [] }
        for state in serving.dropFirst() { gone.formIntersection(state.gone[generation] ?? []) }
        return gone
    }
}

import HTTPTypes
import TextIndexInterface
import TextSearch

/// One search over many nodes, in two phases: what each knows of the query, then what each finds by
/// the sums.
///
/// Both phases are of one set, and of the same content. Where a node has another set in between,
/// all begins again.
struct SpreadSearch: Sendable {
    /// What is asked of the replicas of one group.
    struct Group: Sendable {
        let shards: [Int]
        let replicas: [Replica]
        /// Whether one of them answered the last time.
        var isReachable: Bool { replicas.contains { $0.current.isReachable } }
    }

    private typealias Outcome<Reading> = Result<Reading, NodeFailure>

    /// A set was exchanged amid a search.
    struct Rolled: Error {}

    let request: SpreadRequest
    let plan: SetPlan
    let times: SearchTimes
    let hedging: (statistics: Hedging, search: Hedging)
    let groups: [Group]
    /// Whether a group that has another set by now is left out instead of beginning again.
    let isLastAttempt: Bool
    /// How long to wait for a group none of whose nodes answered the last time, where others did:
    /// polling finds one that is back.
    let patience: Duration

    /// Whose threads read and merge what is large.
    let gate: SearchGate

    /// What is known of searches that were made before; nil where nothing is kept.
    var kept: KnownStatistics?

    /// - Returns: What was found.
    /// - Throws: ``Rolled``; ``Problem``; `CancellationError`.
    func found() async throws -> SpreadFound {
        let key = KnownStatistics.Key(
            generation: plan.generation, shards: groups.map(\.shards), asked: request.asked)
        do {
            return try await found(key)
        } catch {
            // Whatever was wrong: it is asked anew the next time.
            kept?.remove(key)
            throw error
        }
    }

    private func found(_ key: KnownStatistics.Key) async throws -> SpreadFound {
        var groups = groups
        var missing = Set(plan.names.indices).subtracting(groups.flatMap(\.shards))
        if let known = kept?[key] {
            let found = try await found(groups, known, missing, mayBeginAgain: true)
            if found.missing == missing { return found }
            // What is known is of groups that are gone: it says nothing of those that are left.
            kept?.remove(key)
            groups.removeAll { !found.missing.isDisjoint(with: $0.shards) }
            missing = found.missing
            guard .now < end else { return found }
        }
        let (sum, early) = try await statistics(&groups, &missing)
        if groups.count == key.shards.count { kept?.insert(sum, for: key) }
        return try await found(groups, sum, missing, early: early)
    }

    /// The second phase, by the sums of the first one over some groups. `early`: what groups found
    /// by these in the first; empty where none did.
    private func found(
        _ groups: [Group], _ sum: KnownStatistics.Sum, _ missing: Set<Int>,
        mayBeginAgain: Bool = false, early: [ShardReply?] = []
    ) async throws -> SpreadFound {
        var missing = missing
        let facets = request.facets
        // Where hits may be left to be asked for, that takes a part of the time.
        let hasShownFew = early.contains { $0 != nil }
        let isLast = !mayBeginAgain && !hasShownFew && request.showsAtOnce
        let shown = isLast ? 0..<request.mostShownAtOnce : shownAtOnce(of: groups)
        let late = groups.indices.filter { early.isEmpty || early[$0] == nil }
        var others = try await inEach(
            late.map { groups[$0] }, hedging.search, isLast: isLast,
            { ShardReply($0.body, counting: facets) }
        ) { group, deadline in
            (
                "/v1/shard/search",
                body(group, sum.bytes, showing: shown, until: deadline)
            )
        }[...]
        let outcomes: [Outcome<ShardReply>] = groups.indices.map { place in
            if !early.isEmpty, let reply = early[place] { return .success(reply) }
            return others.popFirst() ?? .failure(.unreachable)
        }
        var parts: [SpreadFound.Part] = []
        for ((group, outcome), mark) in zip(zip(groups, outcomes), sum.marks) {
            guard let reply = try? outcome.get() else {
                missing.formUnion(group.shards)
                continue
            }
            guard reply.mark == mark else { throw Rolled() }
            parts.append(.init(group: group, reply: reply))
        }
        guard !parts.isEmpty else { throw problem(of: outcomes) }
        var found = try await merged(parts, missing)
        try await show(&found, sum.bytes)
        return found
    }

    /// The hits that are shown before it is known whose are on the page.
    private func shownAtOnce(of groups: [Group]) -> Range<Int> {
        let most = groups.map(\.shards.count).max() ?? 0
        let all = groups.reduce(0) { $0 + $1.shards.count }
        return
            0..<request.shownAtOnce(
                groups: groups.count, share: Double(most) / Double(max(all, 1)))
    }

    /// An event loop is kept from others no longer than it takes to merge so many hits.
    static var mostAtOnce: Int { 100 }
    /// And to read so many bytes.
    private static var longestAtOnce: Int { 32_768 }

    private func merged(
        _ parts: [SpreadFound.Part], _ missing: Set<Int>
    ) async throws -> SpreadFound {
        guard parts.reduce(0, { $0 + $1.reply.ranks.count }) > Self.mostAtOnce else {
            return SpreadFound(request, parts, missing: missing)
        }
        return try await gate.onThread { [request] in
            SpreadFound(request, parts, missing: missing)
        }
    }

    // MARK: Phases

    /// The sums over all groups, in as many rounds as it takes; and what groups found by these
    /// already, since they expected them.
    private func statistics(
        _ groups: inout [Group], _ missing: inout Set<Int>
    ) async throws -> (sum: KnownStatistics.Sum, early: [ShardReply?]) {
        // All facets are counted in the second phase.
        let shown = request.facets.isEmpty ? shownAtOnce(of: groups) : nil
        var known: [UInt8]?
        while !groups.isEmpty {
            let bytes = known
            let outcomes = try await inEach(
                groups, hedging.statistics, isLast: false, { StatisticsReply($0.body) }
            ) { group, deadline in
                let shown = bytes == nil ? shown : nil
                return (
                    "/v1/shard/statistics", body(group, bytes, showing: shown, until: deadline)
                )
            }
            let told = outcomes.compactMap { try? $0.get() }
            guard !told.isEmpty else { throw problem(of: outcomes) }
            let isFirst = known == nil
            if told.count < groups.count {
                let all = zip(groups, outcomes).map { (group: $0, told: try? $1.get()) }
                missing.formUnion(all.filter { $0.told == nil }.flatMap(\.group.shards))
                groups = all.filter { $0.told != nil }.map(\.group)
                // What is known is of groups that are gone.
                guard isFirst else {
                    known = nil
                    continue
                }
            }
            var sum = try QueryStatistics.sum(of: told.map(\.statistics))
            // Where no node found anything, all may have told the next round already.
            if sum.isOfNothing, told.allSatisfy({ $0.next != nil }) {
                sum = try QueryStatistics.sum(of: told.compactMap(\.next))
            }
            known = sum.bytes
            guard sum.isComplete else { continue }
            // What was found by other sums is not what these give.
            let essence = sum.essence?.bytes
            return (
                .init(bytes: sum.bytes, marks: told.map(\.statistics.generation)),
                told.map { told in told.early.first { $0.sums == essence }?.reply }
            )
        }
        throw Problem.missingShards(plan.names)
    }

    /// Asks for the hits of the page that are not there yet: where that is far down, or a group has
    /// more of them than it has shown.
    private func show(_ found: inout SpreadFound, _ known: [UInt8]) async throws {
        let wanted = found.hidden
        guard !wanted.isEmpty else { return }
        let places = wanted.keys.sorted()
        let groups = places.map { found.parts[$0].group }
        let ranges = places.map { wanted[$0] ?? 0..<0 }
        var next = ranges.makeIterator()
        let outcomes = try await inEach(
            groups, hedging.search, isLast: true, { ShardReply($0.body) }
        ) { group, deadline in
            (
                "/v1/shard/search",
                body(group, known, showing: next.next() ?? 0..<0, isCounted: true, until: deadline)
            )
        }
        for (place, outcome) in zip(places, outcomes) {
            guard let reply = try? outcome.get() else {
                found.lose(place)
                continue
            }
            guard reply.mark == found.parts[place].reply.mark else { throw Rolled() }
            found.show(place, from: wanted[place]?.lowerBound ?? 0, reply.hits)
        }
    }

    // MARK: Requests

    /// Until when nodes are waited for: one that is in time says what it found until then.
    private var end: ContinuousClock.Instant {
        min(times.wanted + .milliseconds(100), times.last)
    }

    private func body(
        _ group: Group, _ known: [UInt8]?, showing range: Range<Int>? = nil,
        isCounted: Bool = false, until deadline: ContinuousClock.Instant
    ) -> [UInt8] {
        request.body(
            plan, group.shards, known: known, showing: range, isCounted: isCounted,
            until: min(times.wanted, deadline))
    }

    /// The answers of all groups. Where it is not the last that is asked for, a group that hangs
    /// takes half of the time that is left, so that the others can still be searched.
    private func inEach<Reading: Sendable>(
        _ groups: [Group], _ hedging: Hedging, isLast: Bool,
        _ read: @escaping @Sendable (NodeReply) -> Reading?,
        _ make: (Group, ContinuousClock.Instant) -> (path: String, body: [UInt8])
    ) async throws -> [Outcome<Reading>] {
        guard !groups.isEmpty else { return [] }
        let (gate, now) = (gate, ContinuousClock.now)
        let deadline = isLast || groups.count == 1 ? end : now + max(end - now, .zero) / 2
        let areReachable = groups.map(\.isReachable)
        let impatient = areReachable.contains(true) ? min(deadline, now + patience) : deadline
        let requests = zip(groups, areReachable).map { group, isReachable in
            let deadline = isReachable ? deadline : impatient
            let (path, body) = make(group, deadline)
            return GroupRequest(
                replicas: group.replicas, path: path, body: body,
                generation: plan.generation, deadline: deadline, hedging: hedging
            ) { reply in
                guard reply.body.count > Self.longestAtOnce else { return read(reply) }
                return try await gate.onThread { read(reply) }
            }
        }
        if requests.count == 1 { return [try await outcome(of: requests[0])] }
        return try await withThrowingTaskGroup(of: (Int, Outcome<Reading>).self) { tasks in
            for (place, request) in requests.enumerated() {
                tasks.addTask { (place, try await outcome(of: request)) }
            }
            var outcomes = [Outcome<Reading>](
                repeating: .failure(.unreachable), count: requests.count)
            for try await (place, outcome) in tasks { outcomes[place] = outcome }
            return outcomes
        }
    }

    private func outcome<Reading>(
        of request: GroupRequest<Reading>
    ) async throws -> Outcome<Reading> {
        do {
            return .success(try await request.send())
        } catch NodeFailure.otherGeneration where !isLastAttempt {
            throw Rolled()
        } catch NodeFailure.tooMuch {
            throw Problem.tooMuch(
                "What nodes answer is too large; ask for fewer results, or for less text.")
        } catch let failure as NodeFailure {
            return .failure(failure)
        }
    }

    /// What to say where no group has answered.
    private func problem(of outcomes: [Outcome<some Any>]) -> Problem {
        let failures = outcomes.map { outcome in
            if case .failure(let failure) = outcome { failure } else { NodeFailure.unreachable }
        }
        if failures.contains(where: { if case .malformed = $0 { true } else { false } }) {
            return .unreadableNode
        }
        let isLate = failures.allSatisfy { if case .outOfTime = $0 { true } else { false } }
        let reasons = Set(failures.map(\.description)).sorted()
        return isLate ? .outOfTime : .missingShards(plan.names, because: reasons)
    }
}

extension Problem {
    static let unreadableNode = Problem(
        .badGateway, "node-failure", "A node cannot be understood",
        "A node answered what cannot be read; nodes and this server must be of the same version.")

    /// What a node said of a request; nil where it said nothing that can be read.
    init?(relaying reply: NodeReply) {
        guard case .object(let members)? = try? JSONReader.value(of: reply.body) else {
            return nil
        }
        func text(_ name: String) -> String? {
            guard case .string(let text)? = members.first(where: { $0.name == name })?.value else {
                return nil
            }
            return text
        }
        guard let code = text("code") else { return nil }
        self.init(
            .init(code: reply.status), code, text("title") ?? "", text("detail") ?? "",
            parameter: text("parameter"))
    }
}

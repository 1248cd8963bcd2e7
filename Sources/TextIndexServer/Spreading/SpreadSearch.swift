import Foundation
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
    }

    /// A set was exchanged amid a search.
    struct Rolled: Error {}

    let request: SpreadRequest
    let plan: SetPlan
    let times: SearchTimes
    let hedging: (statistics: Hedging, search: Hedging)
    let groups: [Group]
    /// Whether a group that has another set by now is left out instead of beginning again.
    let isLastAttempt: Bool

    /// - Returns: What was found.
    /// - Throws: ``Rolled``; ``Problem``; `CancellationError`.
    func found() async throws -> SpreadFound {
        var groups = groups
        var missing = Set(plan.names.indices).subtracting(groups.flatMap(\.shards))
        let sum = try await statistics(&groups, &missing)
        guard !groups.isEmpty else { throw Problem.missingShards(plan.names) }
        let known = try JSONEncoder().encode(sum)
        let showing = request.showing(from: 0, count: request.shownAtOnce)
        let outcomes = try await inEach(groups, hedging.search, { ShardReply($0.body) }) { group in
            ("/v1/shard/search", body(group, known) + showing)
        }
        var parts: [SpreadFound.Part] = []
        for (group, outcome) in zip(groups, outcomes) {
            if let reply = outcome {
                parts.append(.init(group: group, reply: reply))
            } else {
                missing.formUnion(group.shards)
            }
        }
        guard !parts.isEmpty else { throw Problem.missingShards(plan.names) }
        if parts.count == groups.count {
            var mark = parts[0].reply.mark
            for part in parts.dropFirst() { mark.add(part.reply.mark) }
            guard mark == sum.generation else { throw Rolled() }
        }
        var found = SpreadFound(request, parts, missing: missing)
        try await show(&found, known)
        return found
    }

    // MARK: Phases

    /// The sums over all groups, in as many rounds as it takes.
    private func statistics(
        _ groups: inout [Group], _ missing: inout Set<Int>
    ) async throws -> QueryStatistics {
        var known: QueryStatistics?
        while !groups.isEmpty {
            let bytes = try known.map { try JSONEncoder().encode($0) }
            let outcomes = try await inEach(groups, hedging.statistics, Self.statistics) { group in
                ("/v1/shard/statistics", body(group, bytes))
            }
            let lost = zip(groups, outcomes).filter { $1 == nil }.flatMap { $0.0.shards }
            let isFirst = known == nil
            if !lost.isEmpty {
                missing.formUnion(lost)
                groups = zip(groups, outcomes).filter { $1 != nil }.map(\.0)
                // What is known is of groups that are gone.
                guard isFirst else {
                    known = nil
                    continue
                }
            }
            guard !groups.isEmpty else { break }
            let sum = try QueryStatistics.sum(of: outcomes.compactMap { $0 })
            if sum.isComplete { return sum }
            known = sum
        }
        throw Problem.missingShards(plan.names)
    }

    /// Asks for the hits of the page that are not there yet, where that is far down.
    private func show(_ found: inout SpreadFound, _ known: Data) async throws {
        let wanted = found.hidden
        guard !wanted.isEmpty else { return }
        let places = wanted.keys.sorted()
        let outcomes = try await inEach(places, hedging.search, { ShardReply($0.body) }) { place in
            let range = wanted[place] ?? 0..<0
            return (
                "/v1/shard/search",
                body(found.parts[place].group, known)
                    + request.showing(from: range.lowerBound, count: range.count)
            )
        } replicas: {
            found.parts[$0].group.replicas
        }
        for (place, outcome) in zip(places, outcomes) {
            guard let reply = outcome else {
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

    private func body(_ group: Group, _ known: Data?) -> [(name: String, value: JSON)] {
        request.body(plan, group.shards, known: known.map { Array($0) }, until: times.wanted)
    }

    private func inEach<Reading: Sendable>(
        _ groups: [Group], _ hedging: Hedging, _ read: @escaping @Sendable (NodeReply) -> Reading?,
        _ make: (Group) -> (path: String, members: [(name: String, value: JSON)])
    ) async throws -> [Reading?] {
        try await inEach(groups, hedging, read, make, replicas: \.replicas)
    }

    /// The answers of all groups; nil of one that does not answer.
    private func inEach<Element: Sendable, Reading: Sendable>(
        _ elements: [Element], _ hedging: Hedging,
        _ read: @escaping @Sendable (NodeReply) -> Reading?,
        _ make: (Element) -> (path: String, members: [(name: String, value: JSON)]),
        replicas: (Element) -> [Replica]
    ) async throws -> [Reading?] {
        let requests = elements.map { element in
            let (path, members) = make(element)
            return GroupRequest(
                replicas: replicas(element), path: path, body: JSON.object(members).bytes,
                generation: plan.generation, deadline: end, hedging: hedging, read: read)
        }
        if requests.count == 1 { return [try await outcome(of: requests[0])] }
        return try await withThrowingTaskGroup(of: (Int, Reading?).self) { tasks in
            for (place, request) in requests.enumerated() {
                tasks.addTask { (place, try await outcome(of: request)) }
            }
            var outcomes = [Reading?](repeating: nil, count: requests.count)
            for try await (place, outcome) in tasks { outcomes[place] = outcome }
            return outcomes
        }
    }

    private func outcome<Reading>(of request: GroupRequest<Reading>) async throws -> Reading? {
        do {
            return try await request.send()
        } catch NodeFailure.otherGeneration where !isLastAttempt {
            throw Rolled()
        } catch NodeFailure.malformed {
            throw Problem.unreadableNode
        } catch NodeFailure.tooMuch {
            throw Problem.tooMuch(
                "What nodes answer is too large; ask for fewer results, or for less text.")
        } catch is NodeFailure {
            return nil
        }
    }

    // MARK: Answers

    private static func statistics(_ reply: NodeReply) -> QueryStatistics? {
        guard case .object(let members)? = try? JSONReader.value(of: reply.body),
            let json = members.first(where: { $0.name == "statistics" })?.value
        else { return nil }
        return try? JSONDecoder().decode(QueryStatistics.self, from: Data(json.bytes))
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

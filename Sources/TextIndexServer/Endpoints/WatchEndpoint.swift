import ServiceLifecycle
import TextSearch

extension SearchService {
    /// Sends how the answer to a search changes, until the client goes.
    func watch(_ exchange: Exchange) async throws -> Answer {
        var arguments = try exchange.arguments()
        let index = try index(&arguments)
        let showing = try ShowingParameters(&arguments)
        let parameters = try SearchParameters(&arguments)
        let limit = try arguments.int("limit", in: 0...limits.pageLength) ?? 10
        try arguments.finish()
        try parameters.check(index.served)
        guard parameters.text != nil, parameters.mode != .keyword else {
            throw Problem.invalid("q", "A query text can be watched, in mode query or lenient.")
        }
        guard let slot = StreamSlot(metrics, upTo: limits.streams) else {
            throw Problem.busy("Too many streams are open.")
        }
        let changes = Changes(index: index, asked: parameters, limit: limit, gate: gate)
        return Answer { writer in
            try await Self.send(changes, showing, self.limits, to: &writer)
            // Until here, or until the answer is let go of unsent.
            withExtendedLifetime(slot) {}
        }
    }

    /// What is watched, and how it is searched for.
    private struct Changes: Sendable {
        let index: CurrentIndex<Object>
        let asked: SearchParameters
        let limit: Int
        let gate: SearchGate

        func parser(_ served: ServedIndex<Object>) -> QueryParser {
            asked.textParser(served)
        }

        /// The answer in one generation.
        func search(
            _ served: ServedIndex<Object>, within time: Duration
        ) async throws -> ResultPage<Object> {
            try await gate.run(until: SearchTimes(.now + time)) { budget in
                ResultPage(
                    try served.index.search(
                        asked.text ?? "", reading: parser(served), field: asked.field,
                        filter: asked.filter(served), ranking: asked.ranking(served.ranking),
                        limit: limit, budget: budget))
            }
        }

        /// The answers to follow, of an index that this process has open.
        func live(_ served: ServedIndex<Object>) -> LiveResults<Object> {
            var options = LiveOptions()
            options.limit = limit
            options.ranking = asked.ranking(served.ranking)
            options.field = asked.field
            options.filter = asked.filter(served)
            options.parser = parser(served)
            return served.index.liveResults(for: asked.text ?? "", options: options)
        }
    }

    /// What comes to a stream.
    private enum Event: Sendable {
        case difference(LiveDifference<Object>, ServedIndex<Object>)
        case beat
        case end
    }

    private static func send(
        _ changes: Changes, _ showing: ShowingParameters, _ limits: ServerLimits,
        to writer: inout EventWriter
    ) async throws {
        // One event at most waits: differences are made when the one before is written.
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let turn = Turn()
        let source = Task {
            defer { sink.yield(.end) }
            try await follow(changes, within: limits.time) { difference, served in
                sink.yield(.difference(difference, served))
                await turn.wait()
            }
        }
        // One beat waits at most.
        let beats = Turn()
        let heart = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(15))
                sink.yield(.beat)
                await beats.wait()
            }
        }
        defer {
            source.cancel()
            heart.cancel()
            turn.pass()
            beats.pass()
        }
        try await withTaskCancellationHandler {
            for await event in events {
                switch event {
                case .end: return
                case .beat:
                    try await writer.beat()
                    beats.pass()
                case .difference(let difference, let served):
                    let json = try await changes.gate.onThread {
                        try Self.json(
                            difference,
                            HitRenderer(served: served, showing: showing, limits: limits))
                    }
                    try await writer.send("difference", json)
                    turn.pass()
                }
            }
        } onCancel: {
            sink.finish()
        }
    }

    /// Calls `body` with the first answer, as a difference to nothing, and with each later one.
    private static func follow(
        _ changes: Changes, within time: Duration,
        _ body: (LiveDifference<Object>, ServedIndex<Object>) async -> Void
    ) async throws {
        guard changes.index.isPublished else {
            let served = changes.index.served
            for try await difference in changes.live(served) { await body(difference, served) }
            return
        }
        var old: ResultPage<Object>?
        for await served in changes.index.changes() {
            let new = try await changes.search(served, within: time)
            let difference = LiveDifference(
                from: old?.items ?? [], to: new.items, totalCount: new.total)
            if !difference.isEmpty || old?.total != new.total {
                await body(difference, served)
            }
            old = new
        }
    }

    private static func json(
        _ difference: LiveDifference<Object>, _ renderer: HitRenderer<Object>
    ) throws -> JSON {
        func place(_ rank: Int, _ old: Int) -> [(name: String, value: JSON)] {
            [("rank", .int(rank)), ("oldRank", .int(old))]
        }
        return .members([
            "total": .int(difference.totalCount.value),
            "isTotalExact": .bool(difference.totalCount.isExact),
            "generation": renderer.served.index.generation.map { .int($0) },
            "removed": .array(
                difference.removed.map {
                    .object(
                        HitRenderer<Object>.identity($0.identifier) + [("oldRank", .int($0.rank))])
                }),
            "moved": .array(
                difference.moved.map {
                    .object(HitRenderer.identity(of: $0.item) + place($0.item.rank, $0.oldRank))
                }),
            "inserted": try renderer.list(difference.inserted),
            "updated": try renderer.list(difference.updated),
        ])
    }
}

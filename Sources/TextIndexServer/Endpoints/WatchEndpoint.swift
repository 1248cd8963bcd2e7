import ServiceLifecycle
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Sends how the answer to a search changes, until the client goes.
    func watch(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let index = try index(&arguments)
        let showing = try ShowingParameters(&arguments)
        let parameters = try SearchParameters(&arguments)
        let limit = try arguments.int("limit", in: 0...limits.pageLength) ?? 10
        try arguments.finish()
        try parameters.check(index.served)
        guard parameters.mode != .keyword else {
            throw Problem.invalid(
                "q", "A text can be watched in mode query or lenient; keywords in a typed query.")
        }
        let slot = try StreamSlot(metrics.streams, of: exchange.client, limits)
        let changes = Changes(
            index: index, asked: parameters, limit: limit, time: limits.time, gate: gate,
            client: exchange.client)
        // What is refused is to be told before the stream begins.
        _ = try await gate.onThread { try changes.live(index.served) }
        return Answer { writer in
            try await Self.send(changes, showing, self.limits, to: &writer)
            // Until here, or until the answer is let go of unsent.
            withExtendedLifetime(slot) {}
        }
    }

    /// What is watched, and how it is searched for.
    struct Changes: Sendable {
        let index: CurrentIndex<Object>
        let asked: SearchParameters
        let limit: Int
        /// How long each search may take.
        let time: Duration
        let gate: SearchGate
        /// Whose stream it is.
        let client: String

        private func typed(_ served: ServedIndex<Object>) -> Query {
            SearchService<Object>.narrowed(
                asked.query ?? .nothing, asked, asked.filter(served))
        }

        /// The answer in one generation.
        func search(
            _ served: ServedIndex<Object>
        ) async throws -> ResultPage<Object> {
            try await gate.runOfStream(of: client) { cancellation in
                let ranking = asked.ranking(served.ranking)
                let budget = SearchBudget(time: time, cancellation: cancellation)
                guard let text = asked.text else {
                    return ResultPage(
                        try served.index.search(
                            typed(served), limit: limit, ranking: ranking, budget: budget))
                }
                return ResultPage(
                    try served.index.search(
                        text, limit: limit, ranking: ranking, filter: asked.filter(served),
                        fields: asked.fields, budget: budget,
                        parser: asked.textParser(served)))
            }
        }

        /// The query to follow, of an index that this process has open.
        func live(_ served: ServedIndex<Object>) throws -> LiveQuery<Object> {
            var options = LiveOptions()
            options.limit = limit
            options.ranking = asked.ranking(served.ranking)
            options.time = time
            guard let text = asked.text else {
                return try served.index.liveQuery(typed(served), options)
            }
            options.fields = asked.fields
            options.filter = asked.filter(served)
            options.parser = asked.textParser(served)
            return try served.index.liveQuery(text, options)
        }
    }

    /// What comes to a stream.
    private enum Event: Sendable {
        case difference(LiveDifference<Object>, ServedIndex<Object>)
        case beat
        /// Why there is no more; nil where the index is closed, or nobody asks any more.
        case end((any Error)?)
    }

    private static func send(
        _ changes: Changes, _ showing: ShowingParameters, _ limits: ServerLimits,
        to writer: inout EventWriter
    ) async throws {
        // One event at most waits: differences are made when the one before is written.
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let turn = Turn()
        let source = Task {
            do {
                try await follow(changes) { difference, served in
                    sink.yield(.difference(difference, served))
                    await turn.wait()
                }
                sink.yield(.end(nil))
            } catch let error as TextIndexError where error.code == .closed {
                sink.yield(.end(nil))
            } catch {
                sink.yield(.end(error))
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
                case .end(let error):
                    // The stream breaks off: one that ends in order has told all that there is.
                    if let error { throw error }
                    return
                case .beat:
                    try await writer.beat()
                    beats.pass()
                case .difference(let difference, let served):
                    try await writer.send(
                        "difference", try await json(difference, served, changes, showing, limits))
                    turn.pass()
                }
            }
        } onCancel: {
            sink.finish()
        }
    }

    private static func json(
        _ difference: LiveDifference<Object>, _ served: ServedIndex<Object>, _ changes: Changes,
        _ showing: ShowingParameters, _ limits: ServerLimits
    ) async throws -> JSON {
        try await changes.gate.runOfStream(of: changes.client) { _ in
            try Self.json(
                difference,
                HitRenderer(
                    served: served, showing: showing, limits: limits,
                    times: SearchTimes(.now + limits.time)))
        }
    }

    /// Calls `body` with the first answer, as a difference to nothing, and with each later one.
    static func follow(
        _ changes: Changes,
        _ body: (LiveDifference<Object>, ServedIndex<Object>) async -> Void
    ) async throws {
        guard changes.index.isPublished else {
            return try await followLive(changes, body)
        }
        var old: ResultPage<Object>?
        for await served in changes.index.changes() {
            let new = try await changes.search(served)
            let difference = LiveDifference(
                from: old?.items ?? [], to: new.items, totalCount: new.total,
                isComplete: new.isComplete)
            if !difference.isEmpty || old?.total != new.total || old?.isComplete != new.isComplete {
                await body(difference, served)
            }
            old = new
        }
    }

    /// The same of an index that this process has open. All streams would search at once after a
    /// commit: they take their turns.
    private static func followLive(
        _ changes: Changes, _ body: (LiveDifference<Object>, ServedIndex<Object>) async -> Void
    ) async throws {
        let served = changes.index.served
        let query = try changes.live(served)
        while true {
            let (difference, generation) = try await changes.gate.runOfStream(of: changes.client) {
                try query.poll($0)
            }
            if let difference { await body(difference, served) }
            guard await query.waitForCommit(after: generation) else { return }
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
            "isComplete": .bool(difference.isComplete),
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

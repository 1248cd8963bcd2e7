import HTTPTypes
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Whether the server answers.
    func health(_ exchange: Exchange) async throws -> Answer {
        .health()
    }

    /// What the indexes hold, and what the server does.
    func status(_ exchange: Exchange) async throws -> Answer {
        let arguments = try await arguments(of: exchange)
        try arguments.finish()
        // Databases may keep one waiting, and no search shall wait for them.
        let tables = await followedTables()
        let bytes = try await gate.run(for: exchange.client, until: SearchTimes(exchange.deadline))
        { _ in
            let indexes = try self.indexes.map { index in
                let status = try self.status(of: index) { try self.json(index) }
                return tables[index.name].map { status.adding(["following": Self.json($0)]) }
                    ?? status
            }
            return self.activity(
                indexes: indexes, typingSessions: self.typing.count, cursors: self.cursors.count,
                storedQueries: self.storedQueries.count
            ).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    /// How far indexes are behind their tables, by their names.
    private func followedTables() async -> [String: FollowedTable] {
        var tables: [String: FollowedTable] = [:]
        for index in indexes {
            guard let ask = index.served.following else { continue }
            tables[index.name] = await followed.value(of: index.name, ask)
        }
        return tables
    }

    private func json(_ index: CurrentIndex<Object>) throws -> JSON {
        let served = index.served
        let statistics = try served.index.statistics()
        return .members([
            "name": .string(index.name), "generation": served.index.generation.map { .int($0) },
            "objects": .int(statistics.objectCount), "terms": .int(statistics.termCount),
            "removedObjects": .int(statistics.deadCount),
            "segments": .int(statistics.segmentCount + statistics.memorySegmentCount),
            "unflushedObjects": .int(statistics.journalCount),
            "bytes": .int(statistics.fileBytes),
            "bytesByTable": .object(
                statistics.bytesByTable.sorted { $0.key < $1.key }.map { ($0.key, .int($0.value)) }),
            "fields": .array(served.index.configuration.fields.map { .string($0) }),
            "attributes": .array(served.attributes.map { .string($0) }),
            "allowsEngagement": .bool(
                options.allowsEngagement && !served.index.configuration.isReadOnly),
        ])
    }

    private static func json(_ table: FollowedTable) -> JSON {
        .members([
            "table": .string(table.table), "phase": .string(table.phase.rawValue),
            "behind": table.behind.map { .int($0) }, "problem": .optional(table.problem),
        ])
    }
}

extension AnsweringService {
    /// What every status begins with: what the server does, and keeps for its clients.
    func activity(
        indexes: [JSON] = [], typingSessions: Int = 0, cursors: Int = 0, storedQueries: Int = 0
    ) -> JSON {
        let searches = gate.counts
        return .members([
            "indexes": .array(indexes), "requests": metrics.json,
            "searches": .members([
                "running": .int(searches.running), "waiting": .int(searches.waiting),
            ]),
            "typingSessions": .int(typingSessions), "cursors": .int(cursors),
            "storedQueries": .int(storedQueries),
        ])
    }
}

extension Answer {
    /// Whether all is there that a server searches; a server of shards names those that are not.
    static func health(
        missing: [String]? = nil, because reasons: [String] = [], isDown: Bool = false
    ) -> Answer {
        var answer = Answer(
            status: isDown ? .serviceUnavailable : .ok,
            json: .members([
                "status": missing?.isEmpty ?? true ? "ok" : "partial",
                "missing": missing.map { .array($0.map { .string($0) }) },
                "reasons": reasons.isEmpty ? nil : .array(reasons.map { .string($0) }),
            ]))
        answer.headers[.cacheControl] = "no-store"
        return answer
    }
}

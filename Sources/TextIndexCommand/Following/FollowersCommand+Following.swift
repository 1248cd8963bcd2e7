#if GRDB
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    extension FollowersCommand {
        /// What `--json` prints.
        private struct Follower: Encodable {
            let name: String
            let table: String
            let index: String?
            let isGone: Bool
            let kept: Int
            let lastSeen: String

            init(_ consumer: LogConsumer) {
                name = consumer.name
                table = consumer.table
                index = consumer.place
                isGone = consumer.place.map { Entry(Path($0)) == nil } ?? false
                kept = consumer.keptCount
                lastSeen = consumer.lastSeen.formatted(.iso8601)
            }
        }

        func show() async throws {
            let path = try FollowedDatabase.path(database)
            try await FollowedDatabase.reporting(path) {
                let queue = try FollowedDatabase.open(path, isReadOnly: forget == nil)
                defer { try? queue.close() }
                if let forget {
                    try await self.forget(forget, queue)
                } else {
                    try Self.write(try await queue.read { try LogConsumer.all($0) }, json: json)
                }
            }
        }

        private func forget(_ name: String, _ queue: DatabaseQueue) async throws {
            let place = Path(name).absolute().exactText
            let consumers = try await queue.read { try LogConsumer.all($0) }
            let chosen = consumers.filter { $0.name == name || $0.place == place }
            guard !chosen.isEmpty else {
                throw CommandError(
                    "no index \(name) follows this database; list them without --forget")
            }
            try await queue.write { db in
                for consumer in chosen { try LogConsumer.forget(consumer.name, db) }
            }
            let kept = chosen.reduce(0) { $0 + $1.keptCount }
            try json
                ? Console.write(chosen.map(Follower.init).jsonDocument())
                : Console.write(
                    "forgotten; \(Format.count(kept, "row")) of the log were kept for it\n")
        }

        private static func write(_ consumers: [LogConsumer], json: Bool) throws {
            let followers = consumers.map(Follower.init)
            if json {
                try Console.write(followers.jsonDocument())
            } else {
                try Console.write(followers.map(line).joined())
            }
            guard followers.isEmpty else { return }
            if !json { Console.report("no index follows this database") }
            throw Outcome.nothingFound
        }

        private static func line(_ follower: Follower) -> String {
            let index = follower.index ?? follower.name
            let gone = follower.isGone ? ", which is not there any more" : ""
            return Printable.line(
                "\(follower.table): \(index)\(gone); \(Format.count(follower.kept, "row")) of the log kept, "
                    + "last seen \(follower.lastSeen)") + "\n"
        }
    }
#endif

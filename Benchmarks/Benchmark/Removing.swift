import ArgumentParser
import Foundation
import TextSearch

extension Driver {
    /// Removes objects, three of every five unless told otherwise, and compares with an index that
    /// never had them, before and after ``TextIndex/optimize()``.
    ///
    /// The three indexes are at rest and open together while queries take turns in them: a machine
    /// that changes its pace changes all figures.
    struct Removing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove")
        @Argument var store: String
        @Argument var corpus: String
        @Argument var queries: String
        @Option(help: "How often each query is timed in each index.") var passes = 9
        @Option(
            name: .customLong("of-five"),
            help: "How many objects of every five are removed: after one nothing is rewritten.")
        var share = 3

        private static let kinds = ["term_common", "or35", "phrase", "prefix3_top"]
        private static let states = ["fresh", "removed", "optimized"]

        func run() async throws {
            let corpus = try Corpus(path: corpus).entries
            let share = share
            let isRemoved = { (number: Int) in number % 5 < share }
            let removed = corpus.indices.filter(isRemoved).map { corpus[$0] }
            let left = corpus.indices.filter { !isRemoved($0) }.map { corpus[$0] }
            try destroy()
            defer { try? destroy() }

            try await change("fresh", count: 0) { index in
                try await index.indexObjects(left)
                return 0
            }
            try await change("removed", count: removed.count) { index in
                try await index.indexObjects(corpus)
                await index.waitForMaintenance()
                let start = ContinuousClock.now
                try await index.removeObjects(removed)
                return seconds(ContinuousClock.now - start)
            }
            try FileManager.default.copyItem(at: directory("removed"), to: directory("optimized"))
            try await change("optimized", count: removed.count) { index in
                try seconds { try index.optimize() }.0
            }
            try compare()
        }

        private func directory(_ state: String) -> URL {
            URL(fileURLWithPath: "\(store)-\(state)")
        }

        private func destroy() throws {
            for directory in Self.states.map(directory)
            where FileManager.default.fileExists(atPath: directory.path) {
                try TextIndex<Entry>.destroy(at: directory)
            }
        }

        /// Makes the index of a state; `body` says how many seconds count. Its size is that of the
        /// closed index, after all merges.
        private func change(
            _ state: String, count: Int, _ body: (TextIndex<Entry>) async throws -> Double
        ) async throws {
            let index = try Entry.openIndex(at: directory(state))
            let time = try await body(index)
            try await index.flush()
            await index.waitForMaintenance()
            try index.close()
            try Figures.report(
                "remove",
                [
                    "state": state, "count": count, "seconds": Figures.rounded(time, 4),
                    "bytes": fileBytes(directory(state)),
                ])
        }

        private func compare() throws {
            let indexes = try Self.states.map {
                (state: $0, index: try Entry.openIndex(at: directory($0)))
            }
            for (_, index) in indexes { index.waitForMaintenance() }
            for kind in QueryKind.all where Self.kinds.contains(kind.name) {
                var kind = kind
                if kind.name == "prefix3_top" { kind.name = "prefix3" }
                try kind.report(indexes, URL(fileURLWithPath: queries), passes: passes)
            }
            for (_, index) in indexes { try index.close() }
        }
    }
}

import ArgumentParser
import Foundation
import TextSearch

extension Driver {
    /// Removes three objects of every five and compares with an index that never had them, before and after ``TextIndex/optimize()``.
    struct Removing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove")
        @Argument var store: String
        @Argument var corpus: String
        @Argument var queries: String

        private static let kinds = ["term_common", "or35", "phrase", "prefix3_top"]

        func run() async throws {
            let corpus = try Corpus(path: corpus).entries
            let isRemoved = { (number: Int) in number % 5 < 3 }
            let removed = corpus.indices.filter(isRemoved).map { corpus[$0] }
            let left = corpus.indices.filter { !isRemoved($0) }.map { corpus[$0] }

            try await withIndex { index in
                try await index.indexObjects(left)
                try reportState("fresh", index, count: 0, seconds: 0)
            }
            try await withIndex { index in
                try await index.indexObjects(corpus)
                let start = ContinuousClock.now
                let operations = removed.map { index.removeIndex(for: $0) }
                for operation in operations { _ = try await operation.value() }
                try reportState(
                    "removed", index, count: removed.count,
                    seconds: seconds(ContinuousClock.now - start))
                let (time, _) = try seconds { try index.optimize() }
                try reportState("optimized", index, count: removed.count, seconds: time)
            }
        }

        /// Runs with a new, empty index.
        private func withIndex(_ body: (TextIndex<Entry>) async throws -> Void) async throws {
            let directory = URL(fileURLWithPath: store)
            try? TextIndex<Entry>.destroy(at: directory)
            let index = try Entry.openIndex(at: directory)
            try await body(index)
            try index.close()
        }

        private func reportState(
            _ state: String, _ index: TextIndex<Entry>, count: Int, seconds: Double
        ) throws {
            try index.flush()
            try Figures.report(
                "remove",
                [
                    "state": state, "count": count, "seconds": Figures.rounded(seconds, 4),
                    "bytes": fileBytes(URL(fileURLWithPath: store)),
                ])
            for kind in QueryKind.all where Self.kinds.contains(kind.name) {
                var kind = kind
                if kind.name == "prefix3_top" { kind.name = "prefix3" }
                try kind.report(index, URL(fileURLWithPath: queries), state: state)
            }
        }
    }
}

import ArgumentParser
import Foundation
import TextSearch

/// A short string with a number, one of five categories and a date, which follow from its place in
/// the corpus.
struct FilteredEntry: Sendable {
    var number: Int
    var text: String

    static let categories = ["a", "b", "c", "d", "e"]
    /// Of a hundred numbers; all drivers make the same.
    var price: Double { Double((number &* 2_654_435_761) % 10_000) / 100 }
    var category: String { Self.categories[number % 5] }
    /// 100 objects have it, all over the corpus.
    static func isRare(_ number: Int, of count: Int) -> Bool { number % max(count / 100, 1) == 7 }

    static func index(_ corpus: Corpus, at directory: URL) async throws -> TextIndex<FilteredEntry>
    {
        try? TextIndex<FilteredEntry>.destroy(at: directory)
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let index = try TextIndex<FilteredEntry>(at: directory, configuration: configuration)
        let count = corpus.entries.count
        index.identifier = { Data("\($0.number)".utf8) }
        index.indexer = { entry, _ in
            IndexedObject(
                strings: [entry.text],
                attributes: [
                    "price": .number(entry.price), "category": .string(entry.category),
                    "date": .date(Date(timeIntervalSinceReferenceDate: Double(entry.number))),
                    "rare": .bool(isRare(entry.number, of: count)),
                ])
        }
        let entries = corpus.entries.enumerated().map {
            FilteredEntry(number: $0.offset, text: $0.element.title)
        }
        _ = try await index.indexObjects(entries)
        return index
    }
}

extension Driver {
    /// Words beside filters, and sort keys.
    struct Filtering: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "filters")
        @Argument var store: String
        @Argument var corpus: String
        @Argument(help: "A file of words, one a line.") var words: String

        private typealias Index = TextIndex<FilteredEntry>
        private static let facets: [Facet] = [
            .values(of: "category"), .histogram(of: "price", every: 10),
            .dates(of: "date", every: .day),
        ]

        func run() async throws {
            let index = try await FilteredEntry.index(
                Corpus(path: corpus), at: URL(fileURLWithPath: store))
            let words = try String(contentsOfFile: words, encoding: .utf8).split(separator: "\n")
                .map(String.init)
            for (kind, search) in Self.kinds {
                try report(kind, words) { try search(index, $0) }
            }
            // What asks for no words is asked as often as takes a while.
            for (kind, search) in Self.wholes {
                try report(kind, (0..<20).map(String.init)) { try search(index, $0) }
            }
            try index.close()
        }

        private static func best(_ filter: AttributeComparison, of name: String) -> (
            Index, String
        ) throws -> Int {
            { index, word in
                let query = Query.all(of: [.term(word), .filter(.attribute(name, filter))])
                return try index.search(query, limit: 20).items.count
            }
        }

        private static let byPrice = Ranking.sorted(by: [.attribute("price")])

        private static var kinds: [(String, (Index, String) throws -> Int)] {
            [
                ("filter_none", { try $0.search(.term($1), limit: 20).items.count }),
                ("filter_number", best(.less(25), of: "price")),
                ("filter_category", best(.equal("b"), of: "category")),
                ("filter_few", best(.equal(true), of: "rare")),
                (
                    "filter_sort",
                    { try $0.search(.term($1), limit: 20, ranking: byPrice).items.count }
                ),
                (
                    "facets",
                    { try $0.search(.term($1), limit: 20, facets: facets).items.count }
                ),
                (
                    "filter_facets",
                    { index, word in
                        let query = Query.all(of: [
                            .term(word), .filter(.attribute("price", .less(25))),
                        ])
                        return try index.search(query, limit: 20, facets: facets).items
                            .count
                    }
                ),
            ]
        }

        private static var wholes: [(String, (Index, String) throws -> Int)] {
            [
                (
                    "all_sort",
                    { index, _ in
                        try index.search(.everything, limit: 20, ranking: byPrice).items.count
                    }
                ),
                (
                    "range_count",
                    { index, _ in
                        try index.search(.attribute("price", .less(1)), limit: 0).totalCount.value
                    }
                ),
            ]
        }

        private func report(
            _ kind: String, _ queries: [String], _ search: (String) throws -> Int
        ) throws {
            let hits = try queries.map(search)
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < .milliseconds(30) {
                for query in queries { _ = try search(query) }
            }
            var times = Samples()
            for query in queries {
                var passes = Samples()
                for _ in 0..<3 {
                    let start = ContinuousClock.now
                    _ = try search(query)
                    passes.append(seconds(ContinuousClock.now - start) * 1e6)
                }
                times.append(passes.percentile(0.5))
            }
            try Figures.report(
                "query",
                [
                    "engine": "textsearch", "kind": kind, "n": queries.count,
                    "p50_us": Figures.rounded(times.percentile(0.5), 2),
                    "p99_us": Figures.rounded(times.percentile(0.99), 2), "hits": hits,
                    "corpus": "short",
                ])
        }
    }
}

import Foundation
import TextSearch

/// A piece of work that has a name, so that developers can ask what a change did to it.
struct Operation: Sendable {
    var name: String
    /// What is measured, in a line.
    var summary: String
    /// How often the work is done in one run.
    var count: Int
    /// How many bytes of text the work indexes, where it does.
    var textBytes: (@Sendable (Workbench) -> Int)?
    /// What is done before the work is measured.
    var prepare: (@Sendable (Workbench) async throws -> Void)?
    /// The words whose postings a search has to do with, where these are all.
    var words: (@Sendable (Workbench, Int) -> [String])?
    /// What a search looks for, by how often it was done before; made before it is measured.
    var query: (@Sendable (Workbench, Int) -> Query)?
    /// Does the work once; it is told how often it was done before. The best ten for ``query``
    /// where there is one.
    var run: @Sendable (Workbench, Int) async throws -> Void

    static let all: [Operation] = indexing + searching + facets + filters + upkeep

    private static let indexing = [
        Operation(
            name: "index-bulk", summary: "the whole corpus into a new index, two threads", count: 1,
            textBytes: { $0.corpus.byteCount }
        ) { bench, _ in try await bench.load(threads: 2) },
        Operation(
            name: "index-bulk-1", summary: "the same by one thread of analysis", count: 1,
            textBytes: { $0.corpus.byteCount }
        ) { bench, _ in try await bench.load(threads: 1) },
        Operation(
            name: "index-one", summary: "an object of about 200 words, committed alone", count: 200
        ) { bench, number in try await bench.changed("new\(number)", number) },
        Operation(
            name: "update", summary: "an object that gets the text of another one", count: 200
        ) { bench, number in try await bench.changed("\(number)", number + 7) },
        Operation(
            name: "remove", summary: "an object removed, committed alone", count: 200
        ) { bench, number in
            _ = try await bench.index.removeIndex(forIdentifier: Data("\(number)".utf8)).value()
        },
    ]

    private static func search(
        _ name: String, _ summary: String, _ query: @escaping @Sendable (Workbench, Int) -> Query
    ) -> Operation {
        Operation(name: name, summary: summary, count: 200, query: query) { bench, number in
            _ = try bench.index.search(bench.queries[number], limit: 10)
        }
    }

    private static func search(
        _ name: String, _ summary: String,
        of words: @escaping @Sendable (Workbench, Int) -> [String],
        _ query: @escaping @Sendable ([String]) -> Query
    ) -> Operation {
        var operation = search(name, summary) { query(words($0, $1)) }
        operation.words = words
        return operation
    }

    private static let searching = [
        search(
            "search-term-common", "the best ten for a word of the hundred most frequent",
            of: { [$0.word($1, from: 0, to: 100)] }, { .term($0[0]) }),
        search(
            "search-term-rare", "the best ten for a word that is in a few objects",
            of: { [$0.word($1, from: 12_000, to: 20_000)] }, { .term($0[0]) }),
        search(
            "search-and-2", "the best ten that have two words",
            of: { $0.words($1, 2) }, { .all(of: $0.map { .term($0) }) }),
        search(
            "search-or-2", "the best ten that have any of two words",
            of: { $0.words($1, 2) }, { .any(of: $0.map { .term($0) }) }),
        search(
            "search-or-5", "the best ten that have any of five words",
            of: { $0.words($1, 5) }, { .any(of: $0.map { .term($0) }) }),
        search(
            "search-phrase", "the best ten for two words that stand side by side somewhere",
            of: { $0.phrase($1) }, { .phrase($0.joined(separator: " ")) }),
        search(
            "search-and-2-common", "the best ten that have two of the hundred most frequent words",
            of: { $0.frequent($1, 2) }, { .all(of: $0.map { .term($0) }) }),
        search(
            "search-or-2-common", "the best ten that have any of two such words",
            of: { $0.frequent($1, 2) }, { .any(of: $0.map { .term($0) }) }),
        search(
            "search-or-5-common", "the best ten that have any of five such words",
            of: { $0.frequent($1, 5) }, { .any(of: $0.map { .term($0) }) }),
        search("search-prefix", "the best ten that have a word with these three first letters") {
            .prefix($0.piece($1, fromStart: true))
        },
        search("search-infix", "the best ten with these three letters inside a word") {
            .infix($0.piece($1, fromStart: false))
        },
        search("search-fuzzy", "the best ten that have a word at most one edit away") {
            .fuzzy($0.word($1, from: 300, to: 3000), distance: 1)
        },
        Operation(
            name: "typing", summary: "the best ten after each letter of a word that is typed",
            count: 1000
        ) { bench, number in try bench.type(number) },
        Operation(
            name: "suggest", summary: "what three letters and a mistyped word may become",
            count: 50
        ) { bench, number in
            let wrong = String(bench.word(number, from: 300, to: 3000).reversed())
            let text = "\(wrong) \(bench.piece(number, fromStart: true))"
            _ = try bench.index.suggestions(for: text)
        },
        Operation(
            name: "count-keyword", summary: "all objects counted that have three letters in a word",
            count: 200
        ) { bench, number in
            _ = try bench.index.resultCount(forKeyword: bench.piece(number, fromStart: false))
        },
        Operation(
            name: "enumerate-common",
            summary: "every object that has a frequent word, down to its identifier", count: 50
        ) { bench, number in
            let query = Query.filter(.term(bench.word(number, from: 0, to: 100)))
            for item in try bench.index.results(for: query) where item.identifier.isEmpty {
                throw CocoaError(.coderInvalidValue)
            }
        },
    ]

    private static func facets(
        _ name: String, _ summary: String, _ facets: [Facet]
    ) -> Operation {
        Operation(
            name: name, summary: summary, count: 20,
            prepare: { try await $0.prepareFacets() }
        ) { bench, _ in try bench.count(facets) }
    }

    private static let facets = [
        facets(
            "facets", "a million objects with one word: values, a histogram and groups of three",
            FacetedObject.facets),
        facets("facet-values", "the same, values alone", [FacetedObject.facets[0]]),
        facets("facet-histogram", "the same, a histogram alone", [FacetedObject.facets[1]]),
        facets("facet-groups", "the same, groups alone", [FacetedObject.facets[2]]),
    ]

    private static func filter(
        _ name: String, _ summary: String,
        _ run: @escaping @Sendable (Workbench, Int) throws -> Void
    ) -> Operation {
        Operation(
            name: name, summary: summary, count: 50,
            prepare: { try await $0.prepareFacets() }
        ) { bench, number in try run(bench, number) }
    }

    private static func brand(_ number: Int) -> Query {
        .filter(.attribute("brand", .equal(.string("brand \(number % 20)"))))
    }

    private static let filters = [
        filter(
            "filter-word", "the best ten of a million with one word, beside one of twenty values"
        ) {
            try $0.filtered(.all(of: [.term("object"), brand($1)]))
        },
        filter("filter-alone", "the same, a hundredth of them by a number, another one each time") {
            let lower = AttributeValue.number(Double($1 * 20))
            let upper = AttributeValue.number(Double($1 * 20 + 20))
            try $0.filtered(.attribute("price", .range(lower..<upper)))
        },
        filter("sort-number", "the same, all of them by a number") { bench, _ in
            try bench.filtered(.term("object"), .sorted(by: [.attribute("price")]))
        },
        filter("filter-sort-facets", "the same, one of twenty values by a number, with facets") {
            try $0.filtered(
                .all(of: [.term("object"), brand($1)]), .sorted(by: [.attribute("price")]),
                FacetedObject.facets)
        },
    ]

    private static let upkeep = [
        Operation(
            name: "open", summary: "an index of the corpus, to the first answer", count: 10
        ) { bench, number in
            try bench.index.close()
            try bench.reopen()
            _ = try bench.index.search(.term(bench.word(number, from: 0, to: 100)), limit: 10)
        },
        Operation(
            name: "vacuum", summary: "the space of every second object given back by optimize()",
            count: 1
        ) { bench, _ in
            let removals = stride(from: 0, to: bench.corpus.entries.count, by: 2).map {
                bench.index.removeIndex(forIdentifier: Data("\($0)".utf8))
            }
            for removal in removals { _ = try await removal.value() }
            try await bench.index.optimize()
        },
    ]
}

import Foundation
import TextSearch

/// The kinds of query that engines are compared by, under the names that all drivers share.
struct QueryKind: Sendable {
    var name: String
    /// The file of its queries, without its ending: `id<TAB>text` a line.
    var file: String
    /// Runs one query; how many results there are.
    var run: @Sendable (TextIndex<Entry>, String) throws -> Int

    static let all: [QueryKind] = best + enumerated + counted

    private static func words(_ text: String) -> [Query] {
        text.split(separator: " ").map { .term(String($0)) }
    }

    private static func best(
        _ name: String, _ file: String, _ query: @escaping @Sendable (String) -> Query
    ) -> QueryKind {
        QueryKind(name: name, file: file) { try $0.search(query($1), limit: 10).items.count }
    }

    /// The best ten by relevance, with their hits.
    private static let best = [
        best("term_common", "term_common") { .term($0) },
        best("term_mid", "term_mid") { .term($0) },
        best("term_rare", "term_rare") { .term($0) },
        best("and2", "and2") { .all(of: words($0)) },
        best("and2_stop", "and2_stop") { .all(of: words($0)) },
        best("or2", "or2") { .any(of: words($0)) },
        best("or35", "or35") { .any(of: words($0)) },
        best("phrase", "phrase") { .phrase($0) },
        best("prefix3_top", "prefix3") { .prefix($0) },
        best("infix_top", "infix") { .infix($0) },
        best("fuzzy_top", "term_mid") { .fuzzy($0, distance: 1) },
    ]

    /// Every match, in the order of documents or of weight, down to its identifier.
    private static func all(
        _ name: String, _ file: String, ranking: Ranking = .relevance,
        _ query: @escaping @Sendable (String) -> Query
    ) -> QueryKind {
        QueryKind(name: name, file: file) { index, text in
            var count = 0
            var bytes = 0
            for identifier in try index.identifiers(for: query(text), ranking: ranking) {
                count += 1
                bytes += identifier.count
            }
            precondition(bytes >= count, "identifiers are not empty")
            return count
        }
    }

    /// Every result of a page without end.
    private static func items(
        _ name: String, _ file: String, _ query: @escaping @Sendable (String) -> Query
    ) -> QueryKind {
        QueryKind(name: name, file: file) { index, text in
            var count = 0
            for item in try index.search(query(text), limit: .max) where !item.identifier.isEmpty {
                count += 1
            }
            return count
        }
    }

    private static let enumerated = [
        all("term_common_all", "term_common") { .filter(.term($0)) },
        all("term_common_weight", "term_common", ranking: .weight) { .filter(.term($0)) },
        items("term_common_items", "term_common") { .filter(.term($0)) },
        all("and2_all", "and2") { .filter(.all(of: words($0))) },
        all("or2_all", "or2") { .filter(.any(of: words($0))) },
        all("phrase_all", "phrase") { .filter(.phrase($0)) },
        all("prefix3_all", "prefix3") { .filter(.prefix($0)) },
        all("infix_all", "infix") { .filter(.infix($0)) },
    ]

    /// All results counted, none made.
    private static func count(
        _ name: String, _ file: String, _ query: @escaping @Sendable (String) -> Query
    ) -> QueryKind {
        QueryKind(name: name, file: file) {
            try $0.search(.filter(query($1)), limit: 0).totalCount.value
        }
    }

    private static let counted = [
        count("term_common_count", "term_common") { .term($0) },
        count("prefix3_count", "prefix3") { .prefix($0) },
        count("infix_count", "infix") { .infix($0) },
        QueryKind(name: "keyword_count", file: "infix") { try $0.resultCount(forKeyword: $1) },
    ]

    /// The queries of a folder that belong to it; none where the file is missing.
    func queries(in folder: URL) -> [String] {
        let file = folder.appending(path: file + ".tsv")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap {
            $0.split(separator: "\t").last.map { String($0) }
        }
    }

    /// For so many seconds queries are run before they are timed: whoever waited for a turn finds
    /// caches that others used.
    private static let warmingTime = 0.03

    /// Times some passes over the queries of a folder, after some that are not timed, the first of
    /// which gives the hits; reports both. A query takes the time in the middle of those of its
    /// passes.
    func report(
        _ index: TextIndex<Entry>, _ folder: URL, passes: Int = 3, figures: [String: Any] = [:]
    ) throws {
        try report([(nil, index)], folder, passes: passes, figures: figures)
    }

    /// The same for several indexes, whose passes take turns. The kind is reported with the name of
    /// each one's state before it.
    func report(
        _ indexes: [(state: String?, index: TextIndex<Entry>)], _ folder: URL, passes: Int,
        figures: [String: Any] = [:]
    ) throws {
        let queries = queries(in: folder)
        guard !queries.isEmpty else { return }
        let hits = try indexes.map { (_, index) in
            var (time, hits) = try seconds { try queries.map { try run(index, $0) } }
            while time < Self.warmingTime {
                time += try seconds { for query in queries { _ = try run(index, query) } }.0
            }
            return hits
        }
        var passed = indexes.map { _ in [Samples](repeating: Samples(), count: queries.count) }
        for _ in 0..<passes {
            for (turn, (_, index)) in indexes.enumerated() {
                for (place, query) in queries.enumerated() {
                    let (time, _) = try seconds { try run(index, query) }
                    passed[turn][place].append(time * 1e6)
                }
            }
        }
        for (turn, (state, _)) in indexes.enumerated() {
            var samples = Samples()
            for sample in passed[turn] { samples.append(sample.percentile(0.5)) }
            var figures = figures
            figures["kind"] = state.map { "\($0)/\(name)" } ?? name
            figures["n"] = queries.count
            figures["hits"] = hits[turn]
            for part in [50, 90, 99] {
                figures["p\(part)_us"] = Figures.rounded(samples.percentile(Double(part) / 100))
            }
            try Figures.report("query", figures)
        }
    }
}

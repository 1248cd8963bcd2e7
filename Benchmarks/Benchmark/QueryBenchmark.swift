import Foundation
import TextSearch

/// How long searches take, by kind of query: the median and the 99th percentile of several passes
/// over a set of queries, after one pass that is not counted.
///
/// A folder holds files of queries, `id<TAB>text` a line, named by their kind: `term_common.tsv`,
/// `and2.tsv`, `or35.tsv`, `phrase.tsv`, `prefix3.tsv`, `infix.tsv` and so on.
struct QueryBenchmark {
    var folder: URL
    var passes = 5
    var limit = 10

    private struct Kind {
        var name: String
        var file: String
        var query: (String) -> Query
    }

    private static func words(_ text: String) -> [Query] {
        text.split(separator: " ").map { .term(String($0)) }
    }

    private static var kinds: [Kind] {
        [
            Kind(name: "term, common", file: "term_common") { .term($0) },
            Kind(name: "term, middling", file: "term_mid") { .term($0) },
            Kind(name: "term, rare", file: "term_rare") { .term($0) },
            Kind(name: "2 terms, all", file: "and2") { .all(of: words($0)) },
            Kind(name: "2 terms, all, one common", file: "and2_stop") { .all(of: words($0)) },
            Kind(name: "2 terms, any", file: "or2") { .any(of: words($0)) },
            Kind(name: "3 to 5 terms, any", file: "or35") { .any(of: words($0)) },
            Kind(name: "phrase", file: "phrase") { .phrase($0) },
            Kind(name: "prefix of 3 letters", file: "prefix3") { .prefix($0) },
            Kind(name: "infix of 3 to 6 letters", file: "infix") { .infix($0) },
            Kind(name: "fuzzy, 1 edit", file: "term_mid") { .fuzzy($0, distance: 1) },
        ]
    }

    func run<Object>(_ index: TextIndex<Object>) throws {
        print("queries, the best \(limit) by relevance (p50, p99 µs; objects that match)")
        for kind in Self.kinds {
            let file = folder.appending(path: kind.file + ".tsv")
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let queries = text.split(separator: "\n").compactMap {
                $0.split(separator: "\t").last.map { kind.query(String($0)) }
            }
            guard !queries.isEmpty else { continue }
            var times: [Double] = []
            var found = 0
            for pass in 0...passes {
                for query in queries {
                    let start = ContinuousClock.now
                    let results = try index.search(query, limit: limit)
                    let time = ContinuousClock.now - start
                    if pass > 0 {
                        times.append(Double(time.components.attoseconds) / 1e12)
                    } else {
                        found += results.totalCount.value
                    }
                }
            }
            times.sort()
            print(
                String(
                    format: "  %@ %9.1f %9.1f   %d",
                    kind.name.padding(toLength: 26, withPad: " ", startingAt: 0),
                    times[times.count / 2], times[times.count * 99 / 100], found))
        }
    }
}

import Foundation
import TextSearch

/// Searches for many queries in one process, and writes a line of JSON for each.
struct BatchSearch {
    let batch: QueryBatch
    let options: BatchOptions

    /// What is found for one query.
    private struct Answer: Encodable {
        struct Hit: Encodable {
            let rank: Int
            let identifier: String
            /// The identifier's bytes in Base64, when they are not text.
            let identifierBytes: String?
            let score: Double
            /// What decides between hits of one score.
            let relevance: Double
            let title: String?

            init(_ item: SearchResultItem<Record>, rank: Int) {
                self.rank = rank
                let text = String(validating: item.identifier, as: UTF8.self)
                identifier = text ?? String(decoding: item.identifier, as: UTF8.self)
                identifierBytes = text == nil ? item.identifier.base64EncodedString() : nil
                score = item.score
                relevance = item.relevance
                title = Origin(item.context)?.title
            }
        }

        let number: Int
        let id: String?
        let query: String
        let total: Int
        let isTotalExact: Bool
        let isComplete: Bool
        /// A mark of the content that was searched, where statistics were given.
        let generation: String?
        let hits: [Hit]
    }

    /// Searches one index; by the statistics of all, where these are given.
    func run(in folder: IndexFolder, statistics: String?) throws {
        let asking = try options.asking(folder)
        let known = try statistics.map { try BatchStatistics.load($0, for: batch, asking) }
        for (number, line) in batch.lines.enumerated() {
            let results: SearchResults<Record>
            if let known {
                guard let sum = known[number]?.statistics else {
                    throw CommandError("the statistics lack the query of line \(number + 1)")
                }
                results = try folder.index.search(
                    line.query, statistics: sum, limit: asking.limit, ranking: asking.ranking,
                    filter: asking.filter, fields: asking.fields, parser: asking.parser)
            } else {
                results = try folder.index.search(
                    line.query, limit: asking.limit, ranking: asking.ranking,
                    filter: asking.filter, fields: asking.fields, parser: asking.parser)
            }
            try write(
                number, line, results.items, results.totalCount, results.isComplete,
                generation: known == nil ? nil : "\(results.generation)")
        }
    }

    /// Searches all shards of a set as one index.
    func run(in set: SetFolder) throws {
        let search = try set.search()
        let asking = try options.asking(set.shards[0])
        for (number, line) in batch.lines.enumerated() {
            let results = try search.search(
                line.query, limit: asking.limit, ranking: asking.ranking, filter: asking.filter,
                fields: asking.fields, parser: asking.parser)
            try write(
                number, line, results.hits.map(\.item), results.totalCount, results.isComplete,
                generation: nil)
        }
    }

    private func write(
        _ number: Int, _ line: QueryBatch.Line, _ items: [SearchResultItem<Record>],
        _ total: SearchResults<Record>.TotalCount, _ isComplete: Bool, generation: String?
    ) throws {
        let answer = Answer(
            number: number, id: line.id, query: line.query, total: total.value,
            isTotalExact: total.isExact, isComplete: isComplete, generation: generation,
            hits: items.enumerated().map { Answer.Hit($1, rank: $0) })
        try Console.write(answer.jsonLine())
    }
}

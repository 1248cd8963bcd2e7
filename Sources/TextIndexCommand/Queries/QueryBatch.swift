import Foundation
import TextIndexInterface
import TextSearch

/// Many queries in a file, one JSON object a line: `{"query": "white whale", "id": "q1"}`.
struct QueryBatch {
    struct Line: Codable {
        var query: String
        /// The caller's own name of it, given back.
        var id: String?
    }

    let lines: [Line]

    /// Reads the queries of a file; `-` is standard input.
    ///
    /// - Throws: ``CommandError`` for a line that is none.
    init(_ path: String) throws {
        lines = try Self.decode(Line.self, from: path).map(\.value)
    }

    /// The values on the lines of a file, with the numbers of the lines. Empty lines are passed
    /// over.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from path: String
    ) throws -> [(number: Int, value: Value)] {
        let data: Data
        do {
            data =
                path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CommandError("cannot read \(path); it must be a file of lines of JSON")
        }
        let decoder = JSONDecoder()
        var values: [(number: Int, value: Value)] = []
        for (number, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            do {
                values.append((number + 1, try decoder.decode(type, from: line)))
            } catch {
                throw CommandError("\(path), line \(number + 1): not what is expected here")
            }
        }
        return values
    }
}

/// How the queries of a batch are run: the same for statistics and for the search.
struct BatchOptions {
    var limit: Int
    var rank: RankingChoice?
    var field: String?
    var filter: String?
    var steps: SearchSteps?

    /// What the engine is asked with, in one index.
    func asking(_ folder: IndexFolder) throws -> Asking {
        try folder.check(field: field)
        var parser = folder.queryParser()
        if let steps { parser.options.steps = steps }
        let usual: RankingChoice = folder.settings.weight == nil ? .relevance : .combined
        return Asking(
            limit: limit, ranking: (rank ?? usual).ranking, fields: field.map { [$0] } ?? [],
            filter: FilterText(filter, parser).query, parser: parser)
    }

    struct Asking {
        let limit: Int
        let ranking: Ranking
        let fields: [String]
        let filter: Query?
        let parser: QueryParser
    }
}

/// What is known of one query of a batch, on a line.
struct BatchStatistics: Codable {
    /// The place of the query in the batch, from 0.
    var number: Int
    var id: String?
    var query: String
    var statistics: QueryStatistics
    /// Whether a search can be run with it; otherwise another round is needed.
    var isComplete: Bool

    init(number: Int, line: QueryBatch.Line, _ statistics: QueryStatistics) {
        self.number = number
        id = line.id
        query = line.query
        self.statistics = statistics
        isComplete = statistics.isComplete
    }

    /// Reads what is known of the queries of a batch, by their places.
    ///
    /// - Throws: ``CommandError`` where it is of another batch.
    static func load(_ path: String, for batch: QueryBatch) throws -> [Int: QueryStatistics] {
        var known: [Int: QueryStatistics] = [:]
        for (number, line) in try QueryBatch.decode(BatchStatistics.self, from: path) {
            guard batch.lines.indices.contains(line.number),
                batch.lines[line.number].query == line.query
            else { throw CommandError("\(path), line \(number): of another batch of queries") }
            known[line.number] = line.statistics
        }
        return known
    }
}

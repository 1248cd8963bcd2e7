import Foundation
import TextIndexInterface
import TextSearch

/// Many queries in a file, one JSON object a line: `{"query": "white whale", "id": "q1"}`.
struct QueryBatch {
    struct Line {
        var query: String
        /// The caller's own name of it, given back.
        var id: String?
    }

    let lines: [Line]

    /// Reads the queries of a file; `-` is standard input.
    ///
    /// - Throws: ``CommandError`` for a line that is none.
    init(_ path: String) throws {
        lines = try Self.read(path) { text throws(CommandError) in try Line(text) }.map(\.value)
    }

    /// Reads the lines of a file. Empty ones are passed over.
    ///
    /// - Parameters:
    ///   - path: the file; `-` is standard input.
    ///   - value: makes a value of the text of a line, or says what is wrong with it.
    /// - Returns: The values, with the numbers of their lines.
    /// - Throws: ``CommandError``, which names the line.
    static func read<Value>(
        _ path: String, _ value: (String) throws(CommandError) -> Value
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
        var values: [(number: Int, value: Value)] = []
        for (number, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            do throws(CommandError) {
                guard let text = String(validating: line, as: UTF8.self) else {
                    throw CommandError("not UTF-8; write the file as UTF-8")
                }
                values.append((number + 1, try value(text)))
            } catch {
                throw CommandError("\(path), line \(number + 1): \(error.message)")
            }
        }
        return values
    }
}

extension QueryBatch.Line {
    private static let members: Set = ["query", "id"]
    private static let expected = #"a line is {"query": "white whale", "id": "q1"}"#

    /// Reads a query.
    init(_ text: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(bytes)
        let found: [String: JSONScanner.Value]
        do {
            found = try scanner.object(keeping: Self.members)
        } catch {
            throw CommandError("\(error.reason) (column \(error.column)); \(Self.expected)")
        }
        guard !scanner.isRepaired else {
            throw CommandError("half of a surrogate pair, which no text has")
        }
        if let other = scanner.unkeptName {
            throw CommandError(
                "no member \"\(other)\"; \(Self.expected), and options are for all queries")
        }
        switch found["query"] {
        case .string(let text): query = text
        case nil: throw CommandError("no \"query\"; \(Self.expected)")
        default: throw CommandError("\"query\" is not a string; \(Self.expected)")
        }
        switch found["id"] {
        case .string(let text), .number(let text): id = text
        case nil, .null: id = nil
        default: throw CommandError("\"id\" is neither a string nor a number")
        }
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
        let choice = rank ?? usual
        return Asking(
            limit: limit, ranking: choice.ranking, fields: field.map { [$0] } ?? [],
            filter: FilterText(filter, parser).query, parser: parser,
            texts: [
                "\(limit)", choice.rawValue,
                "\(parser.options.steps ?? folder.index.configuration.steps)",
                field.map { "=\($0)" } ?? "",
                filter.map { "=\($0)" } ?? "",
            ])
    }

    struct Asking {
        let limit: Int
        let ranking: Ranking
        let fields: [String]
        let filter: Query?
        let parser: QueryParser
        /// All that statistics depend on, beside the query.
        fileprivate let texts: [String]

        /// A mark of what is asked: statistics are of use for the same alone.
        func mark(of query: String) -> String { SHA256.mark(of: texts + [query]) }
    }
}

/// What is known of one query of a batch, on a line.
struct BatchStatistics: Codable {
    /// The place of the query in the batch, from 0.
    var number: Int
    var id: String?
    var query: String
    /// A mark of the query and of the options that it was asked with; nil from those who did not
    /// know of it.
    var asked: String?
    var statistics: QueryStatistics
    /// Whether a search can be run with it; otherwise another round is needed.
    var isComplete: Bool

    init(number: Int, line: QueryBatch.Line, asked: String, _ statistics: QueryStatistics) {
        self.number = number
        id = line.id
        query = line.query
        self.asked = asked
        self.statistics = statistics
        isComplete = statistics.isComplete
    }

    /// Reads the lines of a file, with their numbers.
    static func lines(_ path: String) throws -> [(number: Int, value: BatchStatistics)] {
        try QueryBatch.read(path) { text throws(CommandError) in
            do {
                return try JSONDecoder().decode(BatchStatistics.self, from: Data(text.utf8))
            } catch {
                throw CommandError(
                    "no statistics of a query; give what textindex statistics printed")
            }
        }
    }

    /// Why these statistics and others are not of one query, asked in one way; nil if they are.
    func difference(from other: BatchStatistics) -> String? {
        difference(from: other.query, asked: other.asked)
    }

    private func difference(from query: String, asked: String?) -> String? {
        // Strings are equal that have other bytes.
        guard self.query.utf8.elementsEqual(query.utf8) else {
            return "of another batch of queries"
        }
        guard self.asked == asked else {
            return "these statistics were asked for in another way; give the same --limit, --rank, "
                + "--field, --filter and --steps each time"
        }
        return nil
    }

    /// Reads what is known of the queries of a batch, by their places.
    ///
    /// - Throws: ``CommandError`` where it is of another batch, or was asked in another way.
    static func load(
        _ path: String, for batch: QueryBatch, _ asking: BatchOptions.Asking
    ) throws -> [Int: BatchStatistics] {
        var known: [Int: BatchStatistics] = [:]
        for (number, line) in try lines(path) {
            let problem: String?
            if batch.lines.indices.contains(line.number) {
                let query = batch.lines[line.number].query
                problem = line.difference(from: query, asked: asking.mark(of: query))
            } else {
                problem = "of another batch of queries"
            }
            if let problem { throw CommandError("\(path), line \(number): \(problem)") }
            guard known.updateValue(line, forKey: line.number) == nil else {
                throw CommandError("\(path), line \(number): the query is there twice")
            }
        }
        return known
    }
}

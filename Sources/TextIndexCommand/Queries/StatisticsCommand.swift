import ArgumentParser
import Foundation
import TextIndexInterface
import TextSearch

/// `textindex statistics`: what one index knows of queries, to search many as one.
struct StatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics",
        abstract: "Says what an index knows of queries, to search it with others as one.",
        discussion: """
            For indexes that are searched by different processes, or on different machines. Each says what it knows of the queries; \
            the sums go to each, and textindex search --statistics finds its best by these. Scores are then those of one index \
            with all objects. Queries of which isComplete is false need another round, with --known; the others are left out of it.

            Examples:
              textindex statistics --index shard-0 --queries q.jsonl > s0.jsonl
              textindex statistics --sum s0.jsonl s1.jsonl > sum.jsonl
              textindex statistics --index shard-0 --queries q.jsonl --known sum.jsonl > t0.jsonl
              textindex statistics --sum t0.jsonl t1.jsonl --known sum.jsonl > sum2.jsonl
              textindex search --queries q.jsonl --statistics sum2.jsonl --index shard-0 --json
            """)

    @Option(
        name: [.customLong("index"), .customShort("i")],
        help: ArgumentHelp("The folder of the index.", valueName: "dir"), completion: .directory)
    var path: String?

    @OptionGroup var opening: OpeningOptions

    @Option(help: "The queries: lines of JSON with a query, and an id where that is of use.")
    var queries: String?

    @Option(parsing: .upToNextOption, help: "Add up statistics of the same round.")
    var sum: [String] = []

    @Option(help: "The sums of the last round.")
    var known: String?

    @Option(name: .shortAndLong, help: "How many hits of all indexes will be shown.")
    var limit = 10

    @Option(help: "What to rank by: relevance, weight or combined.")
    var rank: RankingChoice?

    @Option(help: "Look in this field only, where a query names none.")
    var field: String?

    @Option(parsing: .unconditional, help: "Query text that hits must match too.")
    var filter: String?

    @Option(help: "How far to go where a page is not full: \(StepsChoice.expectation).")
    var steps: StepsChoice?

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative") }
        if sum.isEmpty {
            guard let path, !path.isEmpty, queries != nil else {
                throw ValidationError("give --index and --queries, or --sum")
            }
        } else if path != nil || queries != nil {
            throw ValidationError("give --index and --queries, or --sum")
        }
    }

    func run() async throws {
        if !sum.isEmpty { return try add() }
        guard let path, let queries else { return }
        let location = IndexOption(path: path, opening: opening)
        try location.validate()
        let batch = try QueryBatch(queries)
        try await IndexFolder.use(existing: location) { folder in
            let options = BatchOptions(
                limit: limit, rank: rank, field: field, filter: filter, steps: steps?.steps)
            let asking = try options.asking(folder)
            let known = try known.map { try BatchStatistics.load($0, for: batch, asking) } ?? [:]
            for (number, line) in batch.lines.enumerated()
            where known[number]?.isComplete != true {
                let statistics = try folder.index.statistics(
                    of: line.query, known: known[number]?.statistics, limit: asking.limit,
                    ranking: asking.ranking, filter: asking.filter, fields: asking.fields,
                    parser: asking.parser)
                try Console.write(
                    BatchStatistics(
                        number: number, line: line, asked: asking.mark(of: line.query), statistics
                    ).jsonLine())
            }
        }
    }

    /// Adds up what several indexes said; queries that were complete before stay as they were.
    private func add() throws {
        var sums: [Int: BatchStatistics] = [:]
        var asked: Set<Int>?
        for file in sum {
            var numbers: Set<Int> = []
            for (number, line) in try BatchStatistics.lines(file) {
                guard numbers.insert(line.number).inserted else {
                    throw CommandError("\(file), line \(number): the query is there twice")
                }
                guard var total = sums[line.number] else {
                    sums[line.number] = line
                    continue
                }
                if let difference = total.difference(from: line) {
                    throw CommandError("\(file), line \(number): \(difference)")
                }
                try total.statistics.add(line.statistics)
                sums[line.number] = total
            }
            // Of a file that ends too early the rest would be missing from the sums.
            guard asked == nil || asked == numbers else {
                throw CommandError(
                    "\(file) has other queries than \(sum[0]); was one of them cut off?")
            }
            asked = numbers
        }
        let told = Set(sums.values.map(\.statistics.indexCount))
        guard told.count < 2 else {
            throw CommandError("a file has sums of more indexes for one query than for another")
        }
        if let known {
            for (number, line) in try BatchStatistics.lines(known) {
                if let difference = sums[line.number]?.difference(from: line) {
                    throw CommandError("\(known), line \(number): \(difference)")
                }
                if sums[line.number] == nil { sums[line.number] = line }
            }
        }
        for (_, line) in sums.sorted(by: { $0.key < $1.key }) {
            var line = line
            line.isComplete = line.statistics.isComplete
            try Console.write(line.jsonLine())
        }
    }
}

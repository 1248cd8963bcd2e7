import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

extension ShardService {
    /// What shards know of a query: the first phase of a search, once or round by round.
    func statistics(_ exchange: Exchange) async throws -> Answer {
        try await answer(exchange) { try self.statistics(of: $0, $1) }
    }

    /// The best hits of shards by the statistics of all: the second phase of a search.
    ///
    /// Only a range of them is shown: of a page far down, few are on it.
    func search(_ exchange: Exchange) async throws -> Answer {
        try await answer(exchange) { try self.hits(of: $0, $1).bytes }
    }

    private func answer(
        _ exchange: Exchange,
        _ find: @escaping @Sendable (Asking, SearchBudget) throws -> [UInt8]
    ) async throws -> Answer {
        let asking = try await asking(exchange)
        let bytes = try await gate.run(for: exchange.client, until: asking.times) {
            try find(asking, $0)
        }
        return Answer(type: asking.type, bytes: bytes)
    }

    // MARK: Phases

    /// What shards know, and what they find by the sums that are expected.
    private func statistics(
        of asking: Asking, _ budget: SearchBudget, readsTexts: Bool = true
    ) throws -> [UInt8] {
        let begun = ContinuousClock.now
        var (arguments, known) = try asking.read()
        let showing = asking.isMessage ? try Showing(&arguments, limits) : nil
        let request = try ShardRequest(&arguments, known: known, sets, limits)
        try arguments.finish()
        let expecting = known == nil && request.facets.isEmpty && expected.size > 0
        let early = showing.flatMap { $0.isWanted && expecting ? $0 : nil }
        let words = early.flatMap { _ in try? request.words() }
        // Statistics are not found out twice.
        if let early, words != nil { try check(request, early, readsTexts: readsTexts) }
        let sum = try Self.inTime(asking.times) {
            try request.statistics(known: known, budget)
        }
        guard asking.isMessage else {
            return JSON.members([
                "isComplete": .bool(sum.isComplete),
                "statistics": HitRenderer<Object>.encoded(sum),
            ]).bytes
        }
        guard let early, let words else { return StatisticsReply.bytes(sum) }
        // Others wait for the statistics: what is found early may take little of their time.
        let now = ContinuousClock.now
        let end =
            readsTexts
            ? now + max(asking.times.wanted - now, .zero) / 4 : begun + SearchGate.moment
        var hasty = asking
        hasty.times = SearchTimes(end)
        return try reply(sum, words, request, early, hasty, budget, readsTexts: readsTexts)
    }

    /// Statistics with the next round, where that is clear, and what is found by the sums that are
    /// expected, as far as there is time.
    private func reply(
        _ sum: QueryStatistics, _ words: [[UInt8]], _ request: ShardRequest<Object>,
        _ showing: Showing, _ asking: Asking, _ budget: SearchBudget, readsTexts: Bool
    ) throws -> [UInt8] {
        let end = asking.times.last
        let isCheap = sum.frequencySum <= Self.mostPostingsUnasked
        let next = try before(end, readsTexts: true) { left -> QueryStatistics? in
            guard sum.isOfNothing, isCheap else { return nil }
            return try request.statistics(known: sum, budget.within(left))
        }
        var found: [(sums: QueryStatistics, reply: [UInt8])] = []
        for sums in expected.sums(of: words, [sum, next].compactMap { $0 })
        where isCheap || !sums.isOfNoMatch {
            let reply = try before(end, readsTexts: readsTexts) { left -> [UInt8]? in
                let (bytes, isComplete) = try hits(
                    of: request, by: sums, showing, asking, budget.within(left),
                    readsTexts: readsTexts)
                // In haste snippets are poorer.
                guard isComplete, .now < end else { throw Problem.outOfTime }
                return bytes
            }
            if let reply { found.append((sums, reply)) }
        }
        return StatisticsReply.bytes(sum, next: next, early: found)
    }

    /// What is found before it is asked for, in what is left until some time; nil where it fails:
    /// who asks for it is told why. Where no texts may be read, all begins anew.
    private func before<R>(
        _ end: ContinuousClock.Instant, readsTexts: Bool, _ find: (Duration) throws -> R?
    ) throws -> R? {
        do {
            let left = end - .now
            guard left > .zero else { throw Problem.outOfTime }
            return try find(left)
        } catch  where readsTexts && !(error is CancellationError) {
            return nil
        }
    }

    /// Of more frequent words any of them take too long to be looked for unasked.
    private static var mostPostingsUnasked: Int { 65_536 }

    /// Which hits are shown, and what of them.
    private struct Showing {
        let parameters: ShowingParameters
        let first: Int
        let count: Int
        /// Whether facets were counted before, as for the rest of a page.
        let isCounted: Bool
        /// Whether the message says what to show.
        let isWanted: Bool

        init(_ arguments: inout Arguments, _ limits: ServerLimits) throws {
            isWanted = arguments.has("count")
            parameters = try ShowingParameters(&arguments)
            guard !parameters.explains else { throw Problem.notSpread("explain") }
            first = try arguments.int("from", in: 0...limits.reach + limits.pageLength) ?? 0
            count =
                try arguments.int("count", in: 0...limits.pageLength) ?? limits.pageLength
            isCounted = try arguments.bool("counted")
        }
    }

    private func hits(
        of asking: Asking, _ budget: SearchBudget, readsTexts: Bool = true
    ) throws -> (bytes: [UInt8], isComplete: Bool) {
        var (arguments, known) = try asking.read()
        let showing = try Showing(&arguments, limits)
        let request = try ShardRequest(&arguments, known: known, sets, limits)
        try arguments.finish()
        guard let known else {
            throw Problem.invalid("statistics", "Give the sums of the first phase as statistics.")
        }
        let found = try hits(
            of: request, by: known, showing, asking, budget, readsTexts: readsTexts)
        if let words = try request.words() { expected.note(words, known) }
        return found
    }

    /// An event loop finds only what is there in a moment: few hits, without texts or counts.
    private func check(
        _ request: ShardRequest<Object>, _ showing: Showing, counts: Bool = false,
        readsTexts: Bool
    ) throws {
        guard
            readsTexts
                || !showing.parameters.wantsText && !counts
                    && max(request.limit, showing.count) <= Self.mostAtOnce
        else { throw Problem.outOfTime }
    }

    private func hits(
        of request: ShardRequest<Object>, by sum: QueryStatistics, _ showing: Showing,
        _ asking: Asking, _ budget: SearchBudget, readsTexts: Bool
    ) throws -> (bytes: [UInt8], isComplete: Bool) {
        let counts = !showing.isCounted && !request.facets.isEmpty
        try check(request, showing, counts: counts, readsTexts: readsTexts)
        let results = try request.inEach {
            try request.results(in: $0, by: sum, counts: counts, budget)
        }
        let found = try ShardHits(
            results, request, within: limits, asMessage: asking.isMessage)
        let shown = try found.shown(from: showing.first, count: showing.count, within: limits) {
            guard .now < asking.times.last else { throw Problem.outOfTime }
            return try HitRenderer(
                served: request.shards[$0.source].served, showing: showing.parameters,
                limits: limits, times: asking.times, budget: budget
            ).json($0.item, isRanked: false)
        }
        let unit = showing.parameters.unit
        guard asking.isMessage else { return (found.json(shown, unit).bytes, found.isComplete) }
        // Who asks for more hits, or for counts alone, was told before or shows no words.
        let words = showing.first == 0 && !counts ? found.unknownWords() : []
        // In a moment there may be no time for words.
        return (
            found.message(shown, unit, words),
            found.isComplete && (readsTexts || words != nil)
        )
    }

    /// Of more hits the ranks alone take longer than an event loop may be kept from others.
    private static var mostAtOnce: Int { 100 }

    // MARK: Messages

    /// Messages that need not wait for their turn are answered by one thread: that of the event
    /// loop where it takes a moment, and one that may block where it does not.
    var messages: MessageAnswers? {
        // Who is counted takes the way on which requests are.
        guard limits.rate == 0 else { return nil }
        return MessageAnswers(paths: ["/v1/shard/statistics", Self.searchPath]) { exchange, done in
            let cancellation = SearchCancellation()
            do {
                let asking = try Self.asking(message: exchange)
                if let answer = self.answerHere(asking, exchange) {
                    done(.success(answer))
                    return {}
                }
                let runs = self.gate.runAtOnce(
                    for: exchange.client, until: asking.times, cancellation
                ) { budget in
                    try self.answer(asking, exchange, budget, readsTexts: true).answer
                } done: { result in
                    done(result)
                }
                if runs { return { cancellation.cancel() } }
            } catch {
                done(.failure(error))
                return {}
            }
            let task = Task {
                do {
                    let answer =
                        try await exchange.path == Self.searchPath
                        ? self.search(exchange) : self.statistics(exchange)
                    done(.success(answer))
                } catch {
                    done(.failure(error))
                }
            }
            return { task.cancel() }
        }
    }

    private static var searchPath: String { "/v1/shard/search" }

    private func answer(
        _ asking: Asking, _ exchange: Exchange, _ budget: SearchBudget, readsTexts: Bool
    ) throws -> (answer: Answer, isComplete: Bool) {
        guard exchange.path == Self.searchPath else {
            let bytes = try statistics(of: asking, budget, readsTexts: readsTexts)
            return (Answer(type: asking.type, bytes: bytes), true)
        }
        let (bytes, isComplete) = try hits(of: asking, budget, readsTexts: readsTexts)
        return (Answer(type: asking.type, bytes: bytes), isComplete)
    }

    /// What is found at once in one shard, without texts; nil for all else, which begins anew where
    /// threads may block.
    private func answerHere(_ asking: Asking, _ exchange: Exchange) -> Answer? {
        guard asking.isSmall else { return nil }
        return gate.runHere(for: exchange.client) { budget in
            let (answer, isComplete) = try self.answer(
                asking, exchange, budget, readsTexts: false)
            return isComplete ? answer : nil
        }
    }

    /// A request in either form.
    private struct Asking: Sendable {
        let isMessage: Bool
        var times: SearchTimes
        /// Whether it is of one shard, and soon read.
        var isSmall = false
        /// What is asked, and the statistics that are known. It may take a while.
        let read: @Sendable () throws -> (Arguments, QueryStatistics?)

        var type: String { isMessage ? ShardMessage.type : "application/json" }
    }

    private func asking(_ exchange: Exchange) async throws -> Asking {
        guard ShardMessage.isOne(exchange.body) else {
            var arguments = try await arguments(of: exchange)
            let times = try deadline(&arguments, exchange)
            let read = arguments
            return Asking(isMessage: false, times: times) {
                var arguments = read
                let known = try Self.statistics(&arguments)
                return (arguments, known)
            }
        }
        return try Self.asking(message: exchange)
    }

    private static func asking(message exchange: Exchange) throws -> Asking {
        guard let message = try? ShardMessage.Request(exchange.body) else {
            throw Problem(
                .unsupportedMediaType, "unsupported-media-type", "The body is of another version",
                "This node is of another version than the server that asks.")
        }
        guard (1...3_600_000).contains(message.deadline) else {
            throw Problem.invalid("deadline", "deadline must be milliseconds, up to an hour.")
        }
        let wanted = ContinuousClock.now + .milliseconds(message.deadline)
        let times = SearchTimes(exchange.deadline, wanted: wanted)
        let isSmall = exchange.body.count <= 16_384 && Int(message.shards) != nil
        return Asking(isMessage: true, times: times, isSmall: isSmall) {
            do {
                let known =
                    try message.statistics.isEmpty
                    ? nil : QueryStatistics(bytes: message.statistics)
                return (try Arguments(message), known)
            } catch is TextIndexError {
                throw noStatistics
            }
        }
    }

    private static func statistics(_ arguments: inout Arguments) throws -> QueryStatistics? {
        try arguments.json("statistics").map { json in
            guard
                let statistics = try? JSONDecoder().decode(
                    QueryStatistics.self, from: Data(json.bytes))
            else { throw noStatistics }
            return statistics
        }
    }

    private static var noStatistics: Problem {
        .invalid("statistics", "These are no statistics of a query.")
    }

    /// Statistics that are cut short are of no use.
    private static func inTime<R>(_ times: SearchTimes, _ body: () throws -> R) throws -> R {
        do {
            return try Problem.inTime(body)
        } catch let error as TextIndexError
            where error.code == .limitExceeded && times.wanted <= .now
        {
            throw Problem.outOfTime
        }
    }
}

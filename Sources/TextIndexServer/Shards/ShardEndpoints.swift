import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

extension ShardService {
    /// What shards know of a query: the first phase of a search, once or round by round.
    func statistics(_ exchange: Exchange) async throws -> Answer {
        let asking = try await asking(exchange)
        let bytes = try await gate.run(for: exchange.client, until: asking.times) { budget in
            var (arguments, known) = try asking.read()
            let request = try ShardRequest(&arguments, known: known, self.sets, self.limits)
            try arguments.finish()
            let told = try Self.inTime(asking.times) {
                try request.inEach { try request.statistics(of: $0, budget) }
            }
            let sum = try QueryStatistics.sum(of: told)
            if asking.isMessage { return StatisticsReply.bytes(sum) }
            return JSON.members([
                "isComplete": .bool(sum.isComplete), "statistics": HitRenderer<Object>.encoded(sum),
            ]).bytes
        }
        return Answer(type: asking.type, bytes: bytes)
    }

    /// The best hits of shards by the statistics of all: the second phase of a search.
    ///
    /// Only a range of them is shown: of a page far down, few are on it.
    func search(_ exchange: Exchange) async throws -> Answer {
        let asking = try await asking(exchange)
        let bytes = try await gate.run(for: exchange.client, until: asking.times) { budget in
            var (arguments, known) = try asking.read()
            let showing = try ShowingParameters(&arguments)
            guard !showing.explains else { throw Problem.notSpread("explain") }
            let request = try ShardRequest(&arguments, known: known, self.sets, self.limits)
            let most = self.limits.reach + self.limits.pageLength
            let first = try arguments.int("from", in: 0...most) ?? 0
            let count =
                try arguments.int("count", in: 0...self.limits.pageLength) ?? self.limits.pageLength
            try arguments.finish()
            guard let known else {
                throw Problem.invalid(
                    "statistics", "Give the sums of the first phase as statistics.")
            }
            let results = try request.inEach { try request.results(in: $0, by: known, budget) }
            let found = ShardHits(results, request)
            let shown = try found.shown(from: first, count: count, within: self.limits) { hit in
                try HitRenderer(
                    served: request.shards[hit.source].served, showing: showing,
                    limits: self.limits, times: asking.times, budget: budget
                ).json(hit.item, isRanked: false)
            }
            return asking.isMessage
                ? found.message(shown, showing.unit) : found.json(shown, showing.unit).bytes
        }
        return Answer(type: asking.type, bytes: bytes)
    }

    /// A request in either form.
    private struct Asking: Sendable {
        let isMessage: Bool
        let times: SearchTimes
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
        guard let message = try? ShardMessage.Request(exchange.body) else {
            throw Problem(
                .unsupportedMediaType, "unsupported-media-type", "The body is of another version",
                "This node is of another version than the server that asks.")
        }
        guard (1...3_600_000).contains(message.deadline) else {
            throw Problem.invalid("deadline", "deadline must be milliseconds, up to an hour.")
        }
        let wanted = ContinuousClock.now + .milliseconds(message.deadline)
        return Asking(isMessage: true, times: SearchTimes(exchange.deadline, wanted: wanted)) {
            do {
                let known =
                    try message.statistics.isEmpty
                    ? nil : QueryStatistics(bytes: message.statistics)
                return (try Arguments(message), known)
            } catch is TextIndexError {
                throw Self.noStatistics
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

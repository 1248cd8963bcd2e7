import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Remembers that an object was chosen among the hits of a search (POST), or forgets what was
    /// chosen (DELETE).
    ///
    /// Nothing else that is asked changes an index.
    func engagements(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let index = try index(&arguments)
        guard options.allowsEngagement else { throw Problem.engagementNotAllowed }
        let served = index.served
        guard !served.index.configuration.isReadOnly else { throw Problem.readOnly }
        let operation =
            exchange.method == .post
            ? try await recording(&arguments, in: served, exchange)
            : try Self.forgetting(&arguments, in: served)
        try await Self.finish(operation, until: exchange.deadline)
        return Answer.nothing
    }

    private func recording(
        _ arguments: inout Arguments, in served: ServedIndex<Object>, _ exchange: Exchange
    ) async throws -> IndexingOperation {
        var parameters = try SearchParameters(&arguments)
        let strength = try arguments.number("strength") ?? 1
        guard strength > 0, strength <= 1000 else {
            throw Problem.invalid("strength", "strength must be greater than 0, and 1000 at most.")
        }
        let date = try Self.date(&arguments)
        try arguments.finish()
        guard let identifier = parameters.identifier else {
            throw Problem.invalid("id", "Name the object that was chosen as id.")
        }
        parameters.identifier = nil
        let asked = parameters
        return try await gate.run(for: exchange.client, until: SearchTimes(exchange.deadline)) {
            _ in
            try asked.check(served)
            guard let item = try served.index.item(for: identifier) else {
                throw Problem.unknownObject
            }
            guard let text = asked.text, asked.mode != .keyword else {
                let query = Self.narrowed(
                    asked.query ?? .keyword(asked.text ?? ""), asked, asked.filter(served))
                return served.index.recordEngagement(
                    item, for: query, strength: strength, at: date)
            }
            return served.index.recordEngagement(item, for: text, strength: strength, at: date)
        }
    }

    /// When an object was chosen; what is to come counts as now, for it would not fade.
    private static func date(_ arguments: inout Arguments) throws -> Date {
        guard let text = try arguments.text("date", upTo: Longest.name) else { return Date() }
        guard case .date(let date) = AttributeValue(iso8601: text) else {
            throw Problem.invalid("date", "date must be a date of ISO 8601, such as 2026-05-01.")
        }
        return min(date, Date())
    }

    private static func forgetting(
        _ arguments: inout Arguments, in served: ServedIndex<Object>
    ) throws -> IndexingOperation {
        let text = try arguments.text("q", upTo: Longest.query)
        let identifier = try arguments.identifier()
        let isAll = try arguments.bool("all")
        try arguments.finish()
        switch (text, identifier, isAll) {
        case (let text?, nil, false): return served.index.forgetEngagements(for: text)
        case (nil, let identifier?, false):
            return served.index.forgetEngagements(withIdentifier: identifier)
        case (nil, nil, true): return served.index.forgetAllEngagements()
        default:
            throw Problem.invalid("q", "Say what to forget: q, id, or all=true, and one of them.")
        }
    }

    /// Waits for an operation; takes it back where it has not begun when the time is over, or its
    /// client gone.
    private static func finish(
        _ operation: IndexingOperation, until deadline: ContinuousClock.Instant
    ) async throws {
        let clock = Task {
            try await Task.sleep(until: deadline)
            operation.cancel()
        }
        defer { clock.cancel() }
        _ = try await withTaskCancellationHandler {
            try await operation.value()
        } onCancel: {
            operation.cancel()
        }
    }
}

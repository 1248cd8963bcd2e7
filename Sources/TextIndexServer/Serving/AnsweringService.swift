import HTTPTypes

/// What answers the requests to a server: the paths that it knows, and what it is held to.
protocol AnsweringService: Sendable {
    var options: ServerOptions { get }
    var metrics: ServerMetrics { get }
    /// Lets so many requests at a time do what takes time.
    var gate: SearchGate { get }
    /// All that is answered.
    var routes: [Route] { get }
    /// What answers messages of other servers; nil where that takes the way of all requests.
    var messages: MessageAnswers? { get }

    /// Does what has to be done before the first request.
    func begin() async

    /// Looks for what is new, and lets go of what nobody uses any more; called now and then.
    ///
    /// - Returns: What went wrong, for the log.
    func tick() async -> [String]

    /// Closes what was opened.
    func close() async throws
}

extension AnsweringService {
    var limits: ServerLimits { options.limits }

    var messages: MessageAnswers? { nil }

    func begin() async {}

    /// What a request asks for, of its query or of its body.
    ///
    /// To read a large body takes as long as a search does: its client takes a turn for it.
    func arguments(of exchange: Exchange) async throws -> Arguments {
        guard exchange.method == .post else { return try Arguments(query: exchange.query) }
        guard exchange.body.count > 4096 else { return try Arguments(json: exchange.body) }
        return try await gate.run(
            for: exchange.client, until: SearchTimes(exchange.deadline)
        ) { _ in try Arguments(json: exchange.body) }
    }

    /// When the answer to a request has to be there: the time that it gives itself, and that which
    /// all have.
    func deadline(
        _ arguments: inout Arguments, _ exchange: Exchange
    ) throws -> SearchTimes {
        let time = try arguments.int("deadline", in: 1...3_600_000)
        return SearchTimes(exchange.deadline, wanted: time.map { .now + .milliseconds($0) })
    }
}

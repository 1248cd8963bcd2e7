import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
package import TextIndexInterface
import TextSearch

/// Serves indexes over HTTP: a JSON interface and a search page.
///
/// ```swift
/// let source = IndexSource(name: "notes") { ServedIndex(index) { text(of: $0) } }
/// let server = try SearchServer([source])
/// try await server.run { port in print("http://127.0.0.1:\(port)") }
/// ```
///
/// The interface is described by the OpenAPI document that it serves at `/openapi.json`.
///
/// **Thread safety**: may be used from any thread. **Lifetime**: the indexes stay open until the
/// server is let go of.
package final class SearchServer: Sendable {
    private let service: any AnsweringService
    private let connections = ClientConnections()
    private let logger: Logger
    private let group = Mutex<(isStopped: Bool, services: ServiceGroup?)>((false, nil))

    /// Opens the indexes.
    ///
    /// - Parameters:
    ///   - sources: the indexes; the first one is asked where a request names none.
    ///   - storedQueries: query texts that posted texts are matched against, by name.
    ///   - options: where to listen, whom to answer, and how much to do.
    /// - Throws: What opening throws; `TextIndexError` `.invalidArgument` for a server that all the
    ///   world could ask without a token.
    package convenience init<Object: Sendable>(
        _ sources: [IndexSource<Object>], storedQueries: [(name: String, query: String)] = [],
        options: ServerOptions = .init()
    ) throws {
        try self.init(options) {
            try SearchService(sources, storedQueries: storedQueries, options)
        }
    }

    /// Opens shards of a set, to be searched by servers that ask many such.
    ///
    /// - Parameters:
    ///   - set: where the set is.
    ///   - options: where to listen, whom to answer, and how much to do.
    /// - Throws: As for indexes.
    package convenience init<Object: Sendable>(
        set: SetSource<Object>, options: ServerOptions = .init()
    ) throws {
        try self.init(options) { try ShardService(set, options) }
    }

    /// Searches many nodes as one index.
    ///
    /// - Parameters:
    ///   - nodes: the nodes; they are told the token that clients of this server tell.
    ///   - options: where to listen, whom to answer, and how much to do.
    /// - Throws: `TextIndexError` `.invalidArgument` without a token where all could ask.
    package convenience init(over nodes: SpreadSource, options: ServerOptions = .init()) throws {
        try self.init(options) {
            let longest = options.limits.answerLength + 1 << 20
            let groups = nodes.groups.map { group in
                ReplicaGroup(
                    numbers: group.shards,
                    replicas: group.nodes.map {
                        Replica(
                            NodeClient($0, token: options.token, longest: longest), group.shards)
                    })
            }
            return try SpreadService(
                groups, newest: nodes.newest, hedging: nodes.hedging, isStrict: nodes.isStrict,
                options)
        }
    }

    private init(
        _ options: ServerOptions, _ makeService: () throws -> any AnsweringService
    ) throws {
        guard options.isLoopback || options.token != nil else {
            throw TextIndexError(
                .invalidArgument,
                "A server that other machines can reach needs a token for its clients.")
        }
        service = try makeService()
        // What no client is told of: failures to open a newer generation.
        var logger = Logger(label: "textindex serve") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        self.logger = logger
    }

    /// Answers requests until ``stop()`` is called or the task is cancelled.
    ///
    /// - Parameter onRunning: called with the port once requests are answered.
    /// - Throws: What listening throws, such as an address that is in use.
    package func run(_ onRunning: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        await service.begin()
        let (limits, open) = (service.limits, connections)
        let responder = Responder(service, connections)
        let (messages, service) = (self.service.messages, self.service)
        let hosts = HostNames(service.options)
        let channel = LoopChannel(
            HTTP1Channel(
                responder: { try await responder.respond($0, $1, $2) },
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionHandler(
                            open, limits,
                            messages: messages.map { MessageHandler($0, service, hosts, open) })
                    ],
                    // It knows nothing of messages; `ClientConnections` does.
                    idleTimeout: messages == nil
                        ? .nanoseconds(limits.idleTime.wholeNanoseconds) : nil,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.headerLength,
                        maxHeaderListSize: limits.headerLength,
                        maxHeaderFieldCount: 100))))
        let server = channel.server(
            configuration: ServerConfiguration(
                address: .hostname(service.options.host, port: service.options.port),
                availableConnectionsDelegate: .maximum(limits.connections, logger: logger)),
            onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: server, successTerminationBehavior: .gracefullyShutdownGroup),
                .init(
                    service: Keeper(service: service, connections: connections, logger: logger),
                    successTerminationBehavior: .ignore),
            ], logger: logger)
        configuration.maximumGracefulShutdownDuration = limits.time + .seconds(1)
        let services = ServiceGroup(configuration: configuration)
        let isStopped = group.withLock { group in
            group.services = services
            return group.isStopped
        }
        if isStopped { return }
        try await services.run()
    }

    /// Closes the indexes. Call it when ``run(_:)`` has returned.
    ///
    /// - Throws: `TextIndexError` when the last writes of an index failed.
    package func close() async throws {
        try await service.close()
    }

    /// Answers what was asked already, ends the streams, and lets ``run(_:)`` return.
    package func stop() async {
        let services = group.withLock { group in
            group.isStopped = true
            return group.services
        }
        await services?.triggerGracefulShutdown()
    }
}

/// Looks for new generations from time to time, and for clients that do not read, or never come to
/// an end of what they ask.
private struct Keeper: Service {
    let service: any AnsweringService
    let connections: ClientConnections
    let logger: Logger

    func run() async throws {
        let interval = service.options.interval
        try? await cancelWhenGracefulShutdown {
            var last = ContinuousClock.now
            // What goes on is said once.
            var said: Set<String> = []
            while true {
                try await Task.sleep(for: min(interval, .seconds(1)))
                connections.closeStalled(
                    after: service.limits.time, idle: service.limits.idleTime)
                guard .now - last >= interval else { continue }
                last = .now
                let failures = await service.tick()
                for failure in failures where !said.contains(failure) {
                    logger.error("\(failure)")
                }
                said = Set(failures)
            }
        }
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, rest) = (components.seconds, components.attoseconds / 1_000_000_000)
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + rest
    }
}

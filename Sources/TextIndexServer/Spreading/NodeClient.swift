import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix

/// Asks one node over HTTP, on connections that are kept open.
///
/// A client of a few hundred lines over what the server has anyway: see
/// Documentation/Architecture.md for why it is no library's.
///
/// **Thread safety**: may be used from any thread. **Lifetime**: its connections close with it.
final class NodeClient: NodeTransport {
    private let address: NodeAddress
    private let headers: HTTPHeaders
    private let longest: Int
    private let idle = IdleConnections()
    /// A host that takes longer to connect to is taken for dead: another one is asked.
    private static let longestConnect = Duration.seconds(1)

    var name: String { address.description }

    /// - Parameters:
    ///   - address: where the node answers.
    ///   - token: what it wants to be told.
    ///   - longest: how many bytes an answer may have.
    init(_ address: NodeAddress, token: BearerToken?, longest: Int) {
        self.address = address
        self.longest = longest
        var headers: HTTPHeaders = ["Host": address.authority]
        if let token { headers.add(name: "Authorization", value: token.authorization) }
        headers.add(name: "Content-Type", value: ShardMessage.type)
        self.headers = headers
    }

    /// How many connections are open that no request uses.
    var idleCount: Int { idle.count }

    func send(
        _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
    ) async throws -> NodeReply {
        // Told once: off the threads of event loops it is another one each time.
        let loop = loop
        if let kept = idle.take(of: loop) {
            do {
                return try await send(path, body, on: kept, until: deadline)
            } catch NodeFailure.closed {
                // The node closed it, as unused, just now. Questions may be asked twice.
                try Task.checkCancellation()
            }
        }
        let channel = try await connect(on: loop, until: deadline)
        return try await send(path, body, on: channel, until: deadline)
    }

    // MARK: Connections

    /// The event loop of this thread, so that an answer need not go from one to another; any where
    /// this is no thread of one.
    private var loop: any EventLoop {
        MultiThreadedEventLoopGroup.currentEventLoop
            ?? MultiThreadedEventLoopGroup.singleton.any()
    }

    private func connect(
        on loop: any EventLoop, until deadline: ContinuousClock.Instant
    ) async throws -> any Channel {
        let left = deadline - .now
        guard left > .zero else { throw NodeFailure.outOfTime }
        let longest = longest
        let made = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(min(left, Self.longestConnect)))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    // The headers are ours.
                    try pipeline.addHTTPClientHandlers(enableOutboundHeaderValidation: false)
                    try pipeline.addHandler(NodeConnection(longest: longest))
                }
            }
            .connect(host: address.host, port: address.port)
        // Who gives up does not wait for a host that does not answer.
        let wanted = made.eventLoop.makePromise(of: (any Channel).self)
        made.whenComplete { wanted.completeWith($0) }
        wanted.futureResult.whenFailure { _ in
            made.whenSuccess { $0.close(promise: nil) }
        }
        do {
            let channel = try await withTaskCancellationHandler {
                try await wanted.futureResult.get()
            } onCancel: {
                wanted.fail(CancellationError())
            }
            idle.watch(channel)
            return channel
        } catch {
            try Task.checkCancellation()
            // Little time to connect in says nothing of the node.
            guard deadline > .now else { throw NodeFailure.outOfTime }
            throw Self.isOfName(error) ? NodeFailure.unknownHost : NodeFailure.unreachable
        }
    }

    /// Whether there was nothing to connect to.
    private static func isOfName(_ error: any Error) -> Bool {
        guard let error = error as? NIOConnectionError else { return false }
        return error.connectionErrors.isEmpty && (error.dnsAError ?? error.dnsAAAAError) != nil
    }

    // MARK: Requests

    private func send(
        _ path: String, _ body: [UInt8]?, on channel: any Channel,
        until deadline: ContinuousClock.Instant
    ) async throws -> NodeReply {
        var head = HTTPRequestHead(
            version: .http1_1, method: body == nil ? .GET : .POST, uri: path, headers: headers)
        if let body {
            head.headers.add(name: "Content-Length", value: "\(body.count)")
        }
        let reply = channel.eventLoop.makePromise(of: NodeReply.self)
        // A channel that has closed meanwhile has nobody left who would answer.
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenFailure { _ in reply.fail(NodeFailure.closed) }
        channel.writeAndFlush(
            NodeExchange(
                head: head, body: body.map { ByteBuffer(bytes: $0) },
                deadline: .now() + TimeAmount(max(deadline - .now, .zero)), reply: reply),
            promise: written)
        do {
            let found = try await withTaskCancellationHandler {
                try await reply.futureResult.get()
            } onCancel: {
                // The node ends the search when nobody waits for it.
                channel.close(promise: nil)
            }
            idle.keep(channel)
            return found
        } catch {
            channel.close(promise: nil)
            try Task.checkCancellation()
            throw error as? NodeFailure ?? NodeFailure.closed
        }
    }
}

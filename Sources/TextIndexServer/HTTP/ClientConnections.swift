import HummingbirdCore
import NIOCore
import NIOHTTP1

#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// The open connections, so that what is done for a client ends when it goes away.
///
/// **Thread safety**: guarded.
final class ClientConnections: Sendable {
    private let open = Mutex<[ObjectIdentifier: ClientConnection]>([:])
    /// How many of each client are open.
    fileprivate let slots = ClientSlots()

    /// Closes the connections whose clients have not taken what was written to them for so long,
    /// while more is held back for them, or have not sent a whole head of a request, however busily
    /// they sent parts of one.
    func closeStalled(
        after time: Duration, idle: Duration, at now: ContinuousClock.Instant = .now
    ) {
        let connections = open.withLock { Array($0.values) }
        for connection in connections {
            connection.closeIfStalled(writingSince: now - time, idleSince: now - idle)
        }
    }

    /// The connection of a channel; one that is closed already where it is not known any more.
    func connection(of channel: any Channel) -> ClientConnection {
        open.withLock { $0[ObjectIdentifier(channel)] }
            ?? ClientConnection(channel, isClosed: true)
    }

    fileprivate func add(_ connection: ClientConnection, of channel: any Channel) {
        open.withLock { $0[ObjectIdentifier(channel)] = connection }
    }

    fileprivate func remove(_ channel: any Channel) {
        _ = open.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}

/// A connection, and what is to be done when its client goes away.
///
/// **Thread safety**: guarded.
final class ClientConnection: Sendable {
    private struct State {
        var isClosed: Bool
        var onClose: (@Sendable () -> Void)?
        /// When the write began that is not over; nil where none goes on.
        var writeStart: ContinuousClock.Instant?
        /// Since when it has had no request to answer; nil while there is one.
        var idleStart: ContinuousClock.Instant? = .now
    }

    private let state: Mutex<State>
    private let channel: any Channel

    init(_ channel: any Channel, isClosed: Bool = false) {
        self.channel = channel
        state = Mutex(State(isClosed: isClosed))
    }

    /// Notes that something is written. A client that does not read keeps that waiting, until the
    /// connection is closed for it.
    func beginWriting() { state.withLock { $0.writeStart = .now } }

    func endWriting() { state.withLock { $0.writeStart = nil } }

    /// Notes that a request is answered.
    func beginRequest() { state.withLock { $0.idleStart = nil } }

    func endRequest() { state.withLock { $0.idleStart = .now } }

    fileprivate func closeIfStalled(
        writingSince write: ContinuousClock.Instant, idleSince idle: ContinuousClock.Instant
    ) {
        // While the channel takes more, a write is slow for what the server does, not for the
        // client.
        let isFull = !channel.isWritable
        let isStalled = state.withLock { state in
            isFull && state.writeStart.map { $0 <= write } ?? false
                || state.idleStart.map { $0 <= idle } ?? false
        }
        if isStalled { channel.close(promise: nil) }
    }

    /// Runs `body`, and `onClose` at once when the client goes away meanwhile.
    func whileOpen<R>(
        _ body: () async throws -> R, onClose: @escaping @Sendable () -> Void
    ) async rethrows -> R {
        let isClosed = state.withLock { state in
            state.onClose = onClose
            return state.isClosed
        }
        if isClosed { onClose() }
        defer { state.withLock { $0.onClose = nil } }
        return try await body()
    }

    fileprivate func close() {
        let onClose = state.withLock { state in
            state.isClosed = true
            return state.onClose
        }
        onClose?()
    }
}

/// Notices when a client closes its end of a connection, or the connection breaks; and has the
/// server's end closed with patience.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: ClientConnections
    private let limits: ServerLimits
    private let messages: MessageHandler?
    private var connection: ClientConnection?
    /// Whose it is, once it is counted.
    private var client: String?

    init(
        _ connections: ClientConnections, _ limits: ServerLimits, messages: MessageHandler? = nil
    ) {
        self.connections = connections
        self.limits = limits
        self.messages = messages
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let connection = ClientConnection(context.channel)
        self.connection = connection
        connections.add(connection, of: context.channel)
        do {
            let pipeline = context.pipeline.syncOperations
            let decoder = try pipeline.handler(
                type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let target = RequestTarget()
            try pipeline.addHandler(target, position: .after(decoder))
            if let messages { try pipeline.addHandler(messages, position: .after(target)) }
        } catch {
            context.close(promise: nil)
        }
        if context.channel.isActive { count(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        count(context)
        context.fireChannelActive()
    }

    /// Counts the connection for its client, and refuses it where that has too many.
    private func count(_ context: ChannelHandlerContext) {
        guard client == nil else { return }
        let client = ClientAddress.name(of: context.channel)
        do {
            try connections.slots.open(client, ofClient: limits.clientConnections)
            self.client = client
        } catch {
            LingeringClose.refuse(context.channel, Problem.tooManyConnections)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        connection?.close()
        connections.remove(context.channel)
        if let client { connections.slots.close(client) }
        client = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: connection?.close()
        // Of requests without a head that can be read the server itself closes its half.
        case ChannelEvent.outputClosed: LingeringClose.begin(on: context.channel, limits)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection?.close()
        context.fireChannelInactive()
    }
}

import HummingbirdCore
import NIOCore
import Synchronization

/// The open connections, so that what is done for a client ends when it goes away.
///
/// **Thread safety**: guarded.
final class ClientConnections: Sendable {
    private let open = Mutex<[ObjectIdentifier: ClientConnection]>([:])

    var count: Int { open.withLock { $0.count } }

    /// The connection of a channel; one that is closed already where it is not known any more.
    func connection(of channel: any Channel) -> ClientConnection {
        open.withLock { $0[ObjectIdentifier(channel)] } ?? ClientConnection(isClosed: true)
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
    }

    private let state: Mutex<State>

    init(isClosed: Bool = false) { state = Mutex(State(isClosed: isClosed)) }

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

/// Notices when a client closes its end of a connection, or the connection breaks.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: ClientConnections
    private let connection = ClientConnection()

    init(_ connections: ClientConnections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.add(connection, of: context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        connection.close()
        connections.remove(context.channel)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { connection.close() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.close()
        context.fireChannelInactive()
    }
}

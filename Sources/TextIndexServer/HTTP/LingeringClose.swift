import NIOCore

/// Closes a connection so that its client can read the answer while it still sends what nobody reads any more.
///
/// To close at once would have the system break the connection for the bytes that lie unread, and with it the answer on its way. So only the
/// server's half is closed, what comes is thrown away, and the rest is closed when the client closes its half, or has had time and bytes enough.
///
/// It is the first handler of a channel: nobody behind it reads any more. It lives on the event loop of its channel.
final class LingeringClose: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let time: TimeAmount
    private var bytesLeft: Int
    private var end: Scheduled<Void>?

    private init(time: TimeAmount, length: Int) {
        self.time = time
        bytesLeft = length
    }

    /// Begins to close a channel, once everything is sent that was written to it. Of one that is closing already nothing changes.
    ///
    /// - Parameters:
    ///   - channel: the channel.
    ///   - time: how long to wait for the client.
    ///   - length: how many bytes to take of it.
    static func begin(on channel: any Channel, time: TimeAmount, length: Int) {
        channel.eventLoop.execute {
            let pipeline = channel.pipeline.syncOperations
            let isClosing = (try? pipeline.handler(type: LingeringClose.self)) != nil
            guard channel.isActive, !isClosing else { return }
            do {
                try pipeline.addHandler(
                    LingeringClose(time: time, length: length), position: .first)
                channel.close(mode: .output, promise: nil)
            } catch {
                channel.close(promise: nil)
            }
        }
    }

    /// The same, for as long as the limits of a server say.
    static func begin(on channel: any Channel, _ limits: ServerLimits) {
        begin(on: channel, time: .init(limits.lingerTime), length: limits.lingerLength)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end?.cancel()
        end = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytesLeft -= unwrapInboundIn(data).readableBytes
        if bytesLeft < 0 { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Those behind may hold back: they have more than they read.
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

import NIOCore

/// Closes a connection so that its client can read the answer while it still sends what nobody
/// reads any more.
///
/// To close at once would have the system break the connection for the bytes that lie unread, and
/// with it the answer on its way. So only the server's half is closed, what comes is thrown away,
/// and the rest is closed when the client closes its half, or has had time and bytes enough.
///
/// It is the first handler of a channel: nobody behind it reads any more. It lives on the event
/// loop of its channel.
final class LingeringClose: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let time: TimeAmount
    private var bytesLeft: Int
    /// What is sent before the half is closed, to a client whose requests are not read.
    private let farewell: ByteBuffer?
    private var end: Scheduled<Void>?

    private init(time: TimeAmount, length: Int, farewell: ByteBuffer? = nil) {
        self.time = time
        bytesLeft = length
        self.farewell = farewell
    }

    /// Begins to close a channel, once everything is sent that was written to it. Of one that is
    /// closing already nothing changes.
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

    /// Refuses a connection before any request is read: it has to be gone soon.
    static func refuse(_ channel: any Channel, _ problem: Problem) {
        let body = problem.json.bytes
        var farewell = ByteBuffer()
        farewell.writeString(
            "HTTP/1.1 \(problem.status)\r\nContent-Type: application/problem+json\r\n"
                + "Content-Length: \(body.count)\r\nCache-Control: no-store\r\nRetry-After: 1\r\n"
                + "Connection: close\r\n\r\n")
        farewell.writeBytes(body)
        do {
            try channel.pipeline.syncOperations.addHandler(
                LingeringClose(time: .seconds(1), length: 1 << 16, farewell: farewell),
                position: .first)
            channel.close(mode: .output, promise: nil)
        } catch {
            channel.close(promise: nil)
        }
    }

    /// The same, for as long as the limits of a server say.
    static func begin(on channel: any Channel, _ limits: ServerLimits) {
        begin(on: channel, time: .init(limits.lingerTime), length: limits.lingerLength)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        if let farewell { context.writeAndFlush(wrapOutboundOut(farewell), promise: nil) }
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

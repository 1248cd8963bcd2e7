import NIOCore
import NIOHTTP1

/// A request on its way to a node.
struct NodeExchange: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer?
    let deadline: NIODeadline
    let reply: EventLoopPromise<NodeReply>
}

/// Sends one request at a time on a connection, and reads its answer.
///
/// It is written ``NodeExchange``s. It lives on the event loop of its channel.
final class NodeConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = NodeExchange
    typealias OutboundOut = HTTPClientRequestPart

    private let longest: Int
    private var waiting: EventLoopPromise<NodeReply>?
    private var clock: Scheduled<Void>?
    private var reply = NodeReply(status: 0, body: [])
    private var isKeptAlive = true

    /// - Parameter longest: how many bytes an answer may have.
    init(longest: Int) { self.longest = longest }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        guard waiting == nil, context.channel.isActive else {
            exchange.reply.fail(NodeFailure.closed)
            promise?.fail(NodeFailure.closed)
            return
        }
        waiting = exchange.reply
        reply = NodeReply(status: 0, body: [])
        let channel = context.channel
        clock = context.eventLoop.scheduleTask(deadline: exchange.deadline) {
            [loop = NIOLoopBound(self, eventLoop: context.eventLoop)] in
            loop.value.end(NodeFailure.outOfTime)
            channel.close(promise: nil)
        }
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if let body = exchange.body {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            reply.status = Int(head.status.code)
            isKeptAlive = head.isKeepAlive
        case .body(let part):
            guard reply.body.count + part.readableBytes <= longest else {
                end(NodeFailure.tooMuch)
                return context.close(promise: nil)
            }
            reply.body += part.readableBytesView
        case .end:
            clock?.cancel()
            clock = nil
            let (done, answer) = (waiting, reply)
            waiting = nil
            reply.body = []
            // Nobody waits any more whom the end would take for a failure, and nobody has heard of
            // the answer who would keep the connection.
            if !isKeptAlive { context.close(promise: nil) }
            done?.succeed(answer)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A node that closes just as it is asked may be asked once more.
        end(error is IOError ? NodeFailure.closed : NodeFailure.malformed)
        context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(NodeFailure.closed) }

    func channelInactive(context: ChannelHandlerContext) {
        end(NodeFailure.closed)
        context.fireChannelInactive()
    }

    private func end(_ failure: NodeFailure) {
        clock?.cancel()
        clock = nil
        let failed = waiting
        waiting = nil
        failed?.fail(failure)
    }
}

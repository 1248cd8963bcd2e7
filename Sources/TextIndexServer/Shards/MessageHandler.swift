import DequeModule
import HTTPTypes
import NIOCore
import NIOHTTP1

/// What answers the messages of other servers.
struct MessageAnswers: Sendable {
    typealias Done = @Sendable (Result<Answer, any Error>) -> Void

    /// The paths to which they are sent.
    let paths: Set<String>
    /// Begins to answer, and gives what ends it. The answer comes from any thread.
    let begin: @Sendable (Exchange, @escaping Done) -> @Sendable () -> Void
}

/// Answers messages on the event loop of their connection, without the streams and tasks of other
/// requests: a server sends many of them, and most take less time than those.
///
/// It takes what is whole and allowed. All else goes on to the ``Responder``, which says what is
/// wrong with it. Answers come in the order of the requests: while one of the others is not
/// answered, messages behind it wait, and the other way round.
///
/// It comes next to the decoder, and lives on the event loop of its channel.
final class MessageHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// What comes is looked at, and goes on where it is no message.
        case passing
        case reading(path: String)
        case answering
    }

    private let answers: MessageAnswers
    private let service: any AnsweringService
    private let hosts: HostNames
    private let connections: ClientConnections
    private var state = State.passing
    private var body = ByteBuffer()
    /// Requests that went on and are not answered yet.
    private var others = 0
    /// What came before its turn.
    private var held: Deque<HTTPServerRequestPart> = []
    private var start = ContinuousClock.now
    private var clock: Scheduled<Void>?
    private var cancel: (@Sendable () -> Void)?
    private var isGone = false
    /// Who wants the connection closed once the answer is written.
    private var closing: (isWanted: Bool, promise: EventLoopPromise<Void>?) = (false, nil)

    init(
        _ answers: MessageAnswers, _ service: any AnsweringService, _ hosts: HostNames,
        _ connections: ClientConnections
    ) {
        self.answers = answers
        self.service = service
        self.hosts = hosts
        self.connections = connections
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard held.isEmpty, !isAnswering else { return held.append(part) }
        take(part, context)
    }

    private var isAnswering: Bool { if case .answering = state { true } else { false } }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (state, part) {
        case (.reading, .body(var more)):
            if body.readableBytes == 0 { body = more } else { body.writeBuffer(&more) }
        case (.reading(let path), .end):
            clock?.cancel()
            clock = nil
            state = .answering
            answer(path, context)
        case (_, .head(let head)) where isMessage(head):
            guard others == 0 else { return held.prepend(part) }
            state = .reading(path: head.uri)
            start = .now
            body.clear()
            connections.connection(of: context.channel).beginRequest()
        case (_, .head):
            others += 1
            context.fireChannelRead(wrapInboundOut(part))
        default: context.fireChannelRead(wrapInboundOut(part))
        }
    }

    private func goOn(_ context: ChannelHandlerContext) {
        let wasFull = isFull
        while !isAnswering, let part = held.popFirst() {
            let left = held.count
            take(part, context)
            // It waits for its turn.
            if held.count > left { break }
        }
        // Those behind may take what they read only then.
        context.fireChannelReadComplete()
        if wasFull, !isFull { context.read() }
    }

    /// Whether a request is a message that may be answered here.
    private func isMessage(_ head: HTTPRequestHead) -> Bool {
        let headers = head.headers
        guard head.method == .POST, answers.paths.contains(head.uri), head.version == .http1_1,
            head.isKeepAlive, headers.first(name: "Content-Type") == ShardMessage.type,
            let length = headers.first(name: "Content-Length").flatMap({ Int($0) }),
            length > 0, length <= service.limits.bodyLength,
            !headers.contains(name: "Transfer-Encoding"), !headers.contains(name: "Expect"),
            !headers.contains(name: "Origin"), !headers.contains(name: "Sec-Fetch-Site")
        else { return false }
        let names = headers["Host"]
        guard names.count == 1, hosts.contains(names[0]) else { return false }
        guard let token = service.options.token else { return true }
        return token.matches(authorization: headers.first(name: "Authorization"))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .reading = state, clock == nil {
            let (loop, channel) = (context.eventLoop, context.channel)
            clock = loop.scheduleTask(in: TimeAmount(service.limits.time)) {
                // Whoever sends so slowly is no server of ours.
                channel.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    /// Nobody sends one request after the other without waiting, but for those who mean no good.
    func read(context: ChannelHandlerContext) { if !isFull { context.read() } }

    private var isFull: Bool { held.count >= 64 }

    // MARK: Answering

    private func answer(_ path: String, _ context: ChannelHandlerContext) {
        let exchange = Exchange(
            method: .post, path: path, query: "", headers: [:],
            client: ClientAddress.name(of: context.channel), body: Array(body.readableBytesView),
            deadline: start + service.limits.time)
        let loop = context.eventLoop
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: loop)
        cancel = answers.begin(exchange) { result in
            loop.execute { bound.value.handler.write(result, bound.value.context) }
        }
    }

    private func write(_ result: Result<Answer, any Error>, _ context: ChannelHandlerContext) {
        cancel = nil
        let connection = connections.connection(of: context.channel)
        let answer: Answer? =
            switch result {
            case .success(let answer): answer
            case .failure where isGone: nil
            case .failure(let error): Problem(error).answer
            }
        service.metrics.note(answer?.status.code, took: .now - start)
        guard let answer, !isGone, context.channel.isActive, case .bytes(let bytes) = answer.body
        else { return context.close(promise: nil) }
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: answer.headers[.contentType] ?? ShardMessage.type)
        headers.add(name: "Content-Length", value: "\(bytes.count)")
        if service.options.token != nil { headers.add(name: "Cache-Control", value: "no-store") }
        for field in answer.headers where field.name == .retryAfter {
            headers.add(name: "Retry-After", value: field.value)
        }
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: answer.status.code), headers: headers)
        connection.beginWriting()
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        let (closing, channel) = (closing, context.channel)
        written.futureResult.whenComplete { _ in
            connection.endWriting()
            // To close earlier would throw away what is not sent yet.
            if closing.isWanted { channel.close(promise: closing.promise) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        connection.endRequest()
        state = .passing
        if !closing.isWanted { goOn(context) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
        context.write(data, promise: promise)
        guard isEnd, others > 0 else { return }
        others -= 1
        goOn(context)
    }

    // MARK: Ends

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // Others do not know of the request that is answered here: it ends first.
        guard mode == .all, isAnswering, !isGone, context.channel.isActive, !closing.isWanted else {
            return context.close(mode: mode, promise: promise)
        }
        closing = (true, promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        closing.promise?.succeed()
    }

    /// Nobody waits for an answer any more.
    private func end() {
        clock?.cancel()
        clock = nil
        guard isAnswering, !isGone else { return }
        isGone = true
        service.metrics.noteAbandoned()
        cancel?()
    }
}

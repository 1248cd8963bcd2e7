import HTTPTypes
import HummingbirdCore
import NIOCore

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Answers requests: checks who asks, reads what is asked, and writes the answer.
struct Responder: Sendable {
    private let service: any AnsweringService
    private let connections: ClientConnections
    private let hosts: HostNames
    private let rates: RateLimiter
    private let routes: [String: Route]

    private var options: ServerOptions { service.options }

    init(_ service: any AnsweringService, _ connections: ClientConnections) {
        self.service = service
        self.connections = connections
        hosts = HostNames(service.options)
        rates = RateLimiter(rate: service.options.limits.rate)
        routes = Dictionary(uniqueKeysWithValues: service.routes.map { ($0.path, $0) })
    }

    func respond(
        _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        let connection = connections.connection(of: channel)
        connection.beginRequest()
        defer { connection.endRequest() }
        // A task of its own, since a client that goes away cancels it and not the connection's.
        let work = Task(executorPreference: LoopExecutor(channel.eventLoop)) {
            await self.answer(request, channel)
        }
        var found = await withTaskCancellationHandler {
            await connection.whileOpen {
                await work.value
            } onClose: {
                work.cancel()
                service.metrics.noteAbandoned()
            }
        } onCancel: {
            work.cancel()
        }
        found?.addSecurityHeaders()
        service.metrics.note(found?.status.code, took: .now - start)
        guard let answer = found else {
            channel.close(promise: nil)
            return
        }
        try await write(answer, request.method == .head, writer, connection)
        guard answer.closes else { return }
        LingeringClose.begin(on: channel, options.limits)
        // Whatever came behind this request is not answered.
        try? await channel.closeFuture.get()
    }

    /// The answer; nil when nobody waits for it any more.
    private func answer(_ request: Request, _ channel: any Channel) async -> Answer? {
        // What is not read would have to be thrown away before the next request, and may have no
        // end.
        var leavesBody = Self.hasBody(request)
        do {
            return try await answerOrThrow(request, channel, &leavesBody)
        } catch is CancellationError where Task.isCancelled {
            return nil
        } catch {
            if Task.isCancelled { return nil }
            var answer = Problem(error).answer
            answer.closes = leavesBody
            return answer
        }
    }

    /// The answer. Once the body was read to its end nothing is left of it.
    private func answerOrThrow(
        _ request: Request, _ channel: any Channel, _ leavesBody: inout Bool
    ) async throws -> Answer {
        let client = ClientAddress.name(of: channel)
        guard let target = request.head.path, target.utf8.count <= options.limits.headerLength,
            let (path, query) = Exchange.split(target)
        else {
            throw Problem.malformed(
                "The target is no path, or too long, or of another host than the header Host.")
        }
        try checkHost(request.head)
        try checkOrigin(request.head)
        // Before the token: who guesses at it has no more tries than others have requests.
        if let seconds = rates.wait(for: client) {
            var problem = Problem(
                .tooManyRequests, "too-many-requests", "There are too many requests",
                "This client asks too often; wait a little.")
            problem.headers[.retryAfter] = "\(max(Int(seconds.rounded(.up)), 1))"
            throw problem
        }
        guard let route = routes[path] else { throw Problem.notFound }
        let method = request.method == .head ? .get : request.method
        guard route.methods.contains(method) else {
            var problem = Problem(
                .methodNotAllowed, "method-not-allowed", "The method is another one",
                "This path is not answered to this method.")
            problem.headers[.allow] = allowed(route)
            throw problem
        }
        if !route.isOpen, let token = options.token,
            !token.matches(authorization: request.headers[.authorization])
        {
            throw Problem.unauthorized
        }
        var exchange = Exchange(
            method: method, path: path, query: query, headers: request.headers, client: client,
            deadline: .now + options.limits.time)
        if method == .post {
            guard query.isEmpty else {
                throw Problem.malformed("A POST has what it asks for in its body, not in its path.")
            }
            try checkType(of: request, route)
            exchange.body = try await body(of: request, on: channel, until: exchange.deadline)
            leavesBody = false
        } else if leavesBody {
            throw Problem.malformed("A request of this kind has no body.")
        }
        var answer = try await route.handle(exchange)
        // What only those are told who know the token is kept by nobody.
        if options.token != nil, !route.isOpen { answer.headers[.cacheControl] = "no-store" }
        return answer
    }

    private func allowed(_ route: Route) -> String {
        (route.methods.map(\.rawValue) + (route.methods.contains(.get) ? ["HEAD"] : []))
            .sorted().joined(separator: ", ")
    }

    // MARK: Who asks

    /// Refuses a request without a host, and one with two, of which others may see the other one.
    private func checkHost(_ head: HTTPRequest) throws {
        // The first is the authority.
        guard head.authority != nil, head.headerFields[.host] == nil else {
            throw Problem.malformed("A request has exactly one header Host.")
        }
    }

    /// Refuses what a page from elsewhere sends in the name of somebody's browser.
    private func checkOrigin(_ head: HTTPRequest) throws {
        let host = head.authority
        guard hosts.contains(host) else {
            throw Problem(
                .misdirectedRequest, "unknown-host", "The host is another one",
                "This server does not go by this name; see --host-name.")
        }
        let origin = head.headerFields[.origin]
        let isForeign =
            origin.map { $0 != "http://\(host ?? "")" && $0 != "https://\(host ?? "")" } ?? false
        // A link to the page itself is all right.
        let mode = head.headerFields[.secFetchSite]
        let isPage = ["/", "/status"].contains(Exchange.split(head.path ?? "")?.path ?? "")
        if isForeign || (mode == "cross-site" || mode == "same-site") && !isPage {
            throw Problem(
                .forbidden, "foreign-origin", "The page is another one",
                "Pages of other origins are not answered.")
        }
    }

    // MARK: Bodies

    private static func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil
            || request.headers[.contentLength].map { $0 != "0" } ?? false
    }

    private func checkType(of request: Request, _ route: Route) throws {
        guard let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased(),
            type == "application/json" || type == ShardMessage.type && route.takesMessages
        else {
            throw Problem(
                .unsupportedMediaType, "unsupported-media-type", "The body is of another kind",
                "A body must be application/json.")
        }
    }

    private func body(
        of request: Request, on channel: any Channel, until deadline: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        let most = options.limits.bodyLength
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most {
            throw Problem.tooLarge(most)
        }
        let reader = Task(executorPreference: LoopExecutor(channel.eventLoop)) {
            try await Self.bytes(of: request, upTo: most)
        }
        let isLate = Mutex(false)
        let clock = channel.eventLoop.scheduleTask(in: .init(deadline - .now)) {
            isLate.withLock { $0 = true }
            reader.cancel()
        }
        defer { clock.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await reader.value
            } onCancel: {
                reader.cancel()
            }
        } catch  where isLate.withLock({ $0 }) {
            throw Problem(
                .requestTimeout, "request-timeout", "The body did not come in time",
                "The body took longer than a request may.")
        }
    }

    private static func bytes(of request: Request, upTo most: Int) async throws -> [UInt8] {
        do {
            var bytes: [UInt8] = []
            for try await part in request.body {
                guard bytes.count + part.readableBytes <= most else { throw Problem.tooLarge(most) }
                bytes += part.readableBytesView
            }
            try Task.checkCancellation()
            return bytes
        } catch let problem as Problem {
            throw problem
        } catch {
            try Task.checkCancellation()
            // Chunks that are none, or the end of the connection within the body.
            throw Problem.malformed("The body is not what its headers say.")
        }
    }

    // MARK: Writing

    private func write(
        _ answer: Answer, _ isHead: Bool, _ writer: consuming ResponseWriter,
        _ connection: ClientConnection
    ) async throws {
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        if answer.closes { head.headerFields[.connection] = "close" }
        switch answer.body {
        case .bytes(let bytes):
            if answer.status != .notModified, answer.status != .noContent {
                head.headerFields[.contentLength] = "\(bytes.count)"
            }
            connection.beginWriting()
            defer { connection.endWriting() }
            if isHead || bytes.isEmpty {
                try await writer.writeResponse(head)
            } else {
                try await writer.write(
                    response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        case .events where isHead: try await writer.writeResponse(head)
        case .events(let send):
            let body = try await writer.writeHead(head)
            let stream = Task {
                var events = EventWriter(body, connection)
                try await send(&events)
                try await events.finish()
            }
            try await withTaskCancellationHandler {
                try await connection.whileOpen {
                    try await stream.value
                } onClose: {
                    stream.cancel()
                }
            } onCancel: {
                stream.cancel()
            }
        }
    }
}

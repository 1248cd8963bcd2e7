import HTTPTypes

/// What a request is answered with.
struct Answer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Events, sent as they happen until the client goes.
        case events(@Sendable (inout EventWriter) async throws -> Void)
    }

    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: Body
    /// Whether the connection ends with it.
    var closes = false

    init(status: HTTPResponse.Status = .ok, type: String, bytes: [UInt8]) {
        self.status = status
        headers = [.contentType: type]
        body = .bytes(bytes)
    }

    init(status: HTTPResponse.Status = .ok, json: JSON) {
        self.init(status: status, type: "application/json", bytes: json.bytes)
    }

    /// That all went well, and nothing is to be said of it.
    static let nothing: Answer = {
        var answer = Answer(status: .noContent, type: "", bytes: [])
        answer.headers = [:]
        return answer
    }()

    init(events: @escaping @Sendable (inout EventWriter) async throws -> Void) {
        status = .ok
        headers = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        body = .events(events)
    }

    /// The headers that every answer has, but for those to messages of servers: the browser is to
    /// guess nothing, to tell nobody and to load nothing from elsewhere.
    mutating func addSecurityHeaders() {
        headers[.xContentTypeOptions] = "nosniff"
        headers[.referrerPolicy] = "no-referrer"
        headers[.crossOriginResourcePolicy] = "same-origin"
        headers[.xFrameOptions] = "DENY"
        if headers[.contentSecurityPolicy] == nil {
            headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
    }
}

extension HTTPField.Name {
    // Names are checked by the package that reads them; these are tokens.
    static let referrerPolicy = name("Referrer-Policy")
    static let crossOriginResourcePolicy = name("Cross-Origin-Resource-Policy")
    static let xFrameOptions = name("X-Frame-Options")
    static let secFetchSite = name("Sec-Fetch-Site")
    static let host = name("Host")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
        return name
    }
}

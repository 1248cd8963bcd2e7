import HTTPTypes

/// A request, as the endpoints see it: its body is read and its path is cut off.
struct Exchange: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// What stands behind the question mark, as it was sent.
    let query: Substring
    let headers: HTTPFields
    /// Who asks, as far as can be told: an address.
    let client: String
    var body: [UInt8] = []
    /// When the answer has to be there.
    let deadline: ContinuousClock.Instant

    /// The path and the query of a request's target; nil for what is not a path.
    static func split(_ target: String) -> (path: String, query: Substring)? {
        let bytes = target.utf8
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return (target, "") }
        return (String(target[..<mark]), target[bytes.index(after: mark)...])
    }
}

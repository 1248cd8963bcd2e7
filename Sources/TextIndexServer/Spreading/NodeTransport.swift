/// The way to a node.
protocol NodeTransport: Sendable {
    /// What to call the node.
    var name: String { get }

    /// Sends a request: POST with a body, else GET.
    ///
    /// - Throws: ``NodeFailure`` where there is no answer; `CancellationError`.
    func send(
        _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
    ) async throws -> NodeReply
}

/// What a node answered.
struct NodeReply: Sendable {
    var status: Int
    var body: [UInt8]
}

/// Why a node has no answer: another one may have.
enum NodeFailure: Error, CustomStringConvertible {
    case unreachable
    case unknownHost
    case closed
    case outOfTime
    /// It sends more than is taken.
    case tooMuch
    /// It cannot answer now, or not what is asked: its status.
    case refused(Int)
    /// It answers what cannot be read.
    case malformed
    /// It does not serve the set that is asked for, or not any more.
    case otherGeneration
    /// It speaks another version of ``ShardMessage``, or does not say which.
    case otherVersion(Int?)

    var description: String {
        switch self {
        case .unreachable: "no connection"
        case .unknownHost: "no connection: the name of the host is not known"
        case .closed: "the connection ended"
        case .outOfTime: "out of time"
        case .tooMuch: "the answer is too large"
        case .refused(401): "status 401: it wants another token"
        case .refused(404): "status 404: it serves no shards"
        case .refused(421): "status 421: it has another --host-name"
        case .refused(let status): "status \(status)"
        case .malformed: "the answer cannot be read"
        case .otherGeneration: "another set"
        case .otherVersion(let version?):
            "version \(version) of messages, not \(ShardMessage.version)"
        case .otherVersion(nil): "another version of messages than \(ShardMessage.version)"
        }
    }

    /// Whether it is over when the node answers anything.
    var isOfConnection: Bool {
        switch self {
        case .unreachable, .unknownHost, .closed: true
        default: false
        }
    }
}

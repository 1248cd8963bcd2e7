import NIOCore
import NIOHTTP1

/// Makes paths of targets that name a host, where they name that of the header Host.
///
/// The handlers behind it take a target's host away without a look at it. It lives on the event
/// loop of its channel.
final class RequestTarget: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        if !head.uri.hasPrefix("/") {
            // What is no path is refused.
            head.uri = Self.path(of: head.uri, host: head.headers["Host"].first ?? "") ?? "*"
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The path and query of a target with a host; nil where it is no such target, or the host is
    /// another one.
    static func path(of target: String, host: String) -> String? {
        let bytes = target.utf8
        let start = "http://"
        guard bytes.count > start.utf8.count,
            target.prefix(start.utf8.count).lowercased() == start
        else { return nil }
        let rest = target[bytes.index(target.startIndex, offsetBy: start.utf8.count)...]
        let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        guard normal(String(rest[..<end])) == normal(host) else { return nil }
        let path = String(rest[end...])
        return path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    }

    /// A host in lower case, without the port that goes without saying.
    private static func normal(_ host: String) -> String {
        let host = host.lowercased()
        for port in [":80", ":"] where host.hasSuffix(port) {
            return String(host.dropLast(port.count))
        }
        return host
    }
}

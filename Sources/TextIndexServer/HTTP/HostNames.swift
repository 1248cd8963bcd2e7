/// The names that a server answers to.
///
/// A page from elsewhere can make its own name mean this machine (DNS rebinding), and would then be
/// of one origin with the server. Its name gives it away.
struct HostNames: Sendable {
    /// Nil where every name will do.
    private let names: Set<String>?

    init(_ options: ServerOptions) {
        var names = Set(options.hostNames.map { $0.lowercased() })
        if options.isLoopback || !names.isEmpty {
            names.formUnion(["localhost", "127.0.0.1", "::1", options.host.lowercased()])
            self.names = names
        } else {
            self.names = nil
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1"].contains(host.lowercased()) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether a request to this host is one to us.
    func contains(_ host: String?) -> Bool {
        guard let names else { return true }
        return host.flatMap { Self.name($0) }.map { names.contains($0) } ?? false
    }

    /// The host without its port, in lower case; nil where anything else stands there.
    static func name(_ host: String) -> String? {
        var (name, rest) = (host[...], host[host.endIndex...])
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            rest = name[name.index(after: end)...]
            name = name[..<end].dropFirst()
        } else if let colon = name.lastIndex(of: ":") {
            (name, rest) = (name[..<colon], name[colon...])
        }
        let isPort =
            rest.isEmpty
            || rest.first == ":"
                && rest.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        return isPort ? name.lowercased() : nil
    }
}

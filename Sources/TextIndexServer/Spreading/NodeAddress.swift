/// Where a node answers: `http://host:port`.
package struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; of IPv6 without brackets.
    package let host: String
    package let port: Int

    /// Nil for what is no such address.
    package init?(_ text: String) {
        guard text.lowercased().hasPrefix("http://") else { return nil }
        var rest = text.dropFirst(7)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.isEmpty, rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !rest.contains(where: { "/?#@".contains($0) })
        else { return nil }
        var port = 80
        var host = String(rest)
        let end = rest.hasPrefix("[") ? rest.lastIndex(of: "]") : rest.startIndex
        guard let end else { return nil }
        if let colon = rest[end...].lastIndex(of: ":") {
            let digits = rest[rest.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(digits), (1...65_535).contains(number)
            else { return nil }
            port = number
            host = String(rest[..<colon])
        }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = host
        self.port = port
    }

    /// As the header Host has it.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package var description: String { "http://\(authority)" }
}

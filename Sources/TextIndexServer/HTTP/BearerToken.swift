/// A secret that clients send in the header Authorization.
package struct BearerToken: Sendable {
    private let bytes: [UInt8]

    /// The shortest that is taken.
    package static let shortest = 16

    /// Nil for what is too short, or cannot stand in a header.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.shortest, bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.bytes = bytes
    }

    /// The header with which a server sends it to another.
    var authorization: String { "Bearer " + String(decoding: bytes, as: UTF8.self) }

    /// Whether a header is right. The time it takes says nothing of where the first difference is.
    func matches(authorization: String?) -> Bool {
        guard let authorization else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let given = Array(parts[1].drop { $0 == " " }.utf8)
        var difference = given.count ^ bytes.count
        for (place, byte) in given.enumerated() {
            difference |= Int(byte ^ bytes[place % bytes.count])
        }
        return difference == 0
    }
}

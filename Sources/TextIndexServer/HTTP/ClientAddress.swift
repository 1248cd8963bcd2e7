import NIOCore

/// Who asks, as far as an address tells.
enum ClientAddress {
    /// The address of a channel's other end; of IPv6 the network, since a client has as many
    /// addresses there as it likes.
    static func name(of channel: any Channel) -> String {
        guard let address = channel.remoteAddress, let text = address.ipAddress else { return "" }
        guard case .v6 = address else { return text }
        // The address stands in bytes 8 to 23 of a sockaddr_in6.
        return address.withSockAddr { start, size in
            let bytes = UnsafeRawBufferPointer(start: start, count: size).dropFirst(8).prefix(16)
            let isMapped = bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255])
            let known = isMapped ? bytes : bytes.prefix(8)
            return known.map { String($0, radix: 16) }.joined(separator: ":")
        }
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension UnsafeRawBufferPointer {
    /// Whether the bytes are the same; in the generic way of collections they would be compared one
    /// by one.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let own = baseAddress, let others = other.baseAddress else { return true }
        return memcmp(own, others, count) == 0
    }

    /// Whether the first bytes are those of `prefix`.
    @inline(__always)
    func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
        count >= prefix.count
            && UnsafeRawBufferPointer(rebasing: self[..<prefix.count]).hasSameBytes(as: prefix)
    }
}

/// What texts are hashed with, another in each process: who chooses texts does not know which of
/// them meet in a table.
///
/// Nothing that is stored may depend on it.
struct HashSeed: BitwiseCopyable {
    /// For each of the two factors of a product.
    let first: UInt64
    let second: UInt64

    /// That of this process.
    static let process = HashSeed(first: .random(in: 0 ... .max), second: .random(in: 0 ... .max))

    init(first: UInt64, second: UInt64) {
        self.first = first
        // An odd factor loses nothing.
        self.second = second | 1
    }

    /// A hash of some bytes, eight at a time. Each step multiplies by what nobody knows: a
    /// difference in one does not cancel that in another, as where the factor is known.
    ///
    /// Complexity: linear in the bytes.
    func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = UInt64(truncatingIfNeeded: raw.count)
        var offset = 0
        while offset &+ 8 <= raw.count {
            hash = self.hash(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset &+= 1
        }
        return self.hash(hash ^ rest)
    }

    /// A hash of a number: both halves of a product, in one ("folded multiply", as in wyhash).
    @inline(__always)
    func hash(_ number: UInt64) -> UInt64 {
        let product = (number ^ first).multipliedFullWidth(by: second)
        return product.high ^ product.low
    }
}

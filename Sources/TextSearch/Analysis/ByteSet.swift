/// A set of short byte strings that is asked without allocating.
struct ByteSet: Sendable, Equatable {
    private let members: Set<[UInt8]>
    private let longest: Int
    /// Which (length, first byte) pairs occur: most words that are not members end here.
    private let first: [Bool]

    init(_ members: [[UInt8]]) {
        self.members = Set(members)
        longest = min(members.map(\.count).max() ?? 0, 63)
        var first = [Bool](repeating: false, count: 64 * 256)
        for member in members where !member.isEmpty && member.count < 64 {
            first[member.count * 256 + Int(member[0])] = true
        }
        self.first = first
    }

    init(union sets: [ByteSet]) {
        self.init(Array(sets.reduce(into: Set()) { $0.formUnion($1.members) }))
    }

    var isEmpty: Bool { members.isEmpty }

    @inline(__always)
    func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 0, bytes.count <= longest,
            first[bytes.count &* 256 &+ Int(bytes[0])]
        else { return false }
        return members.contains(Array(bytes))
    }
}

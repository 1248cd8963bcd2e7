/// A stem, behind the number of its language, and a term that has it.
struct StemPair: Sendable, Hashable, Comparable {
    var key: [UInt8]
    var term: [UInt8]

    static func < (a: StemPair, b: StemPair) -> Bool {
        a.key == b.key
            ? a.term.lexicographicallyPrecedes(b.term)
            : a.key.lexicographicallyPrecedes(b.key)
    }
}

import Synchronization

/// Says of groups of neighbouring terms which cannot hold a byte string, so that they need not be read.
///
/// Each group has a set of 512 bits for the pairs and triples of bytes that stand side by side in its terms, by their hashes (a superimposed code, as in
/// Roberts, "Partial-match retrieval via the method of superimposed codes", 1979). What a byte string needs and a group lacks tells it away; what is left is looked at.
struct GramFilter: Sendable {
    /// Terms a group.
    static let groupSize = 16
    private static let wordCount = 8

    private let bits: [UInt64]

    /// The terms that begin at `starts`, each followed by a zero byte; behind the last one is another start.
    init(_ bytes: UnsafeBufferPointer<UInt8>, starts: [UInt32]) {
        let termCount = starts.count - 1
        let groupCount = (termCount + Self.groupSize - 1) / Self.groupSize
        var bits = [UInt64](repeating: 0, count: groupCount * Self.wordCount)
        for term in 0..<termCount {
            let base = term / Self.groupSize * Self.wordCount
            let text = bytes[Int(starts[term])..<(Int(starts[term + 1]) - 1)]
            Self.forEachGram(UnsafeBufferPointer(rebasing: text)) { word, mask in
                bits[base + word] |= mask
            }
        }
        self.bits = bits
    }

    /// What a group must have to hold `needle`: words of its set, and bits in them.
    struct Need {
        fileprivate var parts: [(word: Int, mask: UInt64)] = []

        init(_ needle: UnsafeBufferPointer<UInt8>) {
            var words = [UInt64](repeating: 0, count: GramFilter.wordCount)
            GramFilter.forEachGram(needle) { words[$0] |= $1 }
            for (word, mask) in words.enumerated() where mask != 0 { parts.append((word, mask)) }
        }
    }

    /// Whether a group may hold what is needed.
    @inline(__always)
    func mayHold(_ need: borrowing Need, group: Int) -> Bool {
        for part in need.parts
        where bits[group * Self.wordCount + part.word] & part.mask != part.mask {
            return false
        }
        return true
    }

    @inline(__always)
    private static func forEachGram(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (_ word: Int, _ mask: UInt64) -> Void
    ) {
        @inline(__always)
        func add(_ gram: UInt32) {
            let bit = (gram &* 0x9e37_79b1) >> 23
            body(Int(bit >> 6), 1 << UInt64(bit & 63))
        }
        guard text.count > 1 else { return }
        for place in 0..<(text.count - 1) {
            let pair = UInt32(text[place]) | UInt32(text[place + 1]) << 8
            add(pair)
            if place + 2 < text.count { add(pair | UInt32(text[place + 2]) << 16 | 1 << 24) }
        }
    }
}

/// A filter that is made when it is asked for first.
///
/// **Thread safety**: guarded.
final class LazyGramFilter: Sendable {
    private let filter = Mutex<GramFilter?>(nil)

    func get(_ make: () -> GramFilter) -> GramFilter {
        filter.withLock { filter in
            if let filter { return filter }
            let made = make()
            filter = made
            return made
        }
    }
}

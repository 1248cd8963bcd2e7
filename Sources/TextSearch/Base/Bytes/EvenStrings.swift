/// The documents of strings where each document has as many: computed, not read from memory.
struct EvenStrings: Sendable {
    private let each: UInt32
    /// 2³² divided by it, rounded up: what is multiplied by it is divided, with no remainder, as
    /// far as `init` lets numbers go.
    ///
    /// Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994.
    private let reciprocal: UInt64

    /// `firsts` has the number of the first string of each document. Nil where some have more than
    /// others, or there are none.
    init?(_ firsts: UnsafeBufferPointer<UInt32>, stringCount: Int) {
        guard firsts.count > 0, stringCount > 0, stringCount % firsts.count == 0 else { return nil }
        let count = stringCount / firsts.count
        // What rounding adds to a product is less than `count` times the number.
        guard stringCount <= 1 << 32, count < 1 << 16, stringCount * count <= 1 << 32 else {
            return nil
        }
        each = UInt32(count)
        reciprocal = ((1 << 32) + UInt64(count) - 1) / UInt64(count)
        var difference: UInt32 = 0
        for document in firsts.indices {
            difference |= firsts[document] ^ (UInt32(truncatingIfNeeded: document) &* each)
        }
        guard difference == 0 else { return nil }
    }

    /// The document that a string belongs to, and which of its strings it is.
    @inline(__always)
    subscript(string: UInt32) -> (document: UInt32, string: UInt32) {
        let document = UInt32(truncatingIfNeeded: (UInt64(string) &* reciprocal) &>> 32)
        return (document, string &- document &* each)
    }
}

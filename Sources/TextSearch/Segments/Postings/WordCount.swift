/// How often the words that a query asks for stand in one string.
struct WordCount: BitwiseCopyable {
    var document: UInt32
    var string: UInt32
    var count: UInt32
}

/// Counts documents that come in ascending order.
struct DocumentCounter {
    private(set) var count: UInt32 = 0
    private var last: UInt32?

    @inline(__always)
    mutating func count(_ document: UInt32) {
        guard document != last else { return }
        last = document
        count += 1
    }
}

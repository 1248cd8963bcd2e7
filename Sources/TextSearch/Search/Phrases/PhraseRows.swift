/// Counts where words stand one after the other, exactly as in a phrase, word by word.
///
/// The first word that is taken says where rows may begin; each other one leaves those of them that
/// it goes on, and of its own places nothing is kept. So the rarest comes first.
struct PhraseRows: ~Copyable {
    /// Where a phrase would begin, with as much before the string's first word as it takes.
    // Not private: Swift 6.3.1 does not link a private element of a buffer in a noncopyable type
    // where tests are built.
    struct Start: BitwiseCopyable {
        var document: UInt32
        var string: UInt32
        var position: Int
    }

    private var starts = Buffer<Start>()
    /// The first start that the word at hand has not come to, where those of its string end, and
    /// how many it goes on before that.
    private var next = 0
    private var end = 0
    private var kept = 0

    var count: Int { starts.count }
    /// The bytes of memory held, and those that the next places take.
    var byteCount: Int { starts.byteCountAhead }

    /// Takes places of the first word in a string, ascending; strings come in their order.
    mutating func begin(
        _ document: UInt32, _ string: UInt32, _ positions: UnsafeBufferPointer<UInt32>, offset: Int
    ) {
        for position in positions {
            let start = Start(
                document: document, string: string, position: Int(position) - offset)
            // A word may be twice at one place.
            if let last = starts.isEmpty ? nil : starts[starts.count - 1],
                last.document == document, last.string == string, last.position == start.position
            {
                continue
            }
            starts.append(start)
        }
    }

    /// The last place of another word in a string that may go on a start; nil where there is no
    /// start. Strings come in their order.
    mutating func last(_ document: UInt32, _ string: UInt32, offset: Int) -> UInt32? {
        starts.withElements { starts in
            while next < starts.count, starts[next].isBefore(document, string) { next &+= 1 }
            end = next
            while end < starts.count, starts[end].isIn(document, string) { end &+= 1 }
            return next == end ? nil : UInt32(clamping: starts[end &- 1].position &+ offset)
        }
    }

    /// Takes places of another word in a string, ascending; strings come in their order.
    mutating func goOn(
        _ document: UInt32, _ string: UInt32, _ positions: UnsafeBufferPointer<UInt32>, offset: Int
    ) {
        if next >= end || !starts[next].isIn(document, string) {
            _ = last(document, string, offset: offset)
        }
        starts.withMutableElements { starts in
            var place = 0
            // Those of the rarer word are fewer.
            while next < end {
                let wanted = starts[next].position &+ offset
                while place < positions.count, Int(positions[place]) < wanted { place &+= 1 }
                guard place < positions.count else { return }
                if Int(positions[place]) == wanted {
                    starts[kept] = starts[next]
                    kept &+= 1
                }
                next &+= 1
            }
        }
    }

    /// To be called after all places of another word.
    mutating func endWord() {
        starts.removeLast(starts.count - kept)
        next = 0
        end = 0
        kept = 0
    }

    /// The documents of the rows, ascending.
    func documents() -> [UInt32] {
        var documents: [UInt32] = []
        for place in 0..<starts.count where starts[place].document != documents.last {
            documents.append(starts[place].document)
        }
        return documents
    }

    /// Appends how many rows there are in each string.
    func append(to counts: inout Buffer<WordCount>) {
        var place = 0
        while place < starts.count {
            let start = starts[place]
            var end = place + 1
            while end < starts.count, starts[end].isIn(start.document, start.string) { end += 1 }
            counts.append(
                WordCount(
                    document: start.document, string: start.string,
                    count: UInt32(truncatingIfNeeded: end - place)))
            place = end
        }
    }
}

extension PhraseRows.Start {
    @inline(__always)
    func isIn(_ document: UInt32, _ string: UInt32) -> Bool {
        self.document == document && self.string == string
    }

    @inline(__always)
    func isBefore(_ document: UInt32, _ string: UInt32) -> Bool {
        self.document != document ? self.document < document : self.string < string
    }
}

/// A set of document numbers as pages of bits.
struct DocumentSet {
    private static let pageWords = 1024
    private var pages: [Int: [UInt64]] = [:]
    private var openPage = -1
    private var openBits: [UInt64] = []

    /// The bytes of memory held.
    var byteCount: Int { (pages.count + 1) * (Self.pageWords * 8 + 32) }

    @inline(__always)
    mutating func insert(_ document: UInt32) {
        let page = Int(document >> 16)
        if page != openPage { open(page) }
        let bit = Int(document & 0xffff)
        openBits[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    mutating func insert(_ chunk: borrowing PostingsChunk, offset: UInt32) {
        chunk.documents.withElements { documents in
            for document in documents { insert(document &+ offset) }
        }
    }

    @inline(never)
    private mutating func open(_ page: Int) {
        close()
        openBits = pages.removeValue(forKey: page) ?? [UInt64](repeating: 0, count: Self.pageWords)
        openPage = page
    }

    private mutating func close() {
        if openPage >= 0 { pages[openPage] = openBits }
        openPage = -1
        openBits = []
    }

    func contains(_ document: UInt32) -> Bool {
        let page = Int(document >> 16)
        let bit = Int(document & 0xffff)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        if page == openPage { return openBits[bit >> 6] & mask != 0 }
        return (pages[page]?[bit >> 6] ?? 0) & mask != 0
    }

    mutating func formIntersection(_ other: DocumentSet) {
        var other = other
        other.close()
        close()
        for (page, bits) in pages {
            guard let otherBits = other.pages[page] else {
                pages[page] = nil
                continue
            }
            pages[page] = zip(bits, otherBits).map { $0 & $1 }
        }
    }

    mutating func formUnion(_ other: DocumentSet) {
        var other = other
        other.close()
        close()
        for (page, bits) in other.pages {
            pages[page] = pages[page].map { zip($0, bits).map { $0 | $1 } } ?? bits
        }
    }

    mutating func subtract(_ other: DocumentSet) { remove { other.contains($0) } }

    mutating func remove(where isUnwanted: (UInt32) -> Bool) {
        close()
        for (page, bits) in pages {
            var kept = bits
            for word in kept.indices where kept[word] != 0 {
                var rest = kept[word]
                while rest != 0 {
                    let bit = rest.trailingZeroBitCount
                    rest &= rest - 1
                    if isUnwanted(UInt32(page << 16 | word << 6 | bit)) {
                        kept[word] &= ~(1 << UInt64(bit))
                    }
                }
            }
            pages[page] = kept
        }
    }

    var count: Int {
        pages.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } }
            + openBits.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Those of a range that are alive, ascending.
    ///
    /// Complexity: linear in the range.
    func sorted(in range: Range<UInt32>, without dead: Tombstones) -> [UInt32] {
        range.filter { contains($0) && !dead.contains($0) }
    }

    /// The documents, ascending.
    func sorted() -> [UInt32] {
        var closed = self
        closed.close()
        var documents: [UInt32] = []
        for page in closed.pages.keys.sorted() {
            for (word, bits) in (closed.pages[page] ?? []).enumerated() {
                var rest = bits
                while rest != 0 {
                    documents.append(
                        UInt32(page << 16 | word << 6 | rest.trailingZeroBitCount))
                    rest &= rest - 1
                }
            }
        }
        return documents
    }
}

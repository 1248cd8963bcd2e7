/// The documents that are dead: removed, replaced, or never there.
///
/// A value with pages of 4,096 documents that are shared between versions: adding one copies a
/// page.
struct Tombstones: Sendable {
    private static let pageBits = 12
    private static let pageWords = 1 << (pageBits - 6)

    private final class Page: Sendable {
        let bits: [UInt64]

        init(_ bits: [UInt64]) { self.bits = bits }
    }

    private var pages: [Page?] = []
    private(set) var count = 0

    @inline(__always)
    func contains(_ document: UInt32) -> Bool {
        word(Int(document >> 6)) & 1 << UInt64(document & 63) != 0
    }

    /// A bit for each of 64 documents from one on, the first one's lowest: set for those that are
    /// dead.
    func bits(from document: UInt32) -> UInt64 {
        let word = Int(document >> 6)
        let shift = UInt64(document & 63)
        let place = word & (Self.pageWords - 1)
        // Shifted by 64, the next word is 0.
        guard place < Self.pageWords - 1 else {
            return self.word(word) >> shift | self.word(word + 1) << (64 - shift)
        }
        let page = word / Self.pageWords
        guard page < pages.count, let bits = pages[page]?.bits else { return 0 }
        return bits[place] >> shift | bits[place + 1] << (64 - shift)
    }

    /// The bits of 64 documents; 0 where there are none.
    @inline(__always)
    private func word(_ number: Int) -> UInt64 {
        let page = number / Self.pageWords
        guard page < pages.count, let bits = pages[page]?.bits else { return 0 }
        return bits[number & (Self.pageWords - 1)]
    }

    /// Whether any document of `range` is dead.
    func intersects(_ range: Range<UInt32>) -> Bool {
        guard !range.isEmpty else { return false }
        let first = Int(range.lowerBound >> UInt32(Self.pageBits))
        let last = min(Int((range.upperBound - 1) >> UInt32(Self.pageBits)), pages.count - 1)
        guard first <= last else { return false }
        return (first...last).contains { pages[$0] != nil }
    }

    /// Adds documents; those that are there already count once.
    mutating func insert(_ documents: some Sequence<UInt32>) {
        var open: (page: Int, bits: [UInt64])?
        func close() {
            if let open { pages[open.page] = Page(open.bits) }
        }
        for document in documents {
            let page = Int(document >> UInt32(Self.pageBits))
            if open?.page != page {
                close()
                while pages.count <= page { pages.append(nil) }
                open = (
                    page,
                    pages[page]?.bits
                        ?? [UInt64](repeating: 0, count: Self.pageWords)
                )
            }
            let bit = Int(document) & (1 << Self.pageBits - 1)
            let mask: UInt64 = 1 << UInt64(bit & 63)
            if let bits = open?.bits[bit >> 6], bits & mask == 0 {
                open?.bits[bit >> 6] = bits | mask
                count += 1
            }
        }
        close()
    }

    /// How many documents of `range` are dead.
    ///
    /// Complexity: linear in the range, a bit a document.
    func count(in range: Range<UInt32>) -> Int {
        var total = 0
        var document = UInt64(range.lowerBound)
        let end = UInt64(range.upperBound)
        while document < end {
            var bits = bits(from: UInt32(document))
            if end - document < 64 { bits &= 1 << (end - document) - 1 }
            total += bits.nonzeroBitCount
            document += 64
        }
        return total
    }
}

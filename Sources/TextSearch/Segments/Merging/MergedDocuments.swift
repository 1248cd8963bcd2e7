/// Which documents stay in a merge, and by which numbers.
///
/// Numbers stay as they are, so that a merged segment spans what its living documents span, from
/// the first to the last; those between that are dead are missing there. Or documents are numbered
/// anew, without gaps, in their order.
///
/// **Thread safety**: an immutable value.
struct MergedDocuments: Sendable {
    /// The first number of the merged segment, and how many numbers it spans.
    let firstDocument: UInt32
    let count: Int
    private let dead: Tombstones
    /// Where documents are numbered anew: a bit for each that stays, from `origin` on, and how many
    /// there are before each word of them.
    private let numbering: Numbering?

    private struct Numbering {
        var origin: UInt32
        var bits: [UInt64] = []
        var ranks: [UInt32] = []

        func rank(of document: UInt32) -> UInt32? {
            let place = Int(document &- origin)
            let mask: UInt64 = 1 << UInt64(place & 63)
            guard document >= origin, place >> 6 < bits.count, bits[place >> 6] & mask != 0 else {
                return nil
            }
            let before = bits[place >> 6] & (mask - 1)
            return ranks[place >> 6] + UInt32(before.nonzeroBitCount)
        }
    }

    /// Documents of neighbouring segments, in their order, that keep their numbers.
    ///
    /// One number, of a document that is missing, where none is alive.
    init(of segments: [FlushedSegment], dead: Tombstones) {
        let ranges = segments.map(\.manifest.documents)
        let first = ranges.lazy.compactMap { $0.first { !dead.contains($0) } }.first
        let last = ranges.reversed().lazy.compactMap { $0.last { !dead.contains($0) } }.first
        let start = first ?? ranges.first?.lowerBound ?? 0
        firstDocument = start
        count = last.map { Int($0 - start) + 1 } ?? 1
        self.dead = dead
        numbering = nil
    }

    /// Documents of segments, in their order, that are numbered anew from `first` on.
    ///
    /// Complexity: linear in the numbers that the segments span, a bit each.
    init(of segments: [FlushedSegment], dead: Tombstones, from first: UInt32) {
        let origin = segments.first?.manifest.firstDocument ?? 0
        let end = segments.last?.manifest.documents.upperBound ?? origin
        var numbering = Numbering(origin: origin)
        numbering.bits = Array(repeating: 0, count: Int(end - origin) / 64 + 1)
        for segment in segments {
            for document in segment.manifest.documents where !dead.contains(document) {
                let place = Int(document - origin)
                numbering.bits[place >> 6] |= 1 << UInt64(place & 63)
            }
        }
        var total: UInt32 = 0
        for bits in numbering.bits {
            numbering.ranks.append(total)
            total += UInt32(bits.nonzeroBitCount)
        }
        firstDocument = first
        count = Int(total)
        self.dead = dead
        self.numbering = numbering
    }

    /// The number of a document of one of the segments in the merged one, relative to that; nil
    /// where it does not stay.
    func place(of document: UInt32) -> UInt32? {
        if dead.contains(document) { return nil }
        guard let numbering else { return document - firstDocument }
        return numbering.rank(of: document)
    }
}

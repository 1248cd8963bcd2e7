/// Cuts ascending documents into slices, so that what is held of each has a bound, whatever the
/// number of all.
struct DocumentSlices {
    private let documents: [UInt32]
    private var next = 0
    private var size: Int
    private let sizes: ClosedRange<Int>

    /// The hits that a slice is to have.
    private static let hitCounts = 1 << 12...1 << 16

    /// The first slice has `size` documents, which may be long ones, no slice has fewer than
    /// `least`, and none more than `most`, if that is not less.
    init(_ documents: [UInt32], size: Int = 16, least: Int = 1, most: Int = 1 << 12) {
        self.documents = documents
        sizes = max(least, 1)...max(least, most)
        self.size = min(max(size, sizes.lowerBound), sizes.upperBound)
    }

    mutating func nextSlice() -> ArraySlice<UInt32>? {
        guard next < documents.count else { return nil }
        let end = min(next + size, documents.count)
        defer { next = end }
        return documents[next..<end]
    }

    /// Has the next slices be larger or smaller by the hits of the last one.
    mutating func adapt(to hitCount: Int) {
        if hitCount < Self.hitCounts.lowerBound {
            size = min(size * 2, sizes.upperBound)
        } else if hitCount > Self.hitCounts.upperBound {
            size = max(size / 2, sizes.lowerBound)
        }
    }
}

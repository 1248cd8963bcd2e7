/// Lets only so many hits of each document pass, of hits that come document by document.
struct HitBound {
    private let most: Int
    private var document: UInt32?
    private var left = 0
    /// The documents of which some did not pass.
    private(set) var shortened: [UInt32] = []

    init(most: Int) { self.most = most }

    /// How many of the next hits of a document pass.
    @inline(__always)
    mutating func take(_ count: Int, of next: UInt32) -> Int {
        if next != document {
            document = next
            left = most
        }
        let taken = min(count, left)
        left -= taken
        if taken < count, shortened.last != next { shortened.append(next) }
        return taken
    }
}

extension Buffer where Element == Hit {
    /// Leaves out the hits after the first of each document, of hits in the order of documents and
    /// text.
    mutating func keepFirst(_ most: Int, _ shortened: inout Set<UInt32>) {
        guard most < .max, count > most else { return }
        var bound = HitBound(most: most)
        let kept = withMutableElements { all in
            var kept = 0
            for place in all.indices where bound.take(1, of: all[place].document) > 0 {
                all[kept] = all[place]
                kept += 1
            }
            return kept
        }
        removeLast(count - kept)
        shortened.formUnion(bound.shortened)
    }
}

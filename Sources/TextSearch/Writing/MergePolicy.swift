/// Which neighbouring segments to rewrite as one: a pure function of their sizes.
enum MergePolicy {
    struct Segment: Sendable {
        var documents: Int
        var terms: Int
        /// Dead documents whose postings are still there.
        var dead: Int
    }

    /// So many neighbours of about one size are merged.
    static let factor = 8
    /// While objects are loaded in bulk: merges take the processor from the load, and those of more
    /// segments write each posting fewer times.
    static let loadingFactor = 32
    /// A segment is rewritten once more than one document of so many is dead.
    static let deadShare = 4
    /// While objects are loaded in bulk, others with the same identifiers among them: what is
    /// rewritten too early has to be once more at the end.
    static let loadingDeadShare = 2
    /// More segments than this are merged even where their sizes differ: every search asks each of
    /// them.
    static let most = 64

    /// A run whose largest segment is not much larger than the others are on average: what was
    /// merged is not rewritten for a few small ones.
    static func next(_ segments: [Segment], isLoading: Bool = false) -> Range<Int>? {
        let factor = isLoading ? loadingFactor : factor
        let share = isLoading ? loadingDeadShare : deadShare
        if let index = segments.firstIndex(where: { $0.dead * share > $0.documents }) {
            return index..<(index + 1)
        }
        guard segments.count >= factor else { return nil }
        for start in 0...(segments.count - factor) {
            let run = segments[start..<(start + factor)]
            let largest = run.map(\.terms).max() ?? 0
            let total = cost(run)
            if largest * 3 * factor <= total * Self.factor { return start..<(start + factor) }
        }
        return segments.count > most ? cheapest(segments, factor) : nil
    }

    /// The neighbours that cost the least to rewrite.
    private static func cheapest(_ segments: [Segment], _ factor: Int) -> Range<Int>? {
        let starts = 0...(segments.count - factor)
        let start = starts.min {
            cost(segments[$0..<($0 + factor)]) < cost(segments[$1..<($1 + factor)])
        }
        return start.map { $0..<($0 + factor) }
    }

    private static func cost(_ run: ArraySlice<Segment>) -> Int { run.reduce(0) { $0 + $1.terms } }
}

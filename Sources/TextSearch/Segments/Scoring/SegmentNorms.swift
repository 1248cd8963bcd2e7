/// The lengths of a segment's strings, and how occurrences in them count.
final class SegmentNorms: Sendable {
    let lengths: LengthColumn
    /// By how much a normalised frequency can exceed the impact.
    let scale: Double
    private let norms: [StringNorm]
    private let others: StringNorm

    init(_ lengths: LengthColumn, _ similarity: BM25, averages: [Double]) {
        self.lengths = lengths
        let norms = averages.enumerated().map {
            StringNorm(similarity.field($0), averageLength: $1)
        }
        self.norms = norms
        let others = StringNorm(similarity.field(.max), averageLength: 0)
        self.others = others
        scale = ImpactScale(lengths) { $0 < norms.count ? norms[$0] : others }.largest
    }

    @inline(__always)
    subscript(string: Int) -> StringNorm { string < norms.count ? norms[string] : others }
}

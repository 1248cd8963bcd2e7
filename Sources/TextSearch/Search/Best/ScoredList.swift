/// Documents of a segment that were scored already, in blocks as those of postings.
///
/// **Thread safety**: immutable.
final class ScoredList: Sendable {
    private let documents: ArraySlice<UInt32>
    private let scores: ArraySlice<Double>
    private let firstDocument: UInt32
    private let bounds: [Double]
    private let order: [Int]
    private static let blockSize = 128

    /// `first` is the first document of the segment.
    init(_ documents: ArraySlice<UInt32>, _ scores: ArraySlice<Double>, first: UInt32) {
        self.documents = documents
        self.scores = scores
        firstDocument = first
        let count = (documents.count + Self.blockSize - 1) / Self.blockSize
        let bounds = (0..<count).map { block in
            // Where something is missing, it adds nothing: less than nothing is no bound.
            max(scores[Self.range(of: block, in: scores.indices)].max() ?? 0, 0)
        }
        self.bounds = bounds
        order = (0..<count).sorted { bounds[$0] > bounds[$1] }
    }

    var count: Int { documents.count }
    var blockCount: Int { bounds.count }

    private static func range(of block: Int, in all: Range<Int>) -> Range<Int> {
        let lower = all.lowerBound + block * blockSize
        return lower..<min(lower + blockSize, all.upperBound)
    }

    private func relative(_ place: Int) -> Int64 { Int64(documents[place] - firstDocument) }

    /// The first document of a block, and its last one.
    func first(of block: Int) -> Int64 {
        relative(Self.range(of: block, in: documents.indices).lowerBound)
    }
    func last(of block: Int) -> Int64 {
        relative(Self.range(of: block, in: documents.indices).upperBound - 1)
    }

    /// No score in a block is more.
    func bound(of block: Int) -> Double { bounds[block] }

    /// The number of the block whose bound is the `rank`-th.
    func block(byBound rank: Int) -> Int { order[rank] }

    /// Makes the documents of a block those of `chunk`.
    func load(_ block: Int, into chunk: inout PostingsChunk) {
        chunk.take(documents[Self.range(of: block, in: documents.indices)], from: firstDocument)
    }

    /// Makes `output` the scores of a block.
    func loadScores(of block: Int, into output: inout Buffer<Double>) {
        output.removeAll()
        for place in Self.range(of: block, in: scores.indices) { output.append(scores[place]) }
    }

    /// The score of a block's document.
    func score(of block: Int, at place: Int) -> Double {
        scores[Self.range(of: block, in: scores.indices).lowerBound + place]
    }
}

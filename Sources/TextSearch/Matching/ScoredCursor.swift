/// Walks over the scored documents of one part of a query in one segment, in blocks whose scores have bounds.
///
/// Documents are relative to the segment.
class ScoredCursor {
    final let blockCount: Int
    /// The current block, and what is known of it before it is decoded: its last document, and that no score in it is more than `bound`.
    final private(set) var block = 0
    final private(set) var last: Int64 = -1
    final private(set) var bound = 0.0
    final private var decoded = -1
    /// The documents of the block that is decoded, and the place in them.
    final fileprivate(set) var documents = Buffer<UInt32>(capacity: 128)
    final private(set) var place = 0

    fileprivate init(blockCount: Int) { self.blockCount = blockCount }

    fileprivate func lastDocument(of block: Int) -> Int64 { -1 }
    func bound(of block: Int) -> Double { 0 }
    /// Makes `documents` those of a block.
    fileprivate func load(_ block: Int) throws {}
    /// The score of a document of the decoded block.
    func score(at place: Int) -> Double { 0 }

    /// Whether there are no more blocks.
    final var isAtEnd: Bool { block >= blockCount }

    /// Goes to a block that is known to come first, without a look at its documents.
    final func start() { enter(0) }

    final func enter(_ number: Int) {
        block = number
        guard number < blockCount else { return }
        last = lastDocument(of: number)
        bound = bound(of: number)
    }

    /// Goes to the first block that does not end before a document.
    @inline(__always)
    final func advance(to document: Int64) {
        guard last < document else { return }
        while !isAtEnd, last < document { enter(block + 1) }
    }

    /// Decodes the current block.
    final func decode() throws {
        guard decoded != block else { return }
        decoded = -1
        try load(block)
        decoded = block
        place = 0
    }

    /// Goes to the first document of the current block that is not before `document`; whether it is that one.
    ///
    /// The block must be decoded, and not end before it.
    @inline(__always)
    final func seek(_ document: UInt32) -> Bool {
        while place < documents.count, documents[place] < document { place += 1 }
        return place < documents.count && documents[place] == document
    }

    /// The document at the place in the decoded block.
    @inline(__always)
    final var document: UInt32 { place < documents.count ? documents[place] : .max }

    @inline(__always)
    final func next() { place += 1 }
}

/// The postings of a term, scored as they are come to.
final class TermCursor: ScoredCursor {
    private var postings: PostingsCursor
    private let scoring: TermScoring
    /// The bound of the only block.
    private var onlyBound = 0.0

    init(_ postings: consuming PostingsCursor, _ scoring: TermScoring) throws {
        let count = postings.blockCount
        self.postings = postings
        self.scoring = scoring
        super.init(blockCount: count)
        if count == 1 {
            try load(0)
            for place in 0..<documents.count { onlyBound = max(onlyBound, score(at: place)) }
        }
        start()
    }

    override fileprivate func lastDocument(of block: Int) -> Int64 { postings.last(of: block) }

    override func bound(of block: Int) -> Double {
        blockCount == 1 ? onlyBound : scoring.bound(postings.bound(of: block))
    }

    override fileprivate func load(_ block: Int) throws {
        try postings.decode(block)
        documents.removeAll()
        postings.chunk.documents.withElements { documents.append(contentsOf: $0) }
    }

    override func score(at place: Int) -> Double {
        let document = Int(documents[place])
        var frequency = 0.0
        for run in postings.chunk.runRange(at: place) {
            let run = postings.chunk.runs[run]
            let string = Int(run.string)
            frequency += scoring.frequency(
                run.frequency, string: string,
                length: scoring.lengths.length(of: document, string: string))
        }
        return scoring.score(frequency)
    }
}

/// Documents that were scored already.
final class ListCursor: ScoredCursor {
    private let all: ArraySlice<UInt32>
    private let scores: ArraySlice<Double>
    private let first: UInt32
    private var bounds: [Double] = []
    private var blockStart = 0
    private static let blockSize = 128

    /// `first` is the first document of the segment.
    init(_ documents: ArraySlice<UInt32>, _ scores: ArraySlice<Double>, first: UInt32) {
        all = documents
        self.scores = scores
        self.first = first
        super.init(blockCount: (documents.count + Self.blockSize - 1) / Self.blockSize)
        for block in 0..<blockCount {
            // Where something is missing, it adds nothing: less than nothing is no bound.
            bounds.append(max(scores[range(of: block, from: scores.startIndex)].max() ?? 0, 0))
        }
        start()
    }

    /// No documents.
    convenience init() { self.init([], [], first: 0) }

    private func range(of block: Int, from start: Int) -> Range<Int> {
        let lower = block * Self.blockSize
        return (start + lower)..<(start + min(lower + Self.blockSize, all.count))
    }

    override fileprivate func lastDocument(of block: Int) -> Int64 {
        Int64(all[range(of: block, from: all.startIndex).upperBound - 1] - first)
    }

    override func bound(of block: Int) -> Double { bounds[block] }

    override fileprivate func load(_ block: Int) throws {
        documents.removeAll()
        blockStart = block * Self.blockSize
        for place in range(of: block, from: all.startIndex) { documents.append(all[place] - first) }
    }

    override func score(at place: Int) -> Double { scores[scores.startIndex + blockStart + place] }
}

/// How the postings of a term in one segment are scored; the same operations in the same order as in `QueryEvaluator`.
struct TermScoring {
    let similarity: BM25
    let idf: Double
    /// What the score is multiplied by, in this order; none is negative or infinite.
    let factors: [Double]
    let lengths: LengthColumn
    let averages: [Double]
    /// By how much a normalised frequency can exceed the impact.
    let scale: Double

    @inline(__always)
    func frequency(_ count: UInt32, string: Int, length: Int) -> Double {
        similarity.normalized(
            frequency: Double(count), string: string, length: Double(length),
            averageLength: string < averages.count ? averages[string] : 0)
    }

    @inline(__always)
    func score(_ frequency: Double) -> Double {
        var score = similarity.score(idf: idf, frequency: frequency)
        for factor in factors { score *= factor }
        return score
    }

    /// No score is more than this where no impact is more than `impact`.
    func bound(_ impact: Double) -> Double {
        // Far beyond any frequency; infinity would leave no number.
        score(min(impact * scale, 1e30)) * (1 + 1e-9)
    }
}

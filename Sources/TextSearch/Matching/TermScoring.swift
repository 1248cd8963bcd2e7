/// How the postings of a term in one segment are scored; the same operations in the same order as in `QueryEvaluator`.
struct TermScoring {
    private let similarity: BM25
    private let idf: Double
    /// What the score is multiplied by, in this order; none is negative or infinite.
    private let factors: [Double]
    private let strings: SegmentNorms

    init(similarity: BM25, idf: Double, factors: [Double], strings: SegmentNorms) {
        self.similarity = similarity
        self.idf = idf
        self.factors = factors
        self.strings = strings
    }

    @inline(__always)
    func frequency(_ count: UInt32, string: Int, length: Int) -> Double {
        strings[string].normalized(frequency: Double(count), length: Double(length))
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
        score(min(impact * strings.scale, 1e30)) * (1 + 1e-9)
    }

    /// Makes `scores` those of the documents of a block.
    func score(_ block: borrowing PostingsChunk, into scores: inout Buffer<Double>) {
        scores.removeAll()
        scores.reserve(block.documentCount)
        let lengths = strings.lengths
        // Nearly all runs of a term are of one string.
        var string = 0
        var norm = strings[string]
        var run = 0
        for place in 0..<block.documentCount {
            let document = Int(block.documents[place])
            let end = Int(block.runEnds[place])
            var frequency = 0.0
            while run < end {
                let current = block.runs[run]
                if Int(current.string) != string {
                    string = Int(current.string)
                    norm = strings[string]
                }
                frequency += norm.normalized(
                    frequency: Double(current.frequency),
                    length: Double(lengths.length(of: document, string: string)))
                run += 1
            }
            scores.append(similarity.score(idf: idf, frequency: frequency))
        }
        for factor in factors {
            for place in 0..<scores.count { scores[place] *= factor }
        }
    }

    /// The score of one document of a block.
    @inline(__always)
    func score(of place: Int, in block: borrowing PostingsChunk) -> Double {
        let document = Int(block.documents[place])
        var frequency = 0.0
        for run in block.runRange(at: place) {
            let current = block.runs[run]
            let string = Int(current.string)
            frequency += self.frequency(
                current.frequency, string: string,
                length: strings.lengths.length(of: document, string: string))
        }
        return score(frequency)
    }
}

/// The lengths of a segment's strings, and how occurrences in them count.
struct SegmentNorms: Sendable {
    let lengths: LengthColumn
    /// By how much a normalised frequency can exceed the impact.
    let scale: Double
    private let norms: [StringNorm]
    private let others: StringNorm

    init(_ lengths: LengthColumn, _ similarity: BM25, _ statistics: LengthStatistics) {
        self.lengths = lengths
        scale = ImpactScale(lengths, similarity) { statistics.average(of: $0) }.largest
        norms = statistics.averages.enumerated().map {
            StringNorm(similarity.field($0), averageLength: $1)
        }
        others = StringNorm(similarity.field(.max), averageLength: 0)
    }

    @inline(__always)
    subscript(string: Int) -> StringNorm { string < norms.count ? norms[string] : others }
}

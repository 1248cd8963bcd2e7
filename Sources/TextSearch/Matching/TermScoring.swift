/// How the postings of a term in one segment are scored; the same operations in the same order as in `QueryEvaluator`.
struct TermScoring {
    private let saturation: BM25.Saturation
    private let idf: Double
    /// What the score is multiplied by, in this order; none is negative or infinite.
    private let factors: [Double]
    private let strings: SegmentNorms

    init(
        saturation: BM25.Saturation, idf: Double, factors: [Double], strings: SegmentNorms
    ) {
        self.saturation = saturation
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
        var score = saturation.score(idf: idf, frequency: frequency)
        for factor in factors { score *= factor }
        return score
    }

    /// No score is more than this where no impact is more than `impact`.
    func bound(_ impact: Double) -> Double {
        // Far beyond any frequency; infinity would leave no number.
        score(min(impact * strings.scale, 1e30)) * (1 + 1e-9)
    }

    /// Makes `scores` those of the documents of a block that is decoded with frequencies.
    ///
    /// In simple passes, which the compiler makes several at a time.
    func score(_ block: borrowing PostingsChunk, into scores: inout Buffer<Double>) {
        appendUsual(of: block, to: &scores)
        for number in 0..<block.others.count {
            scores[Int(block.others[number])] = frequency(of: number, in: block)
        }
        finish(&scores)
    }

    /// Makes `scores` those of some documents of a block, by their places.
    func score(
        at places: UnsafeBufferPointer<UInt32>, of block: borrowing PostingsChunk,
        into scores: inout Buffer<Double>
    ) {
        let usual = Int(block.usualString)
        let norm = strings[usual]
        scores.removeAll()
        for place in places {
            let place = Int(place)
            let tf = block.frequencies[place]
            guard tf > 0 else {
                scores.append(frequency(ofOther: place, in: block))
                continue
            }
            scores.append(
                norm.normalized(
                    frequency: Double(tf),
                    length: Double(
                        strings.lengths.length(of: Int(block.documents[place]), string: usual))))
        }
        finish(&scores)
    }

    /// Makes scores of frequencies.
    private func finish(_ scores: inout Buffer<Double>) {
        scores.withMutableElements { scores in
            for place in scores.indices {
                scores[place] = saturation.score(idf: idf, frequency: scores[place])
            }
            for factor in factors {
                for place in scores.indices { scores[place] *= factor }
            }
        }
    }

    /// Makes `output` the frequencies of the documents of a block as if they had the term in the usual string alone.
    private func appendUsual(
        of block: borrowing PostingsChunk, to output: inout Buffer<Double>
    ) {
        let usual = Int(block.usualString)
        let norm = strings[usual]
        block.documents.withElements {
            strings.lengths.load($0, string: usual, into: &output)
        }
        output.withMutableElements { output in
            block.frequencies.withElements { frequencies in
                for place in output.indices {
                    output[place] = norm.normalized(
                        frequency: Double(frequencies[place]), length: output[place])
                }
            }
        }
    }

    /// The frequency of the term in the `number`-th of those that have it elsewhere than in the usual string alone.
    private func frequency(of number: Int, in block: borrowing PostingsChunk) -> Double {
        let document = Int(block.documents[Int(block.others[number])])
        var frequency = 0.0
        for run in block.runRange(at: number) {
            let current = block.runs[run]
            let string = Int(current.string)
            frequency += self.frequency(
                current.frequency, string: string,
                length: strings.lengths.length(of: document, string: string))
        }
        return frequency
    }

    /// The same for one of them by its place in the block.
    private func frequency(ofOther place: Int, in block: borrowing PostingsChunk) -> Double {
        frequency(
            of: block.others.firstPlace(of: UInt32(truncatingIfNeeded: place), from: 0), in: block)
    }
}

/// The lengths of a segment's strings, and how occurrences in them count.
final class SegmentNorms: Sendable {
    let lengths: LengthColumn
    /// By how much a normalised frequency can exceed the impact.
    let scale: Double
    private let norms: [StringNorm]
    private let others: StringNorm

    init(_ lengths: LengthColumn, _ similarity: BM25, averages: [Double]) {
        self.lengths = lengths
        scale =
            ImpactScale(lengths, similarity) {
                $0 < averages.count ? averages[$0] : 0
            }.largest
        norms = averages.enumerated().map {
            StringNorm(similarity.field($0), averageLength: $1)
        }
        others = StringNorm(similarity.field(.max), averageLength: 0)
    }

    @inline(__always)
    subscript(string: Int) -> StringNorm { string < norms.count ? norms[string] : others }
}

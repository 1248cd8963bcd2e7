/// How the postings of a term in one segment are scored; the same operations in the same order as
/// in `QueryEvaluator`.
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
    func frequency(_ count: UInt32, string: Int, length: Int) -> NormalizedFrequency {
        strings[string].normalized(frequency: Double(count), length: Double(length))
    }

    @inline(__always)
    func score(_ frequency: NormalizedFrequency) -> Double {
        var score = saturation.score(idf: idf, frequency: frequency)
        for factor in factors { score *= factor }
        return score
    }

    /// No score is more than this where no impact is more than `impact`.
    func bound(_ impact: Double) -> Double {
        // Far beyond any frequency; infinity would leave no number.
        score(NormalizedFrequency(weighted: min(impact * strings.scale, 1e30))) * (1 + 1e-9)
    }

    /// Makes `scores` those of the documents of a block that is decoded with frequencies;
    /// `weighted` is room for what leads there.
    ///
    /// In simple passes, which the compiler makes several at a time.
    func score(
        _ block: borrowing PostingsChunk, into scores: inout Buffer<Double>,
        _ weighted: inout Buffer<Double>
    ) {
        loadUsual(of: block, &weighted, divisors: &scores)
        for number in 0..<block.others.count {
            let place = Int(block.others[number])
            let frequency = frequency(of: number, in: block)
            weighted[place] = frequency.weighted
            scores[place] = frequency.divisor
        }
        finish(weighted, divisorsTo: &scores)
    }

    /// Makes `scores` those of some documents of a block, by their places.
    func score(
        at places: UnsafeBufferPointer<UInt32>, of block: borrowing PostingsChunk,
        into scores: inout Buffer<Double>, _ weighted: inout Buffer<Double>
    ) {
        let usual = Int(block.usualString)
        let norm = strings[usual]
        scores.removeAll()
        weighted.removeAll()
        let divisors = scores.tail(room: places.count)
        let room = weighted.tail(room: places.count)
        for number in places.indices {
            let place = Int(places[number])
            let tf = block.frequencies[place]
            var frequency = NormalizedFrequency()
            if tf > 0 {
                let document = Int(block.documents[place])
                frequency = norm.normalized(
                    frequency: Double(tf),
                    length: Double(strings.lengths.length(of: document, string: usual)))
            } else {
                frequency = self.frequency(ofOther: place, in: block)
            }
            room[number] = frequency.weighted
            divisors[number] = frequency.divisor
        }
        scores.commit(places.count)
        weighted.commit(places.count)
        finish(weighted, divisorsTo: &scores)
    }

    /// Makes scores of frequencies, which are given as `weighted` and, in `scores`, divisors.
    private func finish(
        _ weighted: borrowing Buffer<Double>, divisorsTo scores: inout Buffer<Double>
    ) {
        scores.withMutableElements { scores in
            weighted.withElements { weighted in
                for place in scores.indices {
                    scores[place] = saturation.score(
                        idf: idf,
                        frequency: NormalizedFrequency(
                            weighted: weighted[place], divisor: scores[place]))
                }
            }
            for factor in factors {
                for place in scores.indices { scores[place] *= factor }
            }
        }
    }

    /// The frequencies of the documents of a block as if they had the term in the usual string
    /// alone.
    private func loadUsual(
        of block: borrowing PostingsChunk, _ weighted: inout Buffer<Double>,
        divisors: inout Buffer<Double>
    ) {
        let usual = Int(block.usualString)
        let norm = strings[usual]
        block.documents.withElements {
            strings.lengths.load($0, string: usual, into: &divisors)
        }
        weighted.removeAll()
        let room = weighted.tail(room: divisors.count)
        divisors.withMutableElements { divisors in
            block.frequencies.withElements { frequencies in
                for place in divisors.indices {
                    let frequency = norm.normalized(
                        frequency: Double(frequencies[place]), length: divisors[place])
                    room[place] = frequency.weighted
                    divisors[place] = frequency.divisor
                }
            }
        }
        weighted.commit(divisors.count)
    }

    /// The frequency of the term in the `number`-th of those that have it elsewhere than in the
    /// usual string alone.
    @inline(__always)
    private func frequency(of number: Int, in block: borrowing PostingsChunk) -> NormalizedFrequency
    {
        let document = Int(block.documents[Int(block.others[number])])
        let runs = block.runRange(at: number)
        // Nearly all have one or two, which a branch would often foresee wrongly: one is taken
        // twice, and not counted then.
        if (1...2).contains(runs.count) {
            var sum = frequency(of: block.runs[runs.lowerBound], in: document)
            let last = frequency(of: block.runs[runs.upperBound &- 1], in: document)
            let times = Double(runs.count &- 1)
            sum.add(
                NormalizedFrequency(
                    weighted: last.weighted * times, divisor: last.divisor * times + (1 - times)))
            return sum
        }
        var sum = NormalizedFrequency()
        for run in runs { sum.add(frequency(of: block.runs[run], in: document)) }
        return sum
    }

    @inline(__always)
    private func frequency(of run: PostingsRun, in document: Int) -> NormalizedFrequency {
        let string = Int(run.string)
        return frequency(
            run.frequency, string: string,
            length: strings.lengths.length(of: document, string: string))
    }

    /// The same for one of them by its place in the block.
    @inline(never)
    private func frequency(
        ofOther place: Int, in block: borrowing PostingsChunk
    ) -> NormalizedFrequency {
        let place = UInt32(truncatingIfNeeded: place)
        return frequency(
            of: block.others.withElements { $0.firstPlace(of: place, from: 0) }, in: block)
    }
}

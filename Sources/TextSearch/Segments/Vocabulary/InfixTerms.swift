/// A byte string that is looked for inside terms, and what it asks of groups of them.
struct InfixNeedle: Sendable {
    let bytes: [UInt8]
    /// Rows of a `GramFilter`; none for a single byte.
    let rows: [Int]
    /// Whether a term may hold it: none has the byte that stands between them.
    let isPossible: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isPossible = !bytes.isEmpty && !bytes.contains(0)
        rows = bytes.withUnsafeBufferPointer { GramFilter.rows(of: $0) }
    }
}

/// Finds the terms of a segment that hold a byte string.
///
/// **Thread safety**: what is made when it is first asked for is guarded; everything else is
/// immutable.
struct InfixTerms: Sendable {
    let parts: [VocabularyPart]
    private let grams = Lazy<GramFilter>()

    /// The parts of a vocabulary, in order.
    init(_ parts: [VocabularyPart]) { self.parts = parts }

    /// Calls `body` with the terms of a part, its number, the number of the term in it, and the
    /// offset in that, for every place at which `needle` stands, in order.
    ///
    /// Complexity: linear in the number of terms, of which a word of the filter stands for 512, and
    /// in the bytes of those that may hold it; linear in all of their bytes the first time, and
    /// where the needle is a single byte.
    @inline(__always)
    func forEachMatch(
        of needle: InfixNeedle, work: (_ units: Int) throws -> Void = { _ in },
        _ body: (_ terms: VocabularyPart.Terms, _ part: Int, _ term: Int, _ offset: Int) -> Void
    ) rethrows {
        guard needle.isPossible else { return }
        try needle.bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count > 1 else {
                for (number, part) in parts.enumerated() {
                    try work(part.termCount)
                    part.forEachMatch(of: bytes, numbers: 0..<part.termCount) {
                        body($0, number, $1, $2)
                    }
                }
                return
            }
            let runs = runs(of: needle)
            for place in 0..<runs.count {
                // A run has some terms.
                if place & 127 == 0 { try work(1_024) }
                prefetch(runs, behind: place)
                let run = runs[place]
                let part = Int(run.part)
                parts[part].forEachMatch(of: bytes, numbers: Int(run.first)..<Int(run.end)) {
                    body($0, part, $1, $2)
                }
            }
        }
    }

    /// Neighbouring terms of a part.
    private struct Run: BitwiseCopyable {
        var part: UInt32
        var first: UInt32
        var end: UInt32
    }

    /// The terms that may hold a byte string, of two bytes at least.
    private func runs(of needle: InfixNeedle) -> Buffer<Run> {
        let filter = grams.get { GramFilter(parts) }
        var runs = Buffer<Run>(capacity: 256)
        filter.forEachRun(of: needle.rows) {
            runs.append(
                Run(
                    part: UInt32($0), first: UInt32($1.lowerBound), end: UInt32($1.upperBound)))
        }
        return runs
    }

    /// Has memory fetched for a run some places ahead, and for one farther ahead the memory that
    /// says where that is.
    @inline(__always)
    private func prefetch(_ runs: borrowing Buffer<Run>, behind place: Int) {
        if place &+ 16 < runs.count {
            let run = runs[place &+ 16]
            parts[Int(run.part)].prefetchStarts(from: Int(run.first))
        }
        if place &+ 8 < runs.count {
            let run = runs[place &+ 8]
            parts[Int(run.part)].prefetchTerms(from: Int(run.first))
        }
    }
}

extension VocabularyPart {
    /// Calls `body` with the terms, the number of one, and the offset in it, for every place at
    /// which a byte string stands in one of neighbouring terms, all of which are looked at.
    @inline(__always)
    fileprivate func forEachMatch(
        of needle: UnsafeBufferPointer<UInt8>, numbers: Range<Int>,
        _ body: (_ terms: Terms, _ number: Int, _ offset: Int) -> Void
    ) {
        withTerms { terms in
            let start = terms.start(of: numbers.lowerBound)
            let end = terms.start(of: numbers.upperBound)
            var number = numbers.lowerBound
            InfixScan.forEachPlace(
                of: needle, in: UnsafeBufferPointer(rebasing: terms.bytes[start..<end])
            ) { place in
                let place = place &+ start
                while terms.start(of: number &+ 1) <= place { number &+= 1 }
                body(terms, number, place &- terms.start(of: number))
            }
        }
    }
}

/// The terms of a segment that have signs, by the letters and digits between these: *log* and *txt*
/// of *log.txt*.
///
/// **Thread safety**: immutable.
struct JoinedTerms: Sendable {
    /// Letters and digits between signs.
    private struct Run {
        var hash: UInt32
        var place: TermPlace
        var offset: UInt16

        static func precedes(_ a: Run, _ b: Run) -> Bool {
            (a.hash, a.place.part, a.place.term, a.offset)
                < (b.hash, b.place.part, b.place.term, b.offset)
        }
    }

    private let parts: [VocabularyPart]
    /// By hash, then in the order of terms.
    private let runs: [Run]
    /// Whether all are here.
    let isWhole: Bool

    /// More are not kept: they would take 4 MB.
    private static let most = 1 << 18

    /// Complexity: linear in the terms, and sorts what stands between signs.
    init(_ parts: [VocabularyPart]) {
        self.parts = parts
        var runs: [Run] = []
        var isWhole = true
        for (number, part) in parts.enumerated() where isWhole {
            part.withTerms { terms in
                for term in 0..<part.termCount where runs.count <= Self.most {
                    let bytes = terms[term]
                    if bytes.allSatisfy(QuerySyntax.isAlphanumeric) { continue }
                    let place = TermPlace(part: UInt32(number), term: UInt32(term))
                    JoinedWord.forEachRun(of: bytes) { range in
                        guard range.count < bytes.count else { return }
                        runs.append(
                            Run(
                                hash: Self.hash(UnsafeBufferPointer(rebasing: bytes[range])),
                                place: place, offset: UInt16(clamping: range.lowerBound)))
                        if range.lowerBound > UInt16.max { isWhole = false }
                    }
                }
            }
            if runs.count > Self.most { isWhole = false }
        }
        if isWhole { runs.sort(by: Run.precedes) }
        self.runs = isWhole ? runs : []
        self.isWhole = isWhole
    }

    /// FNV-1a.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// Calls `body` with each term that has a text as a part, in order, with its place and with the
    /// offset of the first such part; never with a word of letters and digits alone. `run` is where
    /// letters and digits stand between signs in the text. `work` is called for some terms that
    /// have it, and may throw.
    ///
    /// Complexity: logarithmic in the parts, linear in the terms that have the run.
    func forEachTerm(
        with text: UnsafeBufferPointer<UInt8>, run: Range<Int>,
        work: (_ units: Int) throws -> Void,
        _ body: (_ term: UnsafeBufferPointer<UInt8>, _ place: TermPlace, _ offset: Int) throws ->
            Void
    ) rethrows {
        let hash = Self.hash(UnsafeBufferPointer(rebasing: text[run]))
        var last: TermPlace?
        for (number, found) in runs[runs.firstPlace { $0.hash >= hash }...].enumerated() {
            guard found.hash == hash else { return }
            if number & 255 == 255 { try work(256) }
            let start = Int(found.offset) - run.lowerBound
            if found.place == last || start < 0 { continue }
            try parts[Int(found.place.part)].withTerm(Int(found.place.term)) { term in
                let range = start..<(start + text.count)
                guard range.upperBound <= term.count, term[range].elementsEqual(text),
                    JoinedWord.isPart(range, of: term)
                else { return }
                last = found.place
                try body(term, found.place, start)
            }
        }
    }
}

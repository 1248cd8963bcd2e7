/// The terms of a segment that have signs, by the letters and digits between these, and by all of
/// them together: *log*, *txt* and *logtxt* of *log.txt*.
///
/// **Thread safety**: immutable.
struct JoinedTerms: Sendable {
    /// Letters and digits between signs, or all of a term.
    private struct Run {
        var hash: UInt32
        var place: TermPlace
        var offset: UInt16

        /// The offset of all letters and digits: no term is as long.
        static let all = UInt16.max
    }

    private let parts: [VocabularyPart]
    /// By hash, then in the order of terms.
    private let runs: [Run]
    /// Whether all are here.
    let isWhole: Bool

    /// More are not kept: they would take 6 MB.
    private static let most = 3 << 17

    /// Complexity: linear in the terms, and sorts what stands between signs.
    init(_ parts: [VocabularyPart]) {
        self.parts = parts
        var runs: [Run] = []
        var isWhole = true
        for (number, part) in parts.enumerated() where isWhole {
            part.withTerms { terms in
                for term in 0..<part.termCount where runs.count <= Self.most {
                    let bytes = terms[term]
                    guard JoinedWord.isJoined(bytes) else { continue }
                    let place = TermPlace(part: UInt32(number), term: UInt32(term))
                    var (count, all) = (0, Self.noBytes)
                    JoinedWord.forEachRun(of: bytes) { range in
                        guard range.count < bytes.count else { return }
                        let run = UnsafeBufferPointer(rebasing: bytes[range])
                        (count, all) = (count + 1, Self.hash(run, after: all))
                        runs.append(
                            Run(
                                hash: Self.hash(run), place: place,
                                offset: UInt16(clamping: range.lowerBound)))
                    }
                    if count > 1 { runs.append(Run(hash: all, place: place, offset: Run.all)) }
                }
            }
            if runs.count > Self.most { isWhole = false }
        }
        // They come in the order of terms, which this keeps.
        if isWhole { RadixSort.sort(&runs, bitCount: 32) { UInt64($0.hash) } }
        self.runs = isWhole ? runs : []
        self.isWhole = isWhole
    }

    private static let noBytes: UInt32 = 0x811c_9dc5

    /// FNV-1a.
    private static func hash(
        _ bytes: UnsafeBufferPointer<UInt8>, after others: UInt32 = noBytes
    ) -> UInt32 {
        bytes.reduce(others) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// Calls `body` with each term that has a text as a part, or is it but for signs, in order,
    /// with its place and with the first range that is the text; never with a word of letters and
    /// digits alone. `text` has the `runs` of letters and digits, one of which each of these terms
    /// has. `work` is called for some terms that have one, and may throw.
    ///
    /// Complexity: logarithmic in the parts, linear in the terms that have a run.
    func forEachTerm(
        with text: UnsafeBufferPointer<UInt8>, runs wanted: [Range<Int>],
        work: (_ units: Int) throws -> Void,
        _ body: (
            _ term: UnsafeBufferPointer<UInt8>, _ place: TermPlace, _ match: Range<Int>
        ) throws -> Void
    ) rethrows {
        let bytes = Array(text)
        var last: TermPlace?
        func take(_ run: Run, _ start: Int) throws {
            guard run.place != last, start >= 0 else { return }
            try parts[Int(run.place.part)].withTerm(Int(run.place.term)) { term in
                var range = 0..<term.count
                if run.offset == Run.all {
                    guard JoinedWord.isWritten(term, together: bytes) else { return }
                } else {
                    range = start..<(start + bytes.count)
                    guard range.upperBound <= term.count, term[range].elementsEqual(bytes),
                        JoinedWord.isPart(range, of: term)
                    else { return }
                }
                last = run.place
                try body(term, run.place, range)
            }
        }
        var several: [(run: Run, start: Int)] = []
        for run in wanted {
            let hash = Self.hash(UnsafeBufferPointer(rebasing: text[run]))
            let first = runs.firstPlace { $0.hash >= hash }
            for (number, own) in runs[first...].enumerated() {
                guard own.hash == hash else { break }
                if number & 255 == 255 { try work(256) }
                let start = own.offset == Run.all ? 0 : Int(own.offset) - run.lowerBound
                if wanted.count > 1 { several.append((own, start)) } else { try take(own, start) }
            }
        }
        several.sort {
            let (a, b) = ($0.run.place, $1.run.place)
            return a == b ? $0.start < $1.start : a.precedes(b)
        }
        for (run, start) in several { try take(run, start) }
    }
}

/// Neighbouring terms of several memory segments: in each those between the same two.
struct TermSlice: Sendable {
    /// Their numbers in each segment.
    private(set) var terms: [Range<Int>]

    init(allOf segments: [MemorySegment]) { terms = segments.map { 0..<$0.termCount } }

    /// The terms of all segments in two halves, which have about as many postings; nil where there are fewer than `least`.
    ///
    /// They depend on the segments alone, so that what is written does.
    ///
    /// Complexity: logarithmic in the terms of each segment.
    static func halves(
        of segments: [MemorySegment], least: Int
    ) -> (first: TermSlice, second: TermSlice)? {
        // The largest segment stands for all of them.
        guard segments.reduce(0, { $0 + $1.occurrences.count }) >= least,
            let largest = segments.max(by: { $0.occurrences.count < $1.occurrences.count })
        else { return nil }
        let ends = 0..<largest.termCount
        let middle = ends.firstPlace {
            Int(largest.occurrenceEnds[$0]) >= largest.occurrences.count / 2
        }
        guard middle < largest.termCount else { return nil }
        var halves = (first: TermSlice(allOf: segments), second: TermSlice(allOf: segments))
        largest.withTerm(middle) { term in
            for (number, segment) in segments.enumerated() {
                let place = segment.place(of: term).term
                halves.first.terms[number] = 0..<place
                halves.second.terms[number] = place..<segment.termCount
            }
        }
        return halves
    }
}

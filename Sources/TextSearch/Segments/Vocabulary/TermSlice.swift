/// Neighbouring terms of several memory segments: in each those between the same two.
struct TermSlice: Sendable {
    /// Their numbers in each segment.
    private(set) var terms: [Range<Int>]

    init(allOf segments: [MemorySegment]) { terms = segments.map { 0..<$0.terms.count } }

    /// More slices than this make a load no quicker.
    private static let mostSlices = 8

    /// The terms of all segments in slices, which have about as many postings each, `leastPostings`
    /// or more; none where there are no terms.
    ///
    /// They depend on the segments alone, so that what is written does.
    ///
    /// Complexity: logarithmic in the terms of each segment, for each slice.
    static func slices(of segments: [MemorySegment], leastPostings: Int) -> [TermSlice] {
        var rest = TermSlice(allOf: segments)
        // The largest segment stands for all of them.
        guard rest.terms.contains(where: { !$0.isEmpty }),
            let largest = segments.max(by: {
                $0.terms.occurrences.count < $1.terms.occurrences.count
            })
        else { return [] }
        let total = segments.reduce(0) { $0 + $1.terms.occurrences.count }
        let count = min(max(total / max(leastPostings, 1), 1), mostSlices)
        var slices: [TermSlice] = []
        for number in 1..<count {
            let end = (0..<largest.terms.count).firstPlace {
                Int(largest.terms.occurrenceEnds[$0]) >= largest.terms.occurrences.count * number
                    / count
            }
            guard end < largest.terms.count else { break }
            let slice = largest.terms.withTerm(end) { rest.cut(before: $0, segments) }
            if slice.terms.contains(where: { !$0.isEmpty }) { slices.append(slice) }
        }
        return slices + [rest]
    }

    /// Cuts off the terms before one.
    private mutating func cut(
        before term: UnsafeBufferPointer<UInt8>, _ segments: [MemorySegment]
    ) -> TermSlice {
        var slice = self
        for (number, segment) in segments.enumerated() {
            let place = max(segment.terms.place(of: term).term, terms[number].lowerBound)
            slice.terms[number] = terms[number].lowerBound..<place
            terms[number] = place..<segment.terms.count
        }
        return slice
    }
}

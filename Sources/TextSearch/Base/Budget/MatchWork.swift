/// The work of putting together what parts of a query match: some of it may be done after the time
/// is over, so that what was found is of use.
struct MatchWork {
    let clock: SearchClock
    /// Whether what is cut short is of no use.
    var needsAll = false
    /// Whether the memory for it is the search's; what is kept afterwards is a cache's.
    var countsMemory = true

    /// Counts work; whether it has to end, which throws `SearchEnded` where all is needed.
    @inline(__always)
    func isOver(after units: Int) throws -> Bool {
        guard clock.isOver(afterCombining: units) else { return false }
        if needsAll { throw SearchEnded() }
        return true
    }

    // MARK: Sorting

    /// So many elements are sorted in one go.
    private static var pieceSize: Int { 512 }

    /// Sorts, equal elements staying in their order; false when it had to end, and then they are in
    /// no order.
    ///
    /// Complexity: n log r for elements that are r ascending runs one after the other; memory for
    /// as many again.
    func sort<Element: BitwiseCopyable>(
        _ elements: UnsafeMutableBufferPointer<Element>, by precedes: (Element, Element) -> Bool
    ) throws -> Bool {
        var ends = try runs(of: elements, precedes)
        guard ends.count > 1 else { return !ends.isEmpty || elements.isEmpty }
        let bytes = countsMemory ? elements.count * MemoryLayout<Element>.stride : 0
        let share = try MemoryShare(clock, bytes)
        defer { withExtendedLifetime(share) {} }
        var room = Buffer<Element>(capacity: elements.count)
        while ends.count > 1 {
            var start = 0
            var merged: [Int] = []
            for number in stride(from: 0, to: ends.count, by: 2) {
                let end = number + 1 < ends.count ? ends[number + 1] : ends[number]
                let isDone = try merge(
                    elements, start..<ends[number], end, &room, precedes)
                if !isDone { return false }
                merged.append(end)
                start = end
            }
            ends = merged
        }
        return true
    }

    /// Where ascending runs end; short ones are sorted together first. None when it had to end.
    private func runs<Element: BitwiseCopyable>(
        of elements: UnsafeMutableBufferPointer<Element>,
        _ precedes: (Element, Element) -> Bool
    ) throws -> [Int] {
        var ends: [Int] = []
        var start = 0
        var end = 0
        while start < elements.count {
            end = start + 1
            while end < elements.count, !precedes(elements[end], elements[end - 1]) {
                end += 1
                if end & 1_023 == 0, try isOver(after: 1_024) { return [] }
            }
            if end - start < Self.pieceSize, end < elements.count {
                end = min(start + Self.pieceSize, elements.count)
                var piece = UnsafeMutableBufferPointer(rebasing: elements[start..<end])
                piece.sort(by: precedes)
                if try isOver(after: 4 * (end - start)) { return [] }
            }
            ends.append(end)
            start = end
        }
        return ends
    }

    /// Merges two neighbouring runs.
    private func merge<Element: BitwiseCopyable>(
        _ elements: UnsafeMutableBufferPointer<Element>, _ first: Range<Int>, _ end: Int,
        _ room: inout Buffer<Element>, _ precedes: (Element, Element) -> Bool
    ) throws -> Bool {
        guard first.upperBound < end,
            precedes(elements[first.upperBound], elements[first.upperBound - 1])
        else { return true }
        room.removeAll()
        room.append(contentsOf: UnsafeBufferPointer(rebasing: elements[first]))
        return try room.withElements { left in
            var (i, j, output) = (0, first.upperBound, first.lowerBound)
            while i < left.count {
                if j < end, precedes(elements[j], left[i]) {
                    elements[output] = elements[j]
                    j += 1
                } else {
                    elements[output] = left[i]
                    i += 1
                }
                output += 1
                if output & 1_023 == 0, try isOver(after: 1_024) { return false }
            }
            return true
        }
    }
}

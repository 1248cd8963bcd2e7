extension Array where Element == UInt32 {
    /// Those of ascending numbers that lie in a range.
    func part(in range: Range<UInt32>) -> ArraySlice<UInt32> {
        let start = partitionIndex { $0 >= range.lowerBound }
        return self[start..<Swift.max(start, partitionIndex { $0 >= range.upperBound })]
    }

    private func partitionIndex(where isBehind: (UInt32) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ArraySlice where Element == UInt32 {
    /// Whether ascending numbers hold one.
    func holds(_ number: UInt32) -> Bool {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle] == number { return true }
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return false
    }
}

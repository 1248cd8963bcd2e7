extension RandomAccessCollection {
    /// The first place from which on `isBehind` holds; it must not hold before one where it does
    /// not.
    ///
    /// Complexity: logarithmic in the number of elements.
    @inline(__always)
    func firstPlace(where isBehind: (Element) throws -> Bool) rethrows -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try isBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}

extension UnsafeBufferPointer {
    /// The first place from `start` on from which on `isBehind` holds; it must not hold before one
    /// where it does not.
    ///
    /// Complexity: logarithmic in how far that is.
    @inline(__always)
    func firstPlace(from start: Int, where isBehind: (Element) -> Bool) -> Int {
        var (low, step) = (start, 1)
        while low + step <= count, !isBehind(self[low + step - 1]) {
            low += step
            step *= 2
        }
        return self[low..<Swift.min(low + step, count)].firstPlace(where: isBehind)
    }
}

extension Array where Element == UInt32 {
    /// Those of ascending numbers that lie in a range.
    func part(in range: Range<UInt32>) -> ArraySlice<UInt32> { self[...].part(in: range) }

    /// Whether ascending numbers hold one.
    func holds(_ number: UInt32) -> Bool { self[...].holds(number) }
}

extension ArraySlice where Element == UInt32 {
    /// Those of ascending numbers that lie in a range.
    func part(in range: Range<UInt32>) -> ArraySlice<UInt32> {
        let start = firstPlace { $0 >= range.lowerBound }
        return self[start..<Swift.max(start, firstPlace { $0 >= range.upperBound })]
    }

    /// Whether ascending numbers hold one.
    func holds(_ number: UInt32) -> Bool {
        let place = firstPlace { $0 >= number }
        return place < endIndex && self[place] == number
    }
}

extension UInt32 {
    /// 1 if it is less than another one, 0 if not; by arithmetic, of which the compiler makes no
    /// branch.
    @inline(__always)
    func isLess(than other: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(self) &- UInt64(other)) &>> 63)
    }

    /// 1 if both are the same, 0 if not; in the same way.
    @inline(__always)
    func isEqual(to other: UInt32) -> Int { (self ^ other).isLess(than: 1) }
}

extension UnsafeBufferPointer<UInt32> {
    private static var stride: Int { 16 }
    /// As far as strides are quicker than halving: a block of postings.
    private static var mostStrides: Int { 8 }

    /// The place of the first of ascending numbers that is not less than `number`, from a place on.
    ///
    /// In strides, of whose last one the numbers are counted that are less: a branch for each
    /// number would mostly be foreseen wrongly.
    ///
    /// Complexity: logarithmic in how far that is.
    @inline(__always)
    func firstPlace(of number: UInt32, from start: Int) -> Int {
        var low = start
        let far = start &+ Self.stride &* Self.mostStrides
        while low &+ Self.stride <= count, self[low &+ Self.stride &- 1] < number {
            low &+= Self.stride
            if low == far { return farPlace(of: number, from: low) }
        }
        var place = low
        let end = Swift.min(low &+ Self.stride, count)
        while place < end {
            low &+= self[place].isLess(than: number)
            place &+= 1
        }
        return low
    }

    /// The same, where it is likely to be far away.
    @inline(never)
    private func farPlace(of number: UInt32, from start: Int) -> Int {
        var low = start
        var step = 1
        while low + step < count, self[low + step] < number {
            low += step
            step *= 2
        }
        var high = Swift.min(low + step, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

import Foundation

/// Which codes of an attribute's column satisfy a comparison.
///
/// Values are in order, so that a comparison holds for few ranges of codes; lists are looked into.
struct CodeSet {
    /// Of single values, ascending; none touches another.
    private(set) var ranges: [Range<Int>] = []
    /// Whether those match that have the attribute and no value in the ranges.
    private(set) var isInverted = false
    private let column: AttributeColumn
    /// Of single values, where there are many ranges: a bit for each code.
    private var bits: [UInt64] = []

    /// Complexity: logarithmic in the distinct values, for each value of the comparison.
    init(_ operation: AttributeComparison.Operation, _ column: AttributeColumn) {
        self.column = column
        switch operation {
        case .exists: isInverted = true
        case .isIn(let values): ranges = values.map { Self.range(of: $0, column) }
        case .isNotIn(let values):
            isInverted = true
            ranges = values.map { Self.range(of: $0, column) }
        case .range(let bounds): ranges = Self.ranges(of: bounds, column)
        case .isLike(let text): ranges = column.codes(like: text).map { $0..<($0 + 1) }
        case .matches(let pattern):
            let matcher = StringPattern.Matcher(pattern)
            ranges = (1..<(column.valueCount + 1)).filter { code in
                guard case .string(let text) = column.value(of: code) else { return false }
                return matcher.matches(text)
            }.map { $0..<($0 + 1) }
        }
        join()
        guard ranges.count > Self.mostRanges else { return }
        bits = [UInt64](repeating: 0, count: column.valueCount / 64 + 1)
        for range in ranges {
            for code in range { bits[code >> 6] |= 1 << UInt64(code & 63) }
        }
    }

    private static let mostRanges = 4

    private mutating func join() {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                let end = max(last.upperBound, range.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(range)
            }
        }
        ranges = joined
    }

    /// The first code whose value is not before another.
    private static func first(
        _ column: AttributeColumn, where isBehind: (AttributeValue) -> Bool
    ) -> Int {
        (1..<column.valueCount + 1).firstPlace { column.value(of: $0).map(isBehind) ?? false }
    }

    private static func range(of value: AttributeValue, _ column: AttributeColumn) -> Range<Int> {
        let start = first(column) { !($0 < value) }
        return start..<max(start, first(column) { value < $0 })
    }

    private static func ranges(
        of bounds: AttributeBounds, _ column: AttributeColumn
    ) -> [Range<Int>] {
        // What is not a number comes after all numbers, and lies in a range by a rule of its own.
        let notANumber = range(of: .number(.nan), column)
        var found = bounds.contains(.number(.nan)) ? [notANumber] : []
        let lower = bounds.lower.map { lower in
            first(column) { bounds.includesLower ? !($0 < lower) : lower < $0 }
        }
        let upper = bounds.upper.map { upper in
            first(column) { bounds.includesUpper ? upper < $0 : !($0 < upper) }
        }
        let kind = kind(of: bounds, column)
        let start = max(lower ?? kind.lowerBound, kind.lowerBound)
        let end = min(upper ?? kind.upperBound, kind.upperBound)
        guard start < end else { return found }
        // Cut in two around what is not a number.
        let before = start..<min(max(notANumber.lowerBound, start), end)
        let behind = max(min(notANumber.upperBound, end), start)..<end
        found += notANumber.isEmpty ? [start..<end] : [before, behind]
        return found
    }

    /// The codes of the values that compare with both bounds.
    private static func kind(of bounds: AttributeBounds, _ column: AttributeColumn) -> Range<Int> {
        var range = 1..<(column.valueCount + 1)
        for bound in [bounds.lower, bounds.upper] {
            guard let bound else { continue }
            let start = first(column) { $0.isComparable(to: bound) || bound < $0 }
            let end = first(column) { !$0.isComparable(to: bound) && bound < $0 }
            let own = start..<max(start, end)
            range = range.clamped(to: own)
        }
        return range
    }

    /// Whether a code satisfies the comparison.
    @inline(__always)
    func contains(_ code: Int) -> Bool {
        guard code > 0 else { return false }
        if code <= column.valueCount { return holds(code) != isInverted }
        return column.hasMember(code, where: holds) != isInverted
    }

    @inline(__always)
    private func holds(_ code: Int) -> Bool {
        if !bits.isEmpty { return bits[code >> 6] >> UInt64(code & 63) & 1 != 0 }
        for range in ranges where range.contains(code) { return true }
        return false
    }

    // MARK: All documents

    /// A bit for each document of the segment.
    ///
    /// - Throws: `SearchEnded` where `isOver`, which counts work, says so.
    func words(_ isOver: (Int) -> Bool) throws -> [UInt64] {
        switch column.codes {
        case .narrow(let codes): try words(codes, isOver)
        case .medium(let codes): try words(codes, isOver)
        case .wide(let codes): try words(codes, isOver)
        }
    }

    private func words<Code: FixedWidthInteger & UnsignedInteger>(
        _ codes: [Code], _ isOver: (Int) -> Bool
    ) throws -> [UInt64] {
        // One range is told by one comparison; so is all but no value.
        if !column.hasLists, ranges.count <= 1, !isInverted || ranges.isEmpty {
            let all = 1..<(column.valueCount + 1)
            let range = isInverted ? all : ranges.first ?? 0..<0
            guard !range.isEmpty else {
                return [UInt64](repeating: 0, count: (codes.count + 63) / 64)
            }
            let first = Code(truncatingIfNeeded: range.lowerBound)
            let length = Code(truncatingIfNeeded: range.count - 1)
            return try Self.words(codes, isOver, 16) { $0 &- first <= length }
        }
        return try Self.words(codes, isOver, column.hasLists ? 2 : 8) { contains(Int($0)) }
    }

    /// `isWanted` is asked for so many codes in a unit of work.
    @inline(__always)
    private static func words<Code: FixedWidthInteger>(
        _ codes: [Code], _ isOver: (Int) -> Bool, _ codesPerUnit: Int,
        _ isWanted: (Code) -> Bool
    ) throws -> [UInt64] {
        let stretch = SearchClock.unitsPerCheck * codesPerUnit
        var words: [UInt64] = []
        words.reserveCapacity((codes.count + 63) / 64)
        try codes.withUnsafeBufferPointer { codes in
            var start = 0
            while start < codes.count {
                if start % stretch == 0 {
                    let next = min(stretch, codes.count - start)
                    if isOver(next / codesPerUnit + 1) { throw SearchEnded() }
                }
                let end = min(start + 64, codes.count)
                var word: UInt64 = 0
                for place in start..<end {
                    word |= (isWanted(codes[place]) ? 1 : 0) &<< UInt64(place & 63)
                }
                words.append(word)
                start = end
            }
        }
        return words
    }
}

/// Numbers of shards, as texts name them: `0-19`, `20-`, `3,7,10-12`.
package struct ShardNumbers: Hashable, Sendable, CustomStringConvertible {
    /// Ranges in ascending order that do not touch; the last may have no end.
    private var ranges: [ClosedRange<Int>]

    /// More shards than any set has.
    private static let end = 1 << 20

    /// All shards.
    package static let all = ShardNumbers(ranges: [0...end])

    private init(ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    /// These numbers alone.
    package init(_ numbers: some Sequence<Int>) {
        ranges = []
        for number in numbers.sorted() {
            if let last = ranges.last, number <= last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(number, last.upperBound)
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// Nil for a text that names no shards, or one of them twice.
    package init?(argument: String) {
        ranges = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        for (range, next) in zip(ranges, ranges.dropFirst()) where range.overlaps(next) {
            return nil
        }
        var joined: [ClosedRange<Int>] = []
        for range in ranges {
            if let last = joined.last, last.upperBound + 1 == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound...range.upperBound
            } else {
                joined.append(range)
            }
        }
        ranges = joined
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(ends.count), let first = number(ends[0]) else { return nil }
        if ends.count == 1 { return first...first }
        if ends[1].isEmpty { return first...end }
        guard let last = number(ends[1]), first <= last else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...6).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text)
        else { return nil }
        return number
    }

    /// Whether no number is among them.
    package var isEmpty: Bool { ranges.isEmpty }

    /// Whether a number is among them.
    package func contains(_ number: Int) -> Bool { ranges.contains { $0.contains(number) } }

    /// Whether some numbers are among both.
    package func overlaps(_ other: ShardNumbers) -> Bool {
        ranges.contains { range in other.ranges.contains { $0.overlaps(range) } }
    }

    /// Whether some shards of a set are among them, and, but for those without an end, no others.
    package func areOfSet(of count: Int) -> Bool {
        guard let last = ranges.last, !numbers(of: count).isEmpty else { return false }
        return last.upperBound < count || last.upperBound >= Self.end && last.lowerBound < count
    }

    /// Those of the shards of a set, in ascending order.
    package func numbers(of count: Int) -> [Int] {
        ranges.flatMap { range in
            range.lowerBound < count ? Array(range.clamped(to: 0...(count - 1))) : []
        }
    }

    /// As it is read.
    package var description: String {
        ranges.map { range in
            if range.upperBound >= Self.end { return "\(range.lowerBound)-" }
            return range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }.joined(separator: ",")
    }
}

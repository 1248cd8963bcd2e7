internal import Foundation

/// How the numbers and dates of some objects are spread, and the ranges with round bounds that they
/// make.
struct FacetSpread {
    private var numbers = ValueSpread()
    /// Seconds since the reference date.
    private var dates = ValueSpread()

    // MARK: Values

    /// Adds the values of some documents of a segment, the first of which has the number `first`.
    ///
    /// - Throws: `SearchEnded` when the time is over.
    mutating func add(
        _ column: AttributeColumn, _ documents: ArraySlice<UInt32>, first: UInt32,
        _ clock: SearchClock
    ) throws {
        let numbers = Self.codes(column, to: .greatestFiniteMagnitude) { .number($0) }
        let dates = Self.codes(column, to: CivilTime.furthest.nextDown) {
            .date(Date(timeIntervalSinceReferenceDate: $0))
        }
        let share = try MemoryShare(clock, (numbers.count + dates.count) * 4)
        defer { withExtendedLifetime(share) {} }
        var numberCounts = [UInt32](repeating: 0, count: numbers.count)
        var dateCounts = [UInt32](repeating: 0, count: dates.count)
        var start = documents.startIndex
        while start < documents.endIndex {
            let end = min(start + (1 << 14), documents.endIndex)
            try clock.work((end - start) / 16 + 1)
            var others: [Int] = []
            column.forEachCode(of: documents[start..<end], first: first) { _, code in
                if numbers.contains(code) {
                    numberCounts[code - numbers.lowerBound] += 1
                } else if dates.contains(code) {
                    dateCounts[code - dates.lowerBound] += 1
                } else if code > column.valueCount {
                    others.append(code)
                }
            }
            for code in others { column.forEachValue(of: code) { add($0) } }
            start = end
        }
        try Self.add(numberCounts, column, from: numbers.lowerBound, to: &self.numbers, clock)
        try Self.add(dateCounts, column, from: dates.lowerBound, to: &self.dates, clock)
    }

    /// Of the values of a kind that are so far from 0 at most.
    private static func codes(
        _ column: AttributeColumn, to most: Double, _ value: (Double) -> AttributeValue
    ) -> Range<Int> {
        let bounds = AttributeBounds(lower: value(-most), upper: value(most))
        return CodeSet(.range(bounds), column).ranges.first ?? 0..<0
    }

    /// Adds values by how often each code is there. Codes are in the order of their values: only
    /// the ends of each bin are looked at.
    private static func add(
        _ counts: [UInt32], _ column: AttributeColumn, from first: Int,
        to spread: inout ValueSpread, _ clock: SearchClock
    ) throws {
        func number(_ place: Int) -> Double {
            column.value(of: first + place).flatMap(Self.number) ?? .nan
        }
        var place = 0
        while let least = counts[place...].firstIndex(where: { $0 > 0 }) {
            let value = number(least)
            let bin = ValueSpread.bin(of: value)
            place = (least + 1..<counts.count).firstPlace { ValueSpread.bin(of: number($0)) > bin }
            let bins = counts[least..<place]
            try clock.work(bins.count / 16 + 1)
            let greatest = bins.lastIndex { $0 > 0 } ?? least
            guard value.isFinite else { continue }
            spread.add(bins.reduce(0) { $0 + Int($1) }, value, number(greatest))
        }
    }

    /// A finite number, or the seconds of a date that lies in a period; nil for any other value.
    private static func number(_ value: AttributeValue) -> Double? {
        switch value {
        case .number(let number): return number.isFinite ? number : nil
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            return abs(seconds) < CivilTime.furthest ? seconds : nil
        default: return nil
        }
    }

    private mutating func add(_ value: AttributeValue) {
        guard let number = Self.number(value) else { return }
        if case .date = value { dates.add(number) } else { numbers.add(number) }
    }

    /// Adds the values of other objects.
    mutating func add(_ other: FacetSpread) {
        numbers.add(other.numbers)
        dates.add(other.dates)
    }

    // MARK: Ranges

    /// Bounds are kept in memory.
    private static let mostRanges = 10_000

    /// How to count; nil where there are neither numbers nor dates.
    func kind(atMost count: Int, _ timeZone: TimeZone) -> Facet.Kind? {
        // There is room for what lies far away at both ends, and for two ranges between: no one
        // range with round bounds has numbers below and above 0.
        let withoutFar = count > 3
        let count = min(count, Self.mostRanges)
        if let range = numbers.range(withoutFar: withoutFar) {
            let step = RoundStep(cutting: range.numbers, atMost: count - range.cutCount)
            return .cuts(step?.multiples(around: range.numbers) ?? [], ofDates: false)
        }
        return dates.range(withoutFar: withoutFar).map {
            var cuts = Self.periods($0.numbers, count - $0.cutCount, timeZone)
            // Other years than 1 to 9999 have no name in text: what lies there has no bound.
            cuts.removeAll { !(-63_113_904_000..<252_423_993_600).contains($0) }
            return .cuts(cuts, ofDates: true)
        }
    }

    /// The bounds of the shortest periods of which no more than `count` have all dates in them.
    private static func periods(
        _ range: ClosedRange<Double>, _ count: Int, _ timeZone: TimeZone
    ) -> [Double] {
        let ends = [range.lowerBound, range.upperBound].map {
            Date(timeIntervalSinceReferenceDate: $0)
        }
        let days: [(FacetPeriod, days: Double)] = [
            (.hour, 1.0 / 24), (.day, 1), (.week, 7), (.month, 30.4), (.quarter, 91.3),
            (.year, 365.2),
        ]
        let span = (range.upperBound - range.lowerBound) / 86_400
        for (period, days) in days where span / days <= Double(count) + 1 {
            var civil = CivilTime(period, timeZone)
            guard let first = civil.period(of: ends[0]).flatMap({ civil.range(of: $0) }),
                case .date(let start)? = first.lower, case .date(var end)? = first.upper
            else { continue }
            var bounds = [start, end]
            while end <= ends[1], bounds.count <= count {
                guard let next = civil.period(of: end).flatMap({ civil.range(of: $0) }),
                    case .date(let upper)? = next.upper, upper > end
                else { break }
                bounds.append(upper)
                end = upper
            }
            if end > ends[1] { return bounds.map(\.timeIntervalSinceReferenceDate) }
        }
        return years(ends[0], ends[1], count, timeZone)
    }

    private static func years(
        _ first: Date, _ last: Date, _ count: Int, _ timeZone: TimeZone
    ) -> [Double] {
        var civil = CivilTime(.year, timeZone)
        let years = [first, last].compactMap { civil.year(of: $0) }
        guard years.count == 2 else { return [] }
        let range = Double(years[0])...Double(max(years[0], years[1]))
        let step = RoundStep(cutting: range, atMost: count)
        return step?.multiples(around: range).map {
            civil.start(ofYear: Int($0)).timeIntervalSinceReferenceDate
        } ?? []
    }
}

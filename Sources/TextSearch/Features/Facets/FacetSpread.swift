internal import Foundation

/// The least and the greatest number and date of some objects, and the ranges with round bounds
/// that they make.
struct FacetSpread {
    private(set) var numbers: ClosedRange<Double>?
    /// Seconds since the reference date.
    private(set) var dates: ClosedRange<Double>?

    // MARK: Values

    /// Adds the values of some documents of a segment, the first of which has the number `first`.
    ///
    /// - Throws: `SearchEnded` when the time is over.
    mutating func add(
        _ column: AttributeColumn, _ documents: ArraySlice<UInt32>, first: UInt32,
        _ clock: SearchClock
    ) throws {
        var (least, greatest) = (Int.max, 0)
        let dates = Self.codes(column) { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        var (leastDate, greatestDate) = (Int.max, 0)
        let numbers = Self.codes(column) { .number($0) }
        var start = documents.startIndex
        while start < documents.endIndex {
            let end = min(start + (1 << 14), documents.endIndex)
            try clock.work((end - start) / 16 + 1)
            var others: [Int] = []
            column.forEachCode(of: documents[start..<end], first: first) { _, code in
                if numbers.contains(code) {
                    least = min(least, code)
                    greatest = max(greatest, code)
                } else if dates.contains(code) {
                    leastDate = min(leastDate, code)
                    greatestDate = max(greatestDate, code)
                } else if code > column.valueCount {
                    others.append(code)
                }
            }
            for code in others { column.forEachValue(of: code) { add($0) } }
            start = end
        }
        for code in [least, greatest, leastDate, greatestDate] {
            guard code >= 1, code <= column.valueCount else { continue }
            if let value = column.value(of: code) { add(value) }
        }
    }

    /// Of all finite values of a kind.
    private static func codes(
        _ column: AttributeColumn, _ value: (Double) -> AttributeValue
    ) -> Range<Int> {
        let (least, greatest) = (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
        let bounds = AttributeBounds(lower: value(least), upper: value(greatest))
        return CodeSet(.range(bounds), column).ranges.first ?? 0..<0
    }

    private mutating func add(_ value: AttributeValue) {
        switch value {
        case .number(let number) where number.isFinite: numbers = Self.wider(numbers, number)
        case .date(let date)
        where abs(date.timeIntervalSinceReferenceDate) < CivilTime.furthest:
            dates = Self.wider(dates, date.timeIntervalSinceReferenceDate)
        default: break
        }
    }

    /// Adds the values of other objects.
    mutating func add(_ other: FacetSpread) {
        for number in [other.numbers?.lowerBound, other.numbers?.upperBound].compactMap(\.self) {
            numbers = Self.wider(numbers, number)
        }
        for date in [other.dates?.lowerBound, other.dates?.upperBound].compactMap(\.self) {
            dates = Self.wider(dates, date)
        }
    }

    private static func wider(_ range: ClosedRange<Double>?, _ value: Double) -> ClosedRange<Double>
    {
        guard let range else { return value...value }
        return min(range.lowerBound, value)...max(range.upperBound, value)
    }

    // MARK: Ranges

    /// How to count; nil where there are neither numbers nor dates.
    func kind(atMost count: Int, _ timeZone: TimeZone) -> Facet.Kind? {
        if let numbers { return .histogram(interval: Self.interval(numbers, count), origin: 0) }
        return dates.map { Self.periods($0, count, timeZone) }
    }

    /// The least of 1, 2 or 5 times a power of ten whose multiples cut a range in no more than
    /// `count`.
    static func interval(_ range: ClosedRange<Double>, _ count: Int) -> Double {
        let (least, greatest) = (range.lowerBound, range.upperBound)
        // Halved, so that the difference is finite.
        let width = (greatest / 2 - least / 2) / Double(count) * 2
        guard width > 0, width.isFinite else { return 1 }
        var exponent = log10(width).rounded(.down) - 1
        while exponent < 308 {
            for factor in [1.0, 2, 5] {
                let interval =
                    exponent < 0 ? factor / pow(10, -exponent) : factor * pow(10, exponent)
                guard interval > 0, interval.isFinite else { continue }
                let pieces =
                    (greatest / interval).rounded(.down) - (least / interval).rounded(.down) + 1
                if pieces <= Double(count) { return interval }
            }
            exponent += 1
        }
        // From one end of all numbers to the other.
        return .greatestFiniteMagnitude
    }

    /// The shortest periods of which no more than `count` have all dates in them.
    private static func periods(
        _ range: ClosedRange<Double>, _ count: Int, _ timeZone: TimeZone
    ) -> Facet.Kind {
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
                case .date(var end)? = first.upper
            else { continue }
            var pieces = 1
            while end <= ends[1], pieces <= count {
                guard let next = civil.period(of: end).flatMap({ civil.range(of: $0) }),
                    case .date(let upper)? = next.upper, upper > end
                else { break }
                pieces += 1
                end = upper
            }
            if pieces <= count, end > ends[1] { return .dates(period, timeZone) }
        }
        return .ranges(years(ends[0], ends[1], count, timeZone))
    }

    private static func years(
        _ first: Date, _ last: Date, _ count: Int, _ timeZone: TimeZone
    ) -> [FacetRange] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let years = [first, last].map { date in
            // Years before the first one count down from 0.
            let parts = calendar.dateComponents([.era, .year], from: date)
            let year = parts.year ?? 1
            return Double(parts.era == 0 ? 1 - year : year)
        }
        let step = max(interval(years[0]...years[1], count), 1)
        var ranges: [FacetRange] = []
        var year = (years[0] / step).rounded(.down) * step
        while year <= years[1], ranges.count < count {
            ranges.append(
                FacetRange(
                    from: start(of: year, calendar), to: start(of: year + step, calendar)))
            year += step
        }
        return ranges
    }

    private static func start(of year: Double, _ calendar: Calendar) -> AttributeValue? {
        let parts = DateComponents(
            era: year > 0 ? 1 : 0, year: Int(year > 0 ? year : 1 - year), month: 1, day: 1)
        return calendar.date(from: parts).map { .date($0) }
    }
}

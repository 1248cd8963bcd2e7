import Foundation

/// Finds the period of the Gregorian calendar that a moment lies in.
///
/// The difference between a time zone and UTC is asked for once a day, where it is the same at both
/// ends of the day.
struct CivilTime {
    struct Period: Hashable {
        /// Seconds since 1970, of UTC or of local time.
        var start: Int
        var end: Int
        var isLocal: Bool
    }

    private let period: FacetPeriod
    private let timeZone: TimeZone
    private let isGMT: Bool
    private var offsets: [Int: Int?] = [:]
    /// Moments further away than this, some 30 million years, lie in no period.
    static let furthest = 1e15

    init(_ period: FacetPeriod, _ timeZone: TimeZone) {
        self.period = period
        self.timeZone = timeZone
        isGMT = timeZone == .gmt
    }

    /// The period of a moment; nil where there is none.
    mutating func period(of date: Date) -> Period? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < Self.furthest else { return nil }
        let unix = Int(seconds.rounded(.down)) + AttributeText.referenceSeconds
        let offset = offset(at: unix)
        if period == .hour {
            // An hour that comes twice, when clocks are put back, is two.
            let start = Self.floor(unix + offset, 3600) * 3600 - offset
            return Period(start: start, end: start + 3600, isLocal: false)
        }
        let days = days(around: Self.floor(unix + offset, 86_400))
        return Period(
            start: days.lowerBound * 86_400, end: days.upperBound * 86_400, isLocal: true)
    }

    /// The moments at which a period begins and ends.
    mutating func range(of period: Period) -> FacetRange {
        FacetRange(
            from: .date(date(period.start, isLocal: period.isLocal)),
            to: .date(date(period.end, isLocal: period.isLocal)))
    }

    /// The year of a moment, in periods of years.
    mutating func year(of date: Date) -> Int? {
        period(of: date).map { AttributeText.civil(days: Self.floor($0.start, 86_400)).year }
    }

    /// The moment at which a year begins.
    mutating func start(ofYear year: Int) -> Date {
        date(AttributeText.days(year: year, month: 1, day: 1) * 86_400, isLocal: true)
    }

    private func days(around day: Int) -> Range<Int> {
        switch period {
        case .hour, .day: return day..<(day + 1)
        case .week:
            // 1970 began on a Thursday.
            let monday = Self.floor(day + 3, 7) * 7 - 3
            return monday..<(monday + 7)
        case .month, .quarter, .year:
            let (year, month, _) = AttributeText.civil(days: day)
            let length = period == .month ? 1 : period == .quarter ? 3 : 12
            let first = (month - 1) / length * length + 1
            let end = first + length
            return AttributeText.days(
                year: year, month: first, day: 1)..<AttributeText.days(
                    year: end > 12 ? year + 1 : year, month: end > 12 ? end - 12 : end, day: 1)
        }
    }

    private mutating func date(_ seconds: Int, isLocal: Bool) -> Date {
        var unix = seconds
        if isLocal {
            // The difference is that of the moment, which is looked for with one that is about
            // right.
            unix = seconds - offset(at: seconds)
            unix = seconds - offset(at: unix)
        }
        return Date(timeIntervalSinceReferenceDate: Double(unix - AttributeText.referenceSeconds))
    }

    private mutating func offset(at unix: Int) -> Int {
        if isGMT { return 0 }
        let day = Self.floor(unix, 86_400)
        if let known = offsets[day] { return known ?? asked(unix) }
        let first = asked(day * 86_400)
        let isOne = first == asked((day + 1) * 86_400)
        offsets[day] = .some(isOne ? first : nil)
        return isOne ? first : asked(unix)
    }

    private func asked(_ unix: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(unix)))
    }

    private static func floor(_ a: Int, _ b: Int) -> Int {
        a >= 0 ? a / b : -((b - 1 - a) / b)
    }
}

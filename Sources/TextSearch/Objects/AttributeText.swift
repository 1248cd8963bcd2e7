internal import Foundation

/// Attribute values as query text writes them.
///
/// `true`, `false`, numbers, `2024-05-01T12:30:00Z`, `@5.25` (seconds since 2001-01-01 UTC) and
/// `"quoted strings"`; any other bare word is a string too.
enum AttributeText {
    /// What a bare word of query text means as a value.
    enum Meaning: Hashable {
        case value(AttributeValue)
        /// A day or a month: all moments of it, in UTC.
        case span(Range<Date>)
    }

    static func meaning(of word: String) -> Meaning {
        switch word {
        case "true": return .value(.bool(true))
        case "false": return .value(.bool(false))
        case "NaN": return .value(.number(.nan))
        case "Infinity": return .value(.number(.infinity))
        case "-Infinity": return .value(.number(-.infinity))
        default: break
        }
        if let number = number(word) { return .value(.number(number)) }
        if word.first == "@" {
            let rest = String(word.dropFirst())
            if let seconds = number(rest)
                ?? (["nan", "inf", "-inf"].contains(rest) ? Double(rest) : nil)
            {
                return .value(.date(Date(timeIntervalSinceReferenceDate: seconds)))
            }
        }
        return date(word) ?? WrittenDate.meaning(word) ?? .value(.string(word))
    }

    /// All that a bare word of query text means: a number may be a year or seconds since 1970, too.
    static func meanings(of word: String) -> [Meaning] {
        [meaning(of: word)] + (moments(ofNumber: word).map { [$0] } ?? [])
    }

    /// What a whole number without a sign means as a date: of four digits a year, of nine and more
    /// a second or millisecond since 1970.
    static func moments(ofNumber word: String) -> Meaning? {
        if let year = year(word) { return .span(year) }
        guard (9...15).contains(word.utf8.count), word.utf8.allSatisfy(QuerySyntax.isDigit),
            let number = Double(word)
        else { return nil }
        return date(sinceEpoch: number).map { .value(.date($0)) }
    }

    /// Seconds since 1970-01-01 UTC; milliseconds from 1e11 on, as JavaScript has them: as seconds
    /// these are after the year 5138. Nil from 1e15 on: these are microseconds or finer.
    static func date(sinceEpoch number: Double) -> Date? {
        guard abs(number) < 1e15 else { return nil }
        let reference = Double(referenceSeconds)
        return Date(
            timeIntervalSinceReferenceDate: abs(number) < 1e11
                ? number - reference : (number - reference * 1_000) / 1_000)
    }

    /// The moment or day that a quoted text of a query names, without a comment. Only one with a
    /// space: others are dates without quotation marks, and in them text.
    static func writtenDate(_ text: String) -> Meaning? {
        let isPlain = text.utf8.allSatisfy {
            QuerySyntax.isAlphanumeric($0) || " ,:+-/.".utf8.contains($0)
        }
        return isPlain && text.contains(" ") ? date(text) ?? WrittenDate.meaning(text) : nil
    }

    /// A decimal number, without the hexadecimal and special forms that `Double` also reads.
    static func number(_ word: String) -> Double? {
        let bytes = word.utf8
        guard let first = bytes.first, first != UInt8(ascii: "+"), bytes.count <= 64,
            bytes.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }),
            bytes.contains(where: { (48...57).contains($0) }), let value = Double(word),
            value.isFinite
        else { return nil }
        return value
    }

    static func text(_ value: AttributeValue) -> String {
        switch value {
        case .bool(let value): return value ? "true" : "false"
        case .number(let value): return text(value)
        case .date(let date): return text(date)
        case .string(let string): return QuerySyntax.quoted(string)
        // Not query text: comparisons hold no arrays in normal form.
        case .array(let values): return "[\(values.map { text($0) }.joined(separator: ", "))]"
        }
    }

    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        // Whole numbers up to here print without exponent, and Int holds them.
        if number == number.rounded(), abs(number) < 1e15 { return "\(Int(number))" }
        return "\(number)"
    }

    // MARK: Dates

    /// Seconds from 1970-01-01 to 2001-01-01, UTC.
    static let referenceSeconds = 978_307_200

    /// The number of days from 1970-01-01 to a date of the Gregorian calendar, by Howard Hinnant's
    /// `days_from_civil`.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The inverse of ``days(year:month:day:)``.
    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The moments from the beginning of a day up to that of another one.
    static func span(from first: Int, upTo end: Int) -> Range<Date> {
        func midnight(_ day: Int) -> Date {
            Date(timeIntervalSinceReferenceDate: Double(day * 86_400 - referenceSeconds))
        }
        return midnight(first)..<midnight(end)
    }

    /// The year that four digits name.
    static func year(_ word: String) -> Range<Date>? {
        guard word.utf8.count == 4, word.utf8.allSatisfy(QuerySyntax.isDigit),
            let year = Int(word), year >= 1
        else { return nil }
        return span(
            from: days(year: year, month: 1, day: 1), upTo: days(year: year + 1, month: 1, day: 1))
    }

    /// Reads `YYYY-MM`, or `YYYY-MM-DD` with an optional `THH:MM[:SS[.fff]]` and `Z`, `±HH:MM` or
    /// `±HHMM`; UTC without. A space may stand for the T, and a leap second is that after it.
    static func date(_ word: String) -> Meaning? {
        var scanner = DigitScanner(Array(word.utf8))
        guard word.utf8.count <= 40, let year = scanner.digits(4), scanner.skip("-"),
            let month = scanner.digits(2), (1...12).contains(month), year >= 1
        else { return nil }
        if scanner.isAtEnd {
            return .span(
                span(
                    from: days(year: year, month: month, day: 1),
                    upTo: days(year: month < 12 ? year : year + 1, month: month % 12 + 1, day: 1)))
        }
        guard scanner.skip("-"), let day = scanner.digits(2), (1...31).contains(day)
        else { return nil }
        let dayNumber = days(year: year, month: month, day: day)
        guard civil(days: dayNumber).month == month else { return nil }
        let midnight = dayNumber * 86_400 - referenceSeconds
        if scanner.isAtEnd { return .span(span(from: dayNumber, upTo: dayNumber + 1)) }
        guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.digits(2), hour < 24,
            scanner.skip(":"),
            let minute = scanner.digits(2), minute < 60
        else { return nil }
        var seconds = midnight + hour * 3_600 + minute * 60
        var fraction = 0.0
        if scanner.skip(":") {
            guard let second = scanner.digits(2), second <= 60 else { return nil }
            seconds += second
            if scanner.skip(".") {
                guard let value = scanner.fraction() else { return nil }
                fraction = value
            }
        }
        if !scanner.skip("Z"), !scanner.isAtEnd {
            let isWest = scanner.skip("-")
            guard isWest || scanner.skip("+"), let hours = scanner.digits(2), hours < 24
            else { return nil }
            _ = scanner.skip(":")
            guard let minutes = scanner.digits(2), minutes < 60 else { return nil }
            seconds -= (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
        }
        guard scanner.isAtEnd else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
        return .value(.date(date))
    }

    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let fallback = "@\(seconds)"
        // Years 1 to 9999; it also keeps the conversion to Int from overflowing.
        guard seconds > -63_113_904_001, seconds < 252_423_993_600 else { return fallback }
        let whole = Int(seconds.rounded(.down))
        let milliseconds = Int(((seconds - Double(whole)) * 1_000).rounded())
        let unix = whole + referenceSeconds
        let dayNumber = unix >= 0 ? unix / 86_400 : (unix - 86_399) / 86_400
        let second = unix - dayNumber * 86_400
        let (year, month, day) = civil(days: dayNumber)
        guard year >= 1, milliseconds < 1_000 else { return fallback }
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
        text +=
            "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if milliseconds > 0 { text += ".\(padded(milliseconds, 3))" }
        text += "Z"
        // Moments finer than milliseconds would be changed.
        return self.date(text) == .value(.date(date)) ? text : fallback
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// Reads fixed numbers of digits.
private struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        position += count
        return value
    }

    /// One to nine digits after a point.
    mutating func fraction() -> Double? {
        var value = 0
        var scale = 1
        while position < bytes.count, (48...57).contains(bytes[position]) {
            guard scale < 1_000_000_000 else { return nil }
            value = value * 10 + Int(bytes[position] - 48)
            scale *= 10
            position += 1
        }
        return scale > 1 ? Double(value) / Double(scale) : nil
    }
}

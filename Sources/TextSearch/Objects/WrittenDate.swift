import Foundation

/// Dates as people, mail and programs write them, in forms that are not ambiguous: a day and a
/// month of two numbers are read only where the year is first or dots are between them.
///
/// | form | of |
/// |---|---|
/// | `Wed, 1 May 2024 12:30:00 +0200` | mail: RFC 5322, which follows RFC 2822 |
/// | `May 1, 2024 12:30 PM` | people |
/// | `Wed May  1 12:30:00 2024` | `asctime`; `date`, with a zone before the year |
/// | `2024/05/01 12:30` | programs |
/// | `01.05.2024 12:30` | people: the day is first |
enum WrittenDate {
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    /// Zones by name, in hours. In mail any other name says nothing: UTC.
    private static let zones = [
        "utc": 0, "gmt": 0, "ut": 0, "z": 0,
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    /// The moment, or the day where there is no time; nil for any other text.
    static func meaning(_ text: String) -> AttributeText.Meaning? {
        guard text.utf8.count <= 64 else { return nil }
        var words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)[...]
        if let first = words.first, place(of: first, in: weekdays) != nil { words.removeFirst() }
        guard let first = words.popFirst() else { return nil }
        let isMail = number(first, 1...2) != nil
        var time: Int?
        let day: Int?
        if let month = place(of: first, in: months) {
            let number = self.number(words.popFirst(), 1...2)
            if words.first?.contains(":") == true {
                time = self.time(&words, anyZone: false)
                if time == nil { return nil }
            }
            day = self.day(self.number(words.popFirst(), 4...4), month + 1, number)
        } else {
            day = self.day(first, &words)
        }
        if time == nil, let next = words.first, !next.hasPrefix("(") {
            time = self.time(&words, anyZone: isMail)
            if time == nil { return nil }
        }
        // Only a comment in parentheses may follow.
        guard let day, words.first.map({ $0.hasPrefix("(") }) ?? true else { return nil }
        guard let time else { return .span(AttributeText.span(from: day, upTo: day + 1)) }
        let seconds = day * 86_400 - AttributeText.referenceSeconds + time
        return .value(.date(Date(timeIntervalSinceReferenceDate: Double(seconds))))
    }

    // MARK: Days

    /// A day that begins with a number: `1 May 2024`, `2024/05/01` or `01.05.2024`.
    private static func day(_ first: String, _ words: inout ArraySlice<String>) -> Int? {
        let slashed = first.split(separator: "/", omittingEmptySubsequences: false)
        if slashed.count == 3 {
            return day(
                number(String(slashed[0]), 4...4), number(String(slashed[1]), 1...2),
                number(String(slashed[2]), 1...2))
        }
        let dotted = first.split(separator: ".", omittingEmptySubsequences: false)
        if dotted.count == 3 {
            return day(
                number(String(dotted[2]), 4...4), number(String(dotted[1]), 1...2),
                number(String(dotted[0]), 1...2))
        }
        guard let name = words.popFirst(), let month = place(of: name, in: months) else {
            return nil
        }
        return day(year(words.popFirst()), month + 1, number(first, 1...2))
    }

    /// The number of days from 1970-01-01; nil where there is no such day.
    private static func day(_ year: Int?, _ month: Int?, _ day: Int?) -> Int? {
        guard let year, year >= 1, let month, (1...12).contains(month), let day,
            (1...31).contains(day)
        else { return nil }
        let number = AttributeText.days(year: year, month: month, day: day)
        return AttributeText.civil(days: number).month == month ? number : nil
    }

    /// Of two digits those of 1950 to 2049, of three those after 1900: the obsolete forms of mail.
    private static func year(_ text: String?) -> Int? {
        guard let text, let year = number(text, 2...4) else { return nil }
        switch text.utf8.count {
        case 2: return year < 50 ? year + 2000 : year + 1900
        case 3: return year + 1900
        default: return year
        }
    }

    /// The place of a name that a word is, or is the beginning of: `may`, `sept.`.
    private static func place(of word: String, in names: [String]) -> Int? {
        let word = word.hasSuffix(".") ? String(word.dropLast()) : word
        return word.utf8.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }
    }

    private static func number(_ text: String?, _ digits: ClosedRange<Int>) -> Int? {
        guard let text, digits.contains(text.utf8.count),
            text.utf8.allSatisfy(QuerySyntax.isDigit)
        else { return nil }
        return Int(text)
    }

    // MARK: Times

    /// Reads a time with its half of the day and its zone, if they are there: the seconds of the
    /// day in UTC.
    private static func time(_ words: inout ArraySlice<String>, anyZone: Bool) -> Int? {
        guard let word = words.popFirst(), var seconds = secondsOfDay(word) else { return nil }
        if let half = words.first, half == "am" || half == "pm" {
            words.removeFirst()
            guard (3_600..<13 * 3_600).contains(seconds) else { return nil }
            seconds = seconds % (12 * 3_600) + (half == "pm" ? 12 * 3_600 : 0)
        }
        // A number is the year of `asctime`.
        guard let zone = words.first, number(zone, 4...4) == nil, !zone.hasPrefix("(") else {
            return seconds
        }
        words.removeFirst()
        return offset(zone, any: anyZone).map { seconds - $0 }
    }

    private static func secondsOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { number(String($0), 1...2) }
        // A leap second is that after it.
        guard numbers.count == parts.count, numbers[0] < 24, numbers[1] < 60,
            numbers.last ?? 0 <= 60
        else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    }

    private static func offset(_ zone: String, any: Bool) -> Int? {
        if let sign = zone.first, sign == "+" || sign == "-" {
            guard let number = number(String(zone.dropFirst()), 4...4), number % 100 < 60 else {
                return nil
            }
            return (sign == "-" ? -1 : 1) * (number / 100 * 3_600 + number % 100 * 60)
        }
        if any, !zone.allSatisfy(\.isLetter) { return nil }
        return (zones[zone] ?? (any ? 0 : nil)).map { $0 * 3_600 }
    }
}

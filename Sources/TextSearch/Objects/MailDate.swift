import Foundation

/// Dates as mail has them: `Wed, 1 May 2024 12:30:00 +0200` (RFC 5322, which follows RFC 2822).
enum MailDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// Zones by name, in hours. Any other name says nothing: UTC.
    private static let zones = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    /// Nil for any other text.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        var words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)[...]
        if let first = words.first, first.allSatisfy(\.isLetter) { words.removeFirst() }
        guard words.count >= 3, let day = number(words.removeFirst(), 1...2),
            (1...31).contains(day),
            let month = months.firstIndex(of: String(words.removeFirst().prefix(3))),
            let year = year(words.removeFirst()), year >= 1
        else { return nil }
        let dayNumber = AttributeText.days(year: year, month: month + 1, day: day)
        guard AttributeText.civil(days: dayNumber).month == month + 1 else { return nil }
        var seconds = dayNumber * 86_400 - AttributeText.referenceSeconds
        if let time = words.popFirst() {
            guard let ofDay = secondsOfDay(time) else { return nil }
            seconds += ofDay
        }
        if let zone = words.popFirst() {
            guard let offset = offset(zone) else { return nil }
            seconds -= offset
        }
        // What is behind is a comment in parentheses.
        guard words.first.map({ $0.hasPrefix("(") }) ?? true else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(seconds))
    }

    /// Of two digits those of 1950 to 2049, of three those after 1900: the obsolete forms.
    private static func year(_ text: String) -> Int? {
        guard let year = number(text, 2...4) else { return nil }
        switch text.utf8.count {
        case 2: return year < 50 ? year + 2000 : year + 1900
        case 3: return year + 1900
        default: return year
        }
    }

    private static func number(_ text: String, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy(QuerySyntax.isDigit) else {
            return nil
        }
        return Int(text)
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

    private static func offset(_ zone: String) -> Int? {
        if let sign = zone.first, sign == "+" || sign == "-" {
            guard let number = number(String(zone.dropFirst()), 4...4), number % 100 < 60 else {
                return nil
            }
            return (sign == "-" ? -1 : 1) * (number / 100 * 3_600 + number % 100 * 60)
        }
        guard zone.allSatisfy(\.isLetter) else { return nil }
        return (zones[zone] ?? 0) * 3_600
    }
}

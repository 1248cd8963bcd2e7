public import Foundation

/// A query over the attributes of items, in the language of Spotlight's query strings.
///
/// ```swift
/// try ItemQuery(parsing: "title == 'pekin*'cd && rating >= 3 && !(domainIdentifier == 'mail.*')")
/// try ItemQuery(parsing: "InRange(contentCreationDate, $time.today(-7), $time.now)")
/// ```
///
/// - A comparison is a name, one of `==`, `!=`, `<`, `<=`, `>`, `>=`, and a value: a string in
///   quotation marks, a number, `true`, `false` or a time. Of an attribute with several values any
///   may satisfy it; `!=` holds where none is equal, and only where there is one.
/// - A number compares with a date, too, as the seconds since the beginning of 2001 in UTC.
/// - `&&` goes before `||`; `!` and round brackets.
/// - In strings `*` stands for any characters and `?` for one. A backslash takes the meaning of the
///   next character: ``escape(_:)``. `name == "*"` says that there is a value, `name != "*"` that
///   there is none.
/// - Behind a string: `c` ignores case, `d` accents; `w` compares whole words, wherever they are in
///   the value; `t` compares each word of the string with the words of the value, in any order. For
///   `w` a capital behind a small letter begins a word: `"Window"w` finds MyWindowClass. For `t` a
///   string without words finds nothing.
/// - `InRange(name, low, high)` includes both bounds.
/// - `$time.now`, `$time.today`, `$time.yesterday`, `$time.last_week`, `$time.this_week`,
///   `$time.this_month`, `$time.this_year`, each with an offset in brackets or without: seconds for
///   now, otherwise days, weeks, months or years; `$time.iso(2026-11-28T12:00:00Z)`.
/// - `textContent` and `transcribedTextContent` are compared word by word as the index has them:
///   without regard to case and accents, with wild cards in words; only `==` and `!=` do so.
///   `** == "duck"` looks in all texts.
/// - A name has letters, digits, dots and underscores. One with other signs is written in quotation
///   marks: `'file-size' > 3`.
/// - Names may begin with `kMDItem`, which is left out: `kMDItemTitle` is `title`. In quotation
///   marks it stays.
public struct ItemQuery: Sendable {
    /// What the index is asked.
    let query: Query

    /// Creates a query from a query string.
    ///
    /// Complexity: linear in its length.
    ///
    /// - Parameters:
    ///   - text: the string.
    ///   - now: what `$time` begins at.
    ///   - calendar: says where days and weeks begin.
    /// - Throws: ``TextIndexError``: `.invalidArgument` for what is no query; the message says what
    ///   is wrong, and at which character.
    public init(parsing text: String, now: Date = Date(), calendar: Calendar = .current) throws {
        var parser = ItemQueryParser(text, ItemTime(now: now, calendar: calendar))
        query = try parser.parse()
    }

    /// A text as it has to be written within quotation marks.
    ///
    /// - Parameter text: any text.
    /// - Returns: The text with a backslash before quotation marks, wild cards and backslashes.
    public static func escape(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if "\\\"'*?".unicodeScalars.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}

/// The times that query strings name.
struct ItemTime: Sendable {
    let now: Date
    let calendar: Calendar

    /// The moment of a name with an offset; nil for a name that is not known.
    func date(_ name: String, _ offset: Int) -> Date? {
        if name == "now" { return now.addingTimeInterval(Double(offset)) }
        let units: [String: (Calendar.Component, Calendar.Component, Int)] = [
            "today": (.day, .day, 0), "yesterday": (.day, .day, -1),
            "last_week": (.weekOfYear, .weekOfYear, -1),
            "this_week": (.weekOfYear, .weekOfYear, 0),
            "this_month": (.month, .month, 0), "this_year": (.year, .year, 0),
        ]
        guard let (unit, step, shift) = units[name],
            let start = calendar.dateInterval(of: unit, for: now)?.start
        else { return nil }
        let (count, overflow) = offset.addingReportingOverflow(shift)
        guard !overflow, (-999_999...999_999).contains(count) else { return nil }
        return calendar.date(byAdding: step, value: count, to: start)
    }
}

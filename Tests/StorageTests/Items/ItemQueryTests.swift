import Foundation
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Query strings of items, against a loop over plain values.
@Suite("Query strings of items", .timeLimit(.minutes(10)))
struct ItemQueryTests {
    private static let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.firstWeekday = 2
        return calendar
    }

    // MARK: Model

    /// A query as a tree, which says what it is as text and which items it holds for.
    private indirect enum Model {
        case compare(String, String, Value)
        case range(String, Double, Double)
        case all([Model])
        case any([Model])
        case not(Model)

        enum Value {
            case text(String, flags: String)
            case number(Double)
            case days(Int)
        }

        var text: String {
            switch self {
            case .compare(let name, let comparison, .text(let text, let flags)):
                "\(name) \(comparison) \"\(text)\"\(flags)"
            case .compare(let name, let comparison, .number(let number)):
                "\(name)\(comparison)\(number)"
            case .compare(let name, let comparison, .days(let days)):
                "\(name) \(comparison) $time.today(\(days))"
            case .range(let name, let low, let high): "InRange( \(name), \(low) ,\(high))"
            case .all(let parts): "(" + parts.map(\.text).joined(separator: " && ") + ")"
            case .any(let parts): "(" + parts.map(\.text).joined(separator: "||") + ")"
            case .not(let part): "!" + part.text
            }
        }

        func holds(_ item: SearchableItem) -> Bool {
            switch self {
            case .compare(let name, let comparison, let value):
                let own = item.attributes[name]?.scalars ?? []
                switch value {
                case .text(let pattern, let flags):
                    let texts = own.compactMap {
                        if case .string(let text) = $0 { text } else { nil }
                    }
                    let isThere = texts.contains { Self.matches(pattern, $0, flags) }
                    if comparison == "==" { return isThere }
                    return pattern.allSatisfy { $0 == "*" } ? own.isEmpty : !own.isEmpty && !isThere
                case .number(let number):
                    return Self.compare(Self.numbers(own), .number(number), comparison)
                case .days(let days):
                    let day = ItemQueryTests.now.timeIntervalSinceReferenceDate / 86_400
                    let start = (day.rounded(.down) + Double(days)) * 86_400
                    return Self.compare(
                        own, .date(Date(timeIntervalSinceReferenceDate: start)), comparison)
                }
            case .range(let name, let low, let high):
                return Self.numbers(item.attributes[name]?.scalars ?? []).contains {
                    if case .number(let number) = $0 {
                        number >= low && number <= high
                    } else {
                        false
                    }
                }
            case .all(let parts): return parts.allSatisfy { $0.holds(item) }
            case .any(let parts): return parts.contains { $0.holds(item) }
            case .not(let part): return !part.holds(item)
            }
        }

        /// Dates as numbers.
        private static func numbers(_ own: [AttributeValue]) -> [AttributeValue] {
            own.map {
                if case .date(let date) = $0 { return .number(date.timeIntervalSinceReferenceDate) }
                return $0
            }
        }

        private static func compare(
            _ own: [AttributeValue], _ wanted: AttributeValue, _ comparison: String
        ) -> Bool {
            let same = own.filter { $0.isComparable(to: wanted) }
            return switch comparison {
            case "==": same.contains { $0 == wanted }
            case "!=": !own.isEmpty && !same.contains { $0 == wanted }
            case "<": same.contains { $0 < wanted }
            case "<=": same.contains { $0 <= wanted }
            case ">": same.contains { $0 > wanted }
            default: same.contains { $0 >= wanted }
            }
        }

        /// By regular expressions of Foundation.
        private static func matches(_ pattern: String, _ value: String, _ flags: String) -> Bool {
            func plain(_ text: String) -> String {
                var options: String.CompareOptions = []
                if flags.contains("c") { options.insert(.caseInsensitive) }
                if flags.contains("d") { options.insert(.diacriticInsensitive) }
                return text.folding(options: options, locale: nil)
            }
            func expression(_ text: Substring) -> String {
                NSRegularExpression.escapedPattern(for: plain(String(text)))
                    .replacing("\\*", with: "[\\s\\S]*").replacing("\\?", with: "[\\s\\S]")
            }
            func isFound(_ expression: String) -> Bool {
                plain(value).range(of: expression, options: .regularExpression) != nil
            }
            if flags.contains("t") {
                return pattern.split(separator: " ").allSatisfy { word in
                    plain(value).split { !$0.isLetter && !$0.isNumber }.contains {
                        $0.range(
                            of: "^" + expression(word) + "$", options: .regularExpression) != nil
                    }
                }
            }
            if flags.contains("w") {
                return isFound(
                    "(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])" + expression(pattern[...])
                        + "(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])")
            }
            return isFound("^" + expression(pattern[...]) + "$")
        }
    }

    private static let words = ["Duck", "duck", "café", "CAFE", "goose", "x1", "Straße"]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<generator.int(1...3)).map { _ in generator.element(words) }
            .joined(separator: generator.element([" ", ", ", "-"]))
    }

    private static func pattern(_ generator: inout SeededGenerator) -> Model.Value {
        var text = generator.once(in: 3) ? text(&generator) : generator.element(words)
        if generator.once(in: 2) { text = String(text.prefix(generator.int(1...3))) + "*" }
        if generator.once(in: 4) { text = "*" + text.dropFirst() }
        if generator.once(in: 6) { text = "?" + text.dropFirst() }
        var flags = ""
        for flag in ["c", "d"] where generator.once(in: 2) { flags += flag }
        if generator.once(in: 3) { flags += generator.element(["w", "t"]) }
        if flags.contains("t") {
            text = text.replacing(",", with: "").replacing("-", with: " ")
        }
        return .text(text, flags: flags)
    }

    private static func model(_ generator: inout SeededGenerator, depth: Int = 0) -> Model {
        let comparisons = ["==", "!=", "<", "<=", ">", ">="]
        switch generator.int(depth > 3 ? 3...10 : 0...10) {
        case 0:
            return .all((0..<generator.int(1...3)).map { _ in model(&generator, depth: depth + 1) })
        case 1:
            return .any((0..<generator.int(1...3)).map { _ in model(&generator, depth: depth + 1) })
        case 2: return .not(model(&generator, depth: depth + 1))
        case 3:
            return .compare(
                "rating", generator.element(comparisons), .number(Double(generator.int(-1...6))))
        case 4: return .range("rating", Double(generator.int(0...5)), Double(generator.int(0...5)))
        case 10:
            let (first, second) = (seconds(&generator), seconds(&generator))
            return generator.once(in: 2)
                ? .range("contentCreationDate", first, second)
                : .compare("contentCreationDate", generator.element(comparisons), .number(first))
        case 5:
            return .compare(
                "contentCreationDate", generator.element(comparisons), .days(generator.int(-4...4)))
        default:
            return .compare(
                generator.element(["title", "keywords", "course"]),
                generator.once(in: 5) ? "!=" : "==", pattern(&generator))
        }
    }

    private static func item(_ id: Int, _ generator: inout SeededGenerator) -> SearchableItem {
        var attributes = ItemAttributes()
        if !generator.once(in: 5) { attributes.title = text(&generator) }
        if generator.once(in: 2) {
            attributes.keywords = (0..<generator.int(1...3)).map { _ in text(&generator) }
        }
        if generator.once(in: 2) { attributes["course"] = .string(generator.element(words)) }
        if generator.once(in: 2) { attributes.rating = Double(generator.int(0...5)) }
        if generator.once(in: 2) {
            attributes.contentCreationDate = Date(
                timeIntervalSinceReferenceDate: seconds(&generator))
        }
        return SearchableItem(id: "\(id)", attributes: attributes)
    }

    /// A midnight or noon around now, since 2001.
    private static func seconds(_ generator: inout SeededGenerator) -> Double {
        let day = (now.timeIntervalSinceReferenceDate / 86_400).rounded(.down)
        return (day + Double(generator.int(-8...8)) / 2) * 86_400
    }

    @Test("A query string finds what a loop over plain values finds", arguments: testSeeds(4))
    func oracle(seed: UInt64) async throws {
        let folder = try TemporaryFolder("items")
        var generator = SeededGenerator(seed: seed)
        let items = try ItemIndex(at: folder("index"), now: { Self.now })
        let all = (0..<300).map { Self.item($0, &generator) }
        try await items.index(all)
        for flushes in [false, true] {
            if flushes { try await items.index.optimize() }
            for _ in 0..<Scale.sample(of: 250) {
                let model = Self.model(&generator)
                let found = try await items.items(matching: model.text, calendar: Self.calendar)
                    .map(\.id)
                let wanted = all.filter { model.holds($0) }.map(\.id)
                #expect(found == wanted, "seed \(seed): \(model.text)")
            }
        }
        try await items.close()
    }

    @Test("Any text that is escaped is found as it is")
    func escaping() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        let texts = ["a*b", "a?b", "a\\b", "say \"duck\"", "it's", "\\*", "axb", "100 %", "🦆*"]
        try await items.index(
            texts.enumerated().map {
                SearchableItem(id: "\($0)", attributes: ItemAttributes(title: $1))
            })
        for (place, text) in texts.enumerated() {
            for quote in ["\"", "'"] {
                let query = "title == \(quote)\(ItemQuery.escape(text))\(quote)c"
                #expect(
                    try await items.items(matching: query).map(\.id) == ["\(place)"], "\(query)")
            }
        }
        try await items.close()
    }

    @Test("The text is searched by its words")
    func textContent() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        try await items.index([
            SearchableItem(
                id: "1", attributes: ItemAttributes(textContent: "The Pekin duck, glazed.")),
            SearchableItem(
                id: "2", attributes: ItemAttributes(title: "Duck", textContent: "A glazed goose.")),
        ])
        for (query, wanted) in [
            ("textContent == 'duck'", ["1"]), ("textContent == 'PEKIN DUCK'", ["1"]),
            ("textContent == 'duck pekin'", []), ("textContent == 'duck pekin't", ["1"]),
            ("textContent == 'glaz*'cdw", ["1", "2"]), ("textContent == '*oos*'", ["2"]),
            ("textContent != 'duck'", ["2"]), ("** == 'duck'c", ["1", "2"]), ("* == 'duck'", ["1"]),
            ("kMDItemTextContent == 'g*se'", ["2"]), ("_kMDItemTitle == 'duck'c", ["2"]),
            ("textContent == ''", []), ("textContent != ''", ["1", "2"]),
        ] {
            let found = try await items.items(matching: query).map(\.id)
            #expect(found == wanted, "\(query)")
        }
        try await items.close()
    }

    @Test("Times are those of the calendar")
    func times() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"), now: { Self.now })
        for (text, wanted) in [
            ("$time.now", "2026-05-09T06:13:20Z"), ("$time.now(-20)", "2026-05-09T06:13:00Z"),
            ("$time.now()", "2026-05-09T06:13:20Z"), ("$time.today( )", "2026-05-09T00:00:00Z"),
            ("$time.last_week", "2026-04-27T00:00:00Z"),
            ("$time.last_week(-1)", "2026-04-20T00:00:00Z"),
            ("$time.today", "2026-05-09T00:00:00Z"), ("$time.today(+1)", "2026-05-10T00:00:00Z"),
            ("$time.yesterday", "2026-05-08T00:00:00Z"),
            ("$time.this_week", "2026-05-04T00:00:00Z"),
            ("$time.this_week(-1)", "2026-04-27T00:00:00Z"),
            ("$time.this_month(-4)", "2026-01-01T00:00:00Z"),
            ("$time.this_year", "2026-01-01T00:00:00Z"),
            ("$time.iso(2026-05-09T00:00:00Z)", "2026-05-09T00:00:00Z"),
        ] {
            let date = try #require(ISO8601DateFormatter().date(from: wanted))
            let item = SearchableItem(
                id: "1", attributes: ItemAttributes(["contentModificationDate": .date(date)]))
            try await items.index([item])
            let query = "contentModificationDate == \(text)"
            let found = try await items.items(matching: query, calendar: Self.calendar)
            #expect(found.map(\.id) == ["1"], "\(text)")
        }
        try await items.close()
    }

    @Test("What is no query is an error with its place")
    func errors() {
        for (text, message) in [
            ("", "name of an attribute"), ("title", "expected a comparison"),
            ("title == ", "expected a value"), ("title == duck", "expected a string"),
            ("title == 'duck", "closing quotation mark"), ("title == 'duck'cx", "unknown modifier"),
            ("title == 'duck' title", "expected && or ||"), ("(title == 'a'", "closing bracket"),
            ("title == 'a' &&", "name of an attribute"), ("a == $time.noon", "unknown time"),
            ("a == $time.today(x)", "unknown time"),
            ("a == $time.today(-9223372036854775808)", "unknown time"),
            ("a == $time.this_year(9223372036854775807)", "unknown time"),
            ("InRange(a, 1)", "expected a comma"),
            ("InRange(a, 1, 'b')", "different kinds"), ("textContent == 1", "not possible"),
            ("InRange(a, 'b', $time.now)", "different kinds"), ("a < 'b'c", "not possible"),
            ("textContent < 'b'", "not possible for textContent"),
            ("InRange(textContent, 1, 2)", "not possible for textContent"),
            ("InRange('transcribedTextContent', 'a', 'b')", "for transcribedTextContent"),
            ("** > 3", "not possible for **"), ("InRange(*, 1, 2)", "not possible for **"),
            ("'' == 1", "name of an attribute"), ("'a == 1", "closing quotation mark"),
            ("$time.iso() == 1", "name of an attribute"), ("a == $time.iso()", "unknown time"),
            (String(repeating: "(", count: 100_000), "brackets"),
            (String(repeating: "!", count: 100_000) + "a == 1", "brackets"),
            ("a == nan", "expected a string"), ("a == 1e999", "expected a string"),
        ] {
            #expect(throws: TextIndexError.self, "\(text.prefix(40))") {
                try ItemQuery(parsing: text)
            }
            do { _ = try ItemQuery(parsing: text) } catch {
                let found = (error as? TextIndexError)?.message ?? ""
                #expect(found.contains(message), "\(text.prefix(40)): \(found)")
                #expect(found.contains("(character "))
            }
        }
    }

    @Test("No text ends anything but orderly", arguments: testSeeds(2))
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "title", "==", "'", "\"", "*", "\\", "&&", "||", "!", "(", ")", "$time.", "today",
            "(-1)",
            "InRange(", ",", "1", "cd", " ", "é", "\u{0}", "🦆", "<", "true", "iso(", "**",
        ]
        for _ in 0..<20_000 {
            let text = (0..<generator.int(0...12)).map { _ in generator.element(pieces) }.joined()
            _ = try? ItemQuery(parsing: text, now: Self.now, calendar: Self.calendar)
        }
    }
}

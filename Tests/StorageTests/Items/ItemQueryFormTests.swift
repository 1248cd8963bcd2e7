import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Forms of Spotlight's query strings, each with the items that it finds.
@Suite("Forms of query strings", .timeLimit(.minutes(10)))
struct ItemQueryFormTests {
    /// Runs a body with an index of items of some attributes, whose identifiers are the places.
    private func withItems(
        _ attributes: [ItemAttributes], _ body: (ItemIndex) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        try await items.index(
            attributes.enumerated().map { SearchableItem(id: "\($0)", attributes: $1) })
        for flushes in [false, true] {
            if flushes { try await items.index.optimize() }
            try await body(items)
        }
        try await items.close()
    }

    private func expect(
        _ items: ItemIndex, _ query: String, _ wanted: [Int],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await items.items(matching: query).map(\.id)
        #expect(found == wanted.map { "\($0)" }, "\(query)", sourceLocation: sourceLocation)
    }

    @Test("An asterisk alone says whether there is a value")
    func presence() async throws {
        try await withItems([
            ItemAttributes(title: "duck"), ItemAttributes(textContent: "duck"),
            ItemAttributes(textContent: "…"), ItemAttributes(["rating": 3]), ItemAttributes(),
            ItemAttributes(["transcribedTextContent": "quack"]),
            ItemAttributes(title: "duck", textContent: "duck"),
        ]) { items in
            for (query, wanted) in [
                ("title == '*'", [0, 6]), ("title != '*'", [1, 2, 3, 4, 5]), ("rating == '*'", [3]),
                ("rating != '*'", [0, 1, 2, 4, 5, 6]), ("!(rating != '*')", [3]),
                ("textContent == '*'", [1, 2, 6]), ("textContent != '*'", [0, 3, 4, 5]),
                ("textContent == '**'cd", [1, 2, 6]), ("transcribedTextContent == '*'", [5]),
                ("** == '*'", [0, 1, 2, 5, 6]), ("** != '*'", [3, 4]),
                ("* == '*'", [0, 1, 2, 5, 6]),
                ("textContent != 'goose'", [1, 2, 6]), ("textContent != 'duck'", [2]),
                ("** != 'duck'", [2, 5]), ("none == '*'", []),
                ("none != '*'", [0, 1, 2, 3, 4, 5, 6]),
            ] {
                try await expect(items, query, wanted)
            }
        }
    }

    @Test("A word begins at a capital behind a small letter")
    func capitals() async throws {
        let titles = [
            "MyWindowClass", "Broken Window", "NSWindow", "windows", "myÉlan", "mye\u{301}Lan",
            "x2Y",
        ]
        try await withItems(titles.map { ItemAttributes(title: $0) }) { items in
            for (query, wanted) in [
                ("title == 'Window'w", [0, 1]), ("title == 'window'w", []),
                ("title == 'window'wc", [0, 1]), ("title == 'MyWindow'w", [0]),
                ("title == 'MyWindowClass'w", [0]), ("title == 'yWindow'w", []),
                ("title == 'Win*'w", [0, 1]), ("title == 'win*'wc", [0, 1, 3]),
                ("title == 'nswindow'wc", [2]), ("title == 'elan'wcd", [4]),
                ("title == 'Élan'w", [4]), ("title == 'lan'wc", [5]), ("title == 'mye'wd", [5]),
                ("title == 'y'wc", []), ("title == 'Window't", [1]),
                ("title == 'windows't", [3]), ("title == 'Window'", []),
            ] {
                try await expect(items, query, wanted)
            }
        }
    }

    @Test("A string without words has no word in common with a value")
    func noWords() async throws {
        try await withItems([ItemAttributes(title: "duck"), ItemAttributes(title: "--")]) { items in
            for text in ["", "--", " . "] {
                for flags in ["t", "cdt", "tw"] {
                    try await expect(items, "title == '\(text)'\(flags)", [])
                    try await expect(items, "title != '\(text)'\(flags)", [0, 1])
                }
            }
            try await expect(items, "title == '--'", [1])
            try await expect(items, "title == '-- duck't", [0])
        }
    }

    @Test("A number is a date as its seconds since 2001")
    func dates() async throws {
        func date(_ seconds: Double) -> AttributeValue {
            .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
        try await withItems([
            ItemAttributes(["a": date(100)]), ItemAttributes(["a": 100]),
            ItemAttributes(["a": date(200)]), ItemAttributes(["a": [date(50), 300]]),
            ItemAttributes(["a": "100"]), ItemAttributes(),
        ]) { items in
            for (query, wanted) in [
                ("a == 100", [0, 1]), ("a != 100", [2, 3, 4]), ("a > 100", [2, 3]),
                ("a >= 100", [0, 1, 2, 3]), ("a < 100", [3]), ("a <= 1e2", [0, 1, 3]),
                ("InRange(a, 100, 200)", [0, 1, 2]), ("InRange(a, 200, 100)", []),
                ("InRange(a, 60, $time.iso(2001-01-01T00:01:40Z))", [0]),
                ("InRange(a, $time.iso(2001-01-01T00:01:40Z), 1e9)", [0, 2]),
                ("a == $time.iso(2001-01-01T00:01:40Z)", [0]),
            ] {
                try await expect(items, query, wanted)
            }
        }
    }

    @Test("A name of any signs is written in quotation marks")
    func names() async throws {
        let names = [
            "file-size", "a:b", "two words", "it's", "*", "kMDItem", "kMDItemTitle", "InRange",
            "a\\b", "1", "🦆",
        ]
        try await withItems(names.map { ItemAttributes([$0: "duck"]) }) { items in
            for (place, name) in names.enumerated() {
                for quote in ["'", "\""] {
                    let quoted = quote + ItemQuery.escape(name) + quote
                    try await expect(items, "\(quoted) == 'duck'", [place])
                    try await expect(items, "InRange(\(quoted), 'd', 'e')", [place])
                }
            }
            try await expect(items, "kMDItem == 'duck'", [5])
            try await expect(items, "InRange == 'duck'", [7])
            try await expect(items, "InRange == 'duck' || 'a:b' == 'duck'", [1, 7])
            try await expect(items, "kMDItemInRange == 'duck'", [])
        }
    }
}

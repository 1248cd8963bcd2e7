import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What the test suites of others say of phrases and combinations; see `Fixtures/phrases.tsv`.
@Suite struct OthersCasesTests {
    /// Objects with queries over them.
    struct Group: Sendable, CustomTestStringConvertible {
        let name: String
        let objects: [String]
        var cases: [(query: String, found: [String])] = []

        var testDescription: String { name }
    }

    static let groups: [Group] = {
        guard
            let url = Bundle.module.url(
                forResource: "phrases", withExtension: "tsv", subdirectory: "Fixtures"),
            let table = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        var groups: [Group] = []
        for line in table.split(separator: "\n") where !line.hasPrefix("# ") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init)
            guard cells.count == 2 else { return [] }
            if cells[0].hasPrefix("= ") {
                let objects = cells[1].components(separatedBy: " | ")
                groups.append(Group(name: String(cells[0].dropFirst(2)), objects: objects))
            } else if !groups.isEmpty {
                let found = cells[1].split(separator: " ").map(String.init)
                groups[groups.count - 1].cases.append((cells[0], found))
            }
        }
        return groups
    }()

    @Test func tableIsComplete() { #expect(Self.groups.map(\.cases.count).reduce(0, +) >= 120) }

    @Test(arguments: groups) func findsTheSame(_ group: Group) throws {
        let notes = try PlainNoteIndex {
            $0.fields = ["title", "body"]
            $0.indexesStopWords = false
            $0.stopWords = group.name.hasSuffix("stop") ? .words(["stop"]) : .none
        }
        for (number, object) in group.objects.enumerated() {
            var note = PlainNote("\(number + 1)")
            note.strings = object.components(separatedBy: " / ")
            try notes.add([note])
        }
        for stage in Stage.allCases {
            try notes.enter(stage)
            for (text, found) in group.cases {
                let parsed = notes.index.queryParser.parse(text)
                #expect(parsed.diagnostics.isEmpty, "\(text)")
                #expect(try notes.ids(parsed.query) == found, "\(group.name), \(stage): \(text)")
            }
        }
    }
}

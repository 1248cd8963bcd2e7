import Foundation
import Testing

@Suite struct IndexingLinesTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    private static let shop = """
        {"sku": 1, "name": "Rubber duck", "text": "It squeaks.", "stars": 4}
        {"sku": 12345678901234567890, "name": "Wooden duck", "text": ["It does", "not."], "stars": 4.5}

        {"sku": "c", "name": "Kite", "text": "Flies like a d\\u0075ck.", "more": {"a": [1, {}]}}
        """

    private func index(_ path: String = "shop.jsonl", _ more: String...) async throws
        -> Command.Result
    {
        try await command.run(
            [
                "index", path, "--index", "index", "--id", "sku", "--weight", "stars", "--field",
                "name", "--field", "text",
            ] + more, input: Data(Self.shop.utf8))
    }

    @Test func membersAreFieldsAndWeightRanks() async throws {
        try folder.write(Self.shop, to: "shop.jsonl")
        let result = try await index()
        #expect(result.status == 0, "\(result.error)")
        let report = try await command.search("duck")
        #expect(report.identifiers == ["12345678901234567890", "1", "c"])
        #expect(report.hits.map(\.weight) == [4.5, 4, 0])
        #expect(report.hits.map(\.title) == ["Wooden duck", "Rubber duck", "Kite"])
        #expect(report.hits.last?.matches.map(\.field) == ["text"])
        #expect(report.hits.last?.snippets.map(\.text) == ["Flies like a duck."])
        let reverse = try await command.search("duck", "--reverse", "--limit", "1")
        #expect(reverse.identifiers == ["c"])
        let second = try await command.search("duck", "--offset", "1", "--limit", "1")
        #expect(second.hits.map(\.rank) == [1])
        #expect(second.identifiers == ["1"])
        #expect(second.total == 3)
    }

    @Test("Members of objects are fields and attributes, and names that no line has are told")
    func nestedMembers() async throws {
        try folder.write(
            """
            {"id": 1, "title": "Ulysses", "author": {"name": "James Joyce", "born": 1882}}
            {"id": 2, "title": "Dubliners", "author": {"name": "Joyce"}, "parts": [{"name": "Eveline"}]}
            """, to: "books.jsonl")
        let result = try await command.run(
            "index", "books.jsonl", "--index", "index", "--field", "title", "--field",
            "author.name", "--field", "parts.name", "--field", "tilte", "--attribute",
            "author.born", "--attribute", "prize")
        #expect(result.status == 0)
        #expect(
            result.errorLines == [
                "textindex: no line has the member tilte",
                "textindex: no line has the member prize",
            ])
        #expect(try await command.search("james").identifiers == ["1"])
        #expect(try await command.search("eveline").identifiers == ["2"])
        let born = try await command.search("joyce", "--filter", "author.born:>1800")
        #expect(born.identifiers == ["1"])
    }

    @Test func wholeWordsFirstThenPartsOfWords() async throws {
        try folder.write(
            """
            {"id": "a", "title": "Duck soup", "body": "with duck and more duck"}
            {"id": "b", "title": "Duckling", "body": "a small bird that follows a large bird"}
            {"id": "c", "title": "Goose", "body": "no duck"}
            """, to: "birds.jsonl")
        try await command.run("index", "birds.jsonl", "--index", "index")
        #expect(try await command.search("duck").identifiers == ["a", "c", "b"])
        let parts = try await command.search("uck")
        #expect(Set(parts.identifiers) == ["a", "b", "c"])
        #expect(parts.mode == "query")
        #expect(parts.notes.isEmpty)
        #expect(Set(try await command.search("duck", "--mode", "keyword").identifiers).count == 3)
        #expect(try await command.search("uck", "--mode", "query").total == 0)
        #expect(try await command.search("duck -soup").identifiers == ["c", "b"])
        let plain = try await command.search("duckling -bird")
        #expect(plain.identifiers == ["b"] && plain.notes.count == 1)
        #expect(try await command.search("title:duck*", "--reverse").identifiers.count == 2)
        #expect(try await command.search("\"small bird\"").identifiers == ["b"])
        #expect(try await command.search("zebra", "--limit", "0").total == 0)
        #expect(try await command.search("duck", "--limit", "0").total == 2)
        let reversed = try await command.search("duck", "--reverse", "--offset", "1")
        #expect(reversed.identifiers == ["a"])
    }

    @Test func standardInputKeepsTheBeginnings() async throws {
        let result = try await index("-")
        #expect(result.status == 0, "\(result.error)")
        let report = try await command.search("squeak")
        #expect(report.hits.first?.snippets.map(\.text) == ["It squeaks."])
        #expect(report.hits.first?.title == "Rubber duck")
    }

    @Test func textBeyondTheBeginningIsFoundWithoutIt() async throws {
        let long =
            #"{"id": 1, "title": "t", "body": "\#(String(repeating: "so ", count: 100)) end"}"#
        try await command.run("index", "-", "--index", "index", input: Data(long.utf8))
        let hit = try await command.search("end").hits.first
        #expect(hit?.matches.map(\.location) == [301])
        #expect(hit?.matches.map(\.text) == [nil])
        #expect(hit?.note?.contains("standard input") == true)
    }

    @Test func badLinesAreReportedAndTheRestIsIndexed() async throws {
        let lines = [
            #"{"id": "a", "title": "duck one"}"#, #"{"id": "b", "title": "duck two""#, "duck", "",
            #"{"title": "no identifier"}"#, #"{"id": "", "title": "empty identifier"}"#,
            #"{"id": "c"}"#, #"{"id": "d", "title": "heavy", "w": "much"}"#,
            #"{"id": "e", "title": "heavy", "w": 1e999}"#, "[1]", #"{"id": "f", "title": "x"} y"#,
            #"{"id": "z", "title": "duck \#("\u{1}")"}"#, #"{"id": "g", "body": "duck three"}"#,
        ]
        try folder.write(lines.joined(separator: "\n"), to: "bad.jsonl")
        let result = try await command.run(
            "index", "bad.jsonl", "--index", "index", "--weight", "w")
        #expect(result.status == 2)
        #expect(result.output.hasPrefix("2 objects indexed, 10 failed;"))
        for line in [2, 3, 5, 6, 7, 8, 9, 10, 11, 12] {
            #expect(result.error.contains("textindex: bad.jsonl, line \(line): "), "line \(line)")
        }
        #expect(result.errorLines.count == 10)
        #expect(try await command.search("duck").identifiers == ["a", "g"])
    }

    @Test func aBrokenFileLosesNothingBySync() async throws {
        try folder.write(Self.shop, to: "shop.jsonl")
        _ = try await index()
        try folder.write("{broken\n", to: "shop.jsonl")
        let broken = try await index("shop.jsonl", "--sync")
        #expect(broken.status == 2)
        #expect(try await command.search("").total == 3)
        try folder.write(#"{"sku": "c", "name": "Kite", "text": ""}"#, to: "shop.jsonl")
        let result = try await index("shop.jsonl", "--sync")
        #expect(result.output.hasPrefix("1 object indexed, 2 removed;"))
        #expect(try await command.search("").identifiers == ["c"])
    }

    @Test func emptyInputLosesNothingBySync() async throws {
        _ = try await index("-")
        for input in ["", "\n\n"] {
            let empty = try await command.run(
                "index", "-", "--index", "index", "--sync", input: Data(input.utf8))
            #expect(empty.status == 2)
            #expect(empty.error.contains("--allow-empty"))
            #expect(try await command.search("").total == 3)
        }
        let meant = try await command.run(
            "index", "-", "--index", "index", "--sync", "--allow-empty")
        #expect(meant.status == 0)
        #expect(meant.output.hasPrefix("0 objects indexed, 3 removed;"))
    }

    /// A file that gives nothing: empty, blank, or a pipe that nobody writes to.
    @Test func aSourceWithoutObjectsLosesNothingBySync() async throws {
        try folder.write(Self.shop, to: "shop.jsonl")
        _ = try await index()
        for make in ["", "echo > shop.jsonl", "mkfifo shop.jsonl"] {
            try folder.remove("shop.jsonl")
            _ = try await command.shell(make.isEmpty ? "touch shop.jsonl" : make)
            let empty = try await index("shop.jsonl", "--sync")
            #expect(empty.status == 2, "\(make)")
            #expect(empty.error.contains("--allow-empty"), "\(make): \(empty.error)")
            #expect(try await command.search("").total == 3, "\(make)")
        }
        let meant = try await index("shop.jsonl", "--sync", "--allow-empty")
        #expect(meant.output.hasPrefix("0 objects indexed, 3 removed;"), "\(meant.error)")
    }

    @Test func aMistypedKindOfAttributeIsReported() async throws {
        try folder.write(Self.shop, to: "shop.jsonl")
        let mistyped = try await index("shop.jsonl", "--attribute", "price:nmber")
        #expect(mistyped.status == 2)
        #expect(mistyped.error.contains("nmber is no kind of attribute"), "\(mistyped.error)")
        let meant = try await index("shop.jsonl", "--attribute", "price:nmber:text")
        #expect(meant.status == 0, "\(meant.error)")
    }

    @Test func whatCameFromStandardInputCanBeRemoved() async throws {
        _ = try await index("-")
        let removed = try await command.run("remove", "--under", "-", "--index", "index")
        #expect(removed.output == "3 objects removed\n", "\(removed.error)")
    }

    @Test func linesAreIncremental() async throws {
        try folder.write(Self.shop, to: "shop.jsonl")
        _ = try await index()
        let same = try await index()
        #expect(same.output.hasPrefix("0 objects indexed, 3 unchanged;"))
        try folder.write(Self.shop.replacing("Kite", with: "Dragon"), to: "shop.jsonl")
        let changed = try await index()
        #expect(changed.output.hasPrefix("1 object indexed, 2 unchanged;"))
        #expect(try await command.search("dragon").identifiers == ["c"])
        #expect(try await command.search("kite").total == 0)
        // Another weight makes another object of the same line.
        let weight = try await command.run(
            "index", "shop.jsonl", "--index", "index", "--id", "sku", "--weight", "sku")
        #expect(weight.status == 2)  // a string is no weight
        #expect(weight.output.hasPrefix("2 objects indexed, 1 failed;"))
    }

    /// A line with an identifier and a title.
    private static func line(_ id: String, _ title: String) -> String {
        #"{"id": "\#(id)", "title": "\#(title)"}"#
    }

    private func indexed(_ lines: [String], _ more: String...) async throws -> Command.Result {
        try folder.write(lines.joined(separator: "\n"), to: "lines.jsonl")
        return try await command.run(["index", "lines.jsonl", "--index", "index"] + more)
    }

    private func titles() async throws -> [String?] {
        try await command.search("").hits.sorted { $0.identifier < $1.identifier }.map(\.title)
    }

    @Test(arguments: [[], ["--sync"]]) func theLastLineOfAnIdentifierCounts(_ sync: [String])
        async throws
    {
        func index(_ lines: [String]) async throws -> Command.Result {
            try folder.write(lines.joined(separator: "\n"), to: "lines.jsonl")
            return try await command.run(["index", "lines.jsonl", "--index", "index"] + sync)
        }
        let (one, two, other) = (Self.line("x", "one"), Self.line("x", "two"), Self.line("y", "y"))
        let first = try await index([one, other, two])
        #expect(first.status == 0)
        #expect(first.output.hasPrefix("2 objects indexed;"))
        #expect(
            first.error == "textindex: lines.jsonl, line 3: the identifier \"x\" of line 1 again; "
                + "the last one counts\n")
        #expect(try await titles() == ["two", "y"])
        for _ in 0..<3 {
            let again = try await index([one, other, two])
            #expect(again.output.hasPrefix("0 objects indexed, 2 unchanged;"))
            #expect(again.errorLines.count == 1)
            #expect(try await titles() == ["two", "y"])
        }
        for (lines, title) in [
            ([two, other, one], "one"), ([one, other, one], "one"),
            ([one, two, other, one], "one"),
            ([one, one, other, two], "two"), ([one, other], "one"), ([two, other], "two"),
            ([one, other, two], "two"), ([one, other], "one"), ([one, two, other], "two"),
        ] {
            _ = try await index(lines)
            #expect(try await titles() == [title, "y"], "\(lines)")
            let again = try await index(lines)
            #expect(again.output.hasPrefix("0 objects indexed, 2 unchanged;"), "\(lines)")
            #expect(try await titles() == [title, "y"], "\(lines)")
        }
    }

    @Test func oneIdentifierInSeveralSources() async throws {
        try folder.write(Self.line("a.txt", "one"), to: "one.jsonl")
        try folder.write("\n" + Self.line("a.txt", "two"), to: "two.jsonl")
        try folder.write("three", to: "a.txt")
        for run in 0..<2 {
            let result = try await command.run(
                "index", "one.jsonl", "two.jsonl", "a.txt", "--index", "index")
            #expect(result.output.hasPrefix("\(1 - run) object"))
            #expect(
                result.errorLines.map { $0.prefix { $0 != ";" } } == [
                    "textindex: two.jsonl, line 2: the identifier \"a.txt\" of one.jsonl, line 1 "
                        + "again", "textindex: a.txt: the identifier \"a.txt\" of line 2 again",
                ])
            #expect(try await command.search("three").identifiers == ["a.txt"])
            #expect(try await command.search("two").total == 0)
        }
        let turned = try await command.run(
            "index", "a.txt", "-", "--index", "index", input: Data(Self.line("a.txt", "four").utf8))
        #expect(turned.error.contains("standard input, line 1: the identifier"))
        #expect(turned.error.contains("of the file a.txt again"))
        #expect(try await command.search("four").total == 1)
    }

    @Test func linesThatMovedAreFoundAgain() async throws {
        try await _ = indexed([Self.line("x", "duck")])
        try await _ = indexed([Self.line("y", "goose"), Self.line("x", "duck")])
        let hit = try await command.search("duck").hits.first
        #expect(hit?.note == nil)
        #expect(hit?.snippets.map(\.text) == ["duck"])
        // A line that went to another file is not lost with the first one.
        try folder.write(Self.line("x", "duck"), to: "other.jsonl")
        try await command.run("index", "other.jsonl", "--index", "index")
        try await _ = indexed([Self.line("y", "goose")], "--sync")
        #expect(try await command.search("duck").total == 1)
    }

    @Test func invalidUnicodeInLinesIsReplaced() async throws {
        var data = Data(#"{"id": 1, "title": "duck "#.utf8)
        data.append(0xFF)
        data.append(Data("\"}\n{\"id\": 2, \"title\": \"duck \\ud800\"}\r\n".utf8))
        try folder.write(data, to: "bad.jsonl")
        let result = try await command.run("index", "bad.jsonl", "--index", "index")
        #expect(result.status == 0)
        #expect(result.errorLines.count == 2)
        let report = try await command.search("duck")
        #expect(report.identifiers == ["1", "2"])
        #expect(report.hits.map { $0.snippets.first?.text } == ["duck \u{FFFD}", "duck \u{FFFD}"])
    }

    @Test func otherFieldsNeedAnotherIndex() async throws {
        try folder.write(Self.shop, to: "shop.jsonl")
        _ = try await index()
        let result = try await command.run(
            "index", "shop.jsonl", "--index", "index", "--field", "text")
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.error.contains("name, text"))
    }
}

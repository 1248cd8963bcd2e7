import Foundation
import Testing

@Suite struct AnalyzeTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    private struct Word: Decodable {
        var start: Int
        var end: Int
        var position: Int
        var word: String
        var term: String
        var stems: [String: String]
        var leftOut: String?
    }

    private func words(_ arguments: String...) async throws -> [Word] {
        let result = try await command.run(["analyze", "--json"] + arguments)
        #expect(result.status == 0 && result.error.isEmpty)
        return try JSONDecoder().decode([Word].self, from: Data(result.output.utf8))
    }

    @Test func tableOfWords() async throws {
        let result = try await command.run("analyze", "The Stra\u{df}e, naïve")
        #expect(result.status == 0)
        #expect(
            result.output == """
                place  position  word    term
                0-3    0         The     the
                4-10   1         Straße  strasse
                12-17  2         naïve   naive

                """)
    }

    @Test func stemsTokenizersAndStopWords() async throws {
        let french = try await words("les maisons de l’homme", "--stem", "fr", "--stop-words", "fr")
        #expect(french.map(\.leftOut) == [nil, nil, nil, nil])
        #expect(french.map { $0.stems["french"] } == ["le", "maison", "de", "homm"])
        let code = try await words("getHTTP_v2", "--tokenizer", "code")
        #expect(code.map(\.term) == ["gethttp_v2", "get", "http", "v", "2"])
        #expect(code.map(\.position) == [0, 0, 1, 2, 3])
        let query = try await words("getHTTP", "--tokenizer", "code", "--query")
        #expect(query.map(\.term) == ["get", "http"])
        #expect(
            try await words("the duck", "--stop-words", "none").allSatisfy { $0.leftOut == nil })
    }

    @Test func asAnIndexDoes() async throws {
        try folder.write("{\"id\":\"1\",\"title\":\"A duck\"}\n", to: "a.jsonl")
        try await command.run("index", "a.jsonl", "--id", "id", "--field", "title", "--index", "x")
        #expect(
            try await words("Ducks", "--index", "x", "--field", "title").map(\.term) == ["ducks"])
        let wrong = try await command.run("analyze", "x", "--index", "x", "--field", "body")
        #expect(wrong.status == 2 && wrong.error.contains("title"))
    }

    @Test func errorsAndNothing() async throws {
        let nothing = try await command.run("analyze", " … ")
        #expect(nothing.status == 1)
        for arguments in [
            ["--stem", "klingon"], ["--stop-words", "xx"], ["--field", "title"],
            ["--tokenizer", "what"], ["--index", "x", "--stem", "en"],
        ] {
            let result = try await command.run(["analyze", "x"] + arguments)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.error.split(separator: "\n").count == 1, "\(arguments)")
        }
    }

    @Test func anIndexKeepsItsAnalysis() async throws {
        try folder.write("Die Häuser von C++\n", to: "a.txt")
        let made = try await command.run(
            "index", "a.txt", "--index", "x", "--stem", "de", "--stop-words", "de", "--tokenizer",
            "symbols")
        #expect(made.status == 0)
        let found = try await command.run("search", "haus", "--mode", "query", "--index", "x")
        #expect(found.status == 0 && found.output.contains("Häuser"))
        #expect(try await command.run("search", "c++", "--index", "x").status == 0)
        let words = try await words("Die Häuser C++", "--index", "x")
        #expect(words.map(\.term) == ["die", "hauser", "c++"])
        #expect(words.map(\.leftOut) == [nil, nil, nil])
        let other = try await command.run("index", "a.txt", "--index", "x", "--stem", "en")
        #expect(other.status == 2 && other.error.contains("--stem"))
        let same = try await command.run("index", "a.txt", "--index", "x")
        #expect(same.status == 0)
    }
}

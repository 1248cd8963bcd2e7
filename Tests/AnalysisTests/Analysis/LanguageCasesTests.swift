import Foundation
import Testing
import TextSearch

@testable import TestSupport

@Suite("Analysis: what people of many languages expect")
struct LanguageCasesTests {
    @Test("Cases are found as the files say", arguments: LanguageFixture.files)
    func cases(_ file: String) throws {
        let cases = try LanguageFixture.cases(of: file)
        let directory = temporaryDirectory("languages")
        defer { try? FileManager.default.removeItem(at: directory) }
        var index = try open(directory)
        for operation in cases.map({ index.indexObject($0) }) {
            operation.waitUntilFinished()
            #expect(operation.error == nil)
        }
        try check(cases, in: index, "in memory")
        try index.flush()
        try index.close()
        index = try open(directory)
        try check(cases, in: index, "flushed and opened again")
        try index.close()
    }

    @Test("The case files have many cases, in many languages")
    func coverage() throws {
        let cases = try LanguageFixture.files.flatMap { try LanguageFixture.cases(of: $0) }
        #expect(cases.count >= 300)
        #expect(Set(cases.map(\.file)).count >= 20)
        #expect(Set(cases.map(\.language)).count >= 20)
    }

    @Test(
        "Files with mistakes are refused",
        arguments: [
            "a | b | c", "@tongue x", "@language x\na | a", "@language x\na | a | b",
            "@language x\na |  | a", "@language x\na | a | a\na | a | -",
        ])
    func mistakes(_ text: String) {
        #expect(throws: LanguageFileError.self) {
            try LanguageFixture.parse(text, file: "x.txt")
        }
    }

    private func open(_ directory: URL) throws -> TextIndex<LanguageCase> {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let index = try TextIndex<LanguageCase>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { one, _ in IndexedObject(strings: [one.text]) }
        return index
    }

    private func check(
        _ cases: [LanguageCase], in index: TextIndex<LanguageCase>, _ stage: String
    ) throws {
        for one in cases {
            let found = try pieces(of: one, in: index)
            // By bytes: strings are equal however they are composed.
            let isAsExpected = found?.map { Array($0.utf8) } == one.pieces?.map { Array($0.utf8) }
            if isAsExpected == one.isKnownDifference {
                Issue.record("\(message(one, found, stage))")
            }
        }
    }

    /// What a search for the keyword highlights in the text of its case; nil when it does not find
    /// it.
    private func pieces(
        of one: LanguageCase, in index: TextIndex<LanguageCase>
    ) throws -> [String]? {
        let results = try index.searchResults(forKeyword: one.keyword)
        guard let item = results.first(where: { $0.identifier == one.identifier }) else {
            return nil
        }
        return try item.resultTokens.map { token in
            let range = try #require(item.range(of: token, in: one.text), "\(one.place)")
            return String(one.text[range])
        }
    }

    private func message(_ one: LanguageCase, _ found: [String]?, _ stage: String) -> String {
        let got = found?.escaped.joined(separator: " ; ") ?? "-"
        let expected = one.pieces?.escaped.joined(separator: " ; ") ?? "-"
        let advice =
            one.isKnownDifference ? " As it should be now: remove the “!” of this line." : ""
        return """
            \(one.place) (\(one.language), \(stage)): text “\(one.text.escaped)”, \
            keyword “\(one.keyword.escaped)”, got \(got), expected \(expected).\(advice)
            """
    }
}

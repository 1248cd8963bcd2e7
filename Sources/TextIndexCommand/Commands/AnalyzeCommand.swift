import ArgumentParser
import Foundation
import TextSearch

/// `textindex analyze`: shows the words of a text as an index sees them.
struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Shows how a text is cut into words and folded.",
        discussion: """
            Each word with its place (UTF-16 units), its position, the term it is indexed as, its \
            stems, and why it cannot be found if so. Without --index the options say how to \
            analyse; with it the index does.

            Examples:
              textindex analyze 'The Straße, naïve cafés'
              textindex analyze --stem french 'les maisons de l’homme'
              textindex analyze --tokenizer code 'getHTTPResponse_v2'
              textindex analyze --index my.textindex --field title 'Some words'
              textindex analyze - < file.txt
            """
    )

    @Argument(help: "The text; - reads standard input.")
    var text: String

    @Option(
        name: [.customLong("index"), .customShort("i")],
        help: ArgumentHelp("Analyse as this index does.", valueName: "dir"), completion: .directory)
    var index: String?

    @Option(help: "The field of the index whose analysis to show.")
    var field: String?

    @OptionGroup var options: AnalysisOptions

    @Flag(help: "Read the text as that of a query.")
    var query = false

    @Flag(help: "Print one JSON document.")
    var json = false

    func validate() throws {
        if field != nil, index == nil { throw ValidationError("--field needs --index") }
        if index != nil, !options.isEmpty {
            throw ValidationError(
                "with --index the index says how to analyse; leave the options out")
        }
    }

    func run() throws {
        let text = self.text == "-" ? try standardInput() : self.text
        let words = try index.map { try self.words(text, in: $0) } ?? self.words(text)
        if json {
            try Console.write(words.map { Word($0, of: text) }.jsonDocument())
        } else if !words.isEmpty {
            try Console.write(Self.table(words, of: text))
        }
        if words.isEmpty {
            Console.writeError("no words in this text\n")
            throw Outcome.nothingFound
        }
    }

    private func standardInput() throws -> String {
        guard let data = try FileHandle.standardInput.readToEnd() else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    private func words(_ text: String, in path: String) throws -> [AnalyzedWord] {
        let folder = try IndexFolder(existing: path)
        defer { try? folder.index.close() }
        return try folder.index.analyze(text, field: field, asQuery: query)
    }

    private func words(_ text: String) throws -> [AnalyzedWord] {
        try options.choice().analysis().analyze(text, asQuery: query)
    }

    private static func table(_ words: [AnalyzedWord], of text: String) -> String {
        let rows = words.map { word in
            [
                "\(word.utf16Range.lowerBound)-\(word.utf16Range.upperBound)", "\(word.position)",
                Printable.line(String(text[word.range])), Printable.line(word.term),
                word.stems.sorted { $0.key.rawValue < $1.key.rawValue }
                    .map { "\($0.key.rawValue):\(Printable.line($0.value))" }
                    .joined(separator: " "),
                word.omission.map(note) ?? "",
            ]
        }
        let titles = ["place", "position", "word", "term", "stems", "left out"]
        let hasStems = rows.contains { !$0[4].isEmpty }
        let hasNotes = rows.contains { !$0[5].isEmpty }
        let columns = titles.indices.filter { ($0 != 4 || hasStems) && ($0 != 5 || hasNotes) }
        return ([titles] + rows).map { row in
            columns.map { column in
                let width = ([titles] + rows).map { $0[column].count }.max() ?? 0
                let isLast = column == columns.last
                return isLast
                    ? row[column]
                    : row[column] + String(repeating: " ", count: width - row[column].count + 2)
            }
            .joined().trimmingCharacters(in: .whitespaces) + "\n"
        }
        .joined()
    }

    private static func note(_ omission: AnalyzedWord.Omission) -> String {
        switch omission {
        case .stopWord: "a stop word"
        case .filter: "dropped by a filter"
        case .empty: "nothing to see"
        }
    }

    private struct Word: Encodable {
        var start: Int
        var end: Int
        var position: Int
        var word: String
        var term: String
        var stems: [String: String]
        var leftOut: String?

        init(_ word: AnalyzedWord, of text: String) {
            start = word.utf16Range.lowerBound
            end = word.utf16Range.upperBound
            position = word.position
            self.word = String(text[word.range])
            term = word.term
            stems = Dictionary(
                uniqueKeysWithValues: word.stems.map { ($0.key.rawValue, $0.value) })
            leftOut = word.omission?.rawValue
        }
    }
}

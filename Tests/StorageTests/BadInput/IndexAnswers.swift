import Foundation

@testable import TestSupport
@testable import TextSearch

/// All that an index says, in a form that tells any two answers apart.
struct IndexAnswers: Equatable {
    private var lines: [String]

    init(_ index: TextIndex<WorkNote>) throws {
        lines = try index.identifiers().map { "\($0.base64EncodedString())" }
        lines.append("\(index.count)")
        for keyword in ["", "stamp", "stamp1", "v2e", "body", "ing", "nothing of it"] {
            lines += try index.searchResults(forKeyword: keyword).map(Self.line)
        }
        for text in ["stamp* -ending", "\"the body\" OR heading~1", "stamp11*"] {
            lines += try index.search(text, limit: .max).map(Self.line)
        }
        for id in [0, 1, 119, 120, 130, 500] {
            lines.append("\(try index.contains(identifier: WorkNote.identifier(id)))")
        }
    }

    private static func line(_ item: SearchResultItem<WorkNote>) -> String {
        let tokens = item.resultTokens.map {
            "\($0.string).\($0.word).\($0.token).\($0.length)"
        }
        let context = item.context.sorted { $0.key < $1.key }.map { "\($0)\($1)" }
        return
            "\(item.identifier.base64EncodedString()) \(item.weight) \(context) \(tokens)"
    }
}

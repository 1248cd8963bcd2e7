import Foundation
import Testing

@testable import TextSearch

/// A small object for tests that write their text out.
struct PlainNote: Sendable {
    var id: String
    var strings: [String]
    var weight = 0.0
    var context: [String: ContextValue] = [:]

    init(
        _ id: String, _ strings: String..., weight: Double = 0,
        context: [String: ContextValue] = [:]
    ) {
        self.id = id
        self.strings = strings
        self.weight = weight
        self.context = context
    }

    var identifier: Data { Data(id.utf8) }
}

/// An index of notes in a directory of its own, removed when nobody holds it any more.
final class PlainNoteIndex: Sendable {
    let directory: URL
    let index: TextIndex<PlainNote>

    init(
        _ notes: [PlainNote] = [], at directory: URL? = nil,
        _ configure: (inout TextIndexConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = TextIndexConfiguration()
        configure(&configuration)
        self.directory = directory ?? temporaryDirectory("notes")
        index = try TextIndex<PlainNote>(at: self.directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in
            IndexedObject(strings: note.strings, weight: note.weight, context: note.context)
        }
        try add(notes)
    }

    /// Has `body` check an index of some notes in each stage, and after reopening.
    static func inAllStages(
        _ notes: [PlainNote], _ configure: (inout TextIndexConfiguration) -> Void,
        _ body: (PlainNoteIndex) throws -> Void
    ) throws {
        let index = try PlainNoteIndex(notes, configure)
        for stage in Stage.allCases {
            try index.enter(stage)
            try body(index)
        }
        try index.index.close()
        let again = try PlainNoteIndex(at: index.directory, configure)
        try body(again)
        try again.index.close()
    }

    deinit {
        try? index.close()
        try? FileManager.default.removeItem(at: directory)
    }

    func add(_ notes: [PlainNote]) throws {
        for operation in notes.map({ index.indexObject($0) }) {
            operation.waitUntilFinished()
            if let error = operation.error { throw error }
        }
    }

    /// The notes that a keyword finds, in order.
    func ids(_ keyword: String) throws -> [String] {
        try index.searchResults(forKeyword: keyword).map(\.id)
    }

    /// The notes that a query finds, by name.
    func ids(_ query: Query) throws -> [String] {
        try index.search(query, limit: .max).map(\.id).sorted()
    }

    /// The text under each match, of all results in order.
    func texts(_ keyword: String, in notes: [PlainNote]) throws -> [String] {
        try index.searchResults(forKeyword: keyword).flatMap { item in
            try item.resultTokens.map { token in
                let note = try #require(notes.first { $0.id == item.id })
                let string = note.strings[token.string]
                let range = try #require(item.range(of: token, in: string))
                #expect(NSRange(range, in: string) == item.range(of: token))
                return String(string[range])
            }
        }
    }

    /// Brings what was indexed so far to a stage.
    func enter(_ stage: Stage) throws {
        switch stage {
        case .memory: break
        case .flushed: try index.flush()
        case .optimized: try index.optimize()
        }
    }
}

/// Where objects lie: searches must give the same in each.
enum Stage: CaseIterable {
    case memory
    case flushed
    case optimized
}

extension SearchResultItem {
    /// The identifier as text.
    var id: String { String(decoding: identifier, as: UTF8.self) }
}

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Words that no index has are told over several indexes as by one index of all objects")
struct FederatedWordTests {
    private struct Item: Sendable {
        var id: Int
        var text: String
    }

    private static let texts = [
        "duck goose", "duck whale", "goose whales", "white whale", "docks", "luck duck", "lock",
        "duct tape", "dusk", "ducat", "sea", "deck deck", "tusk", "seal whale", "unique",
    ]
    private static let queries = [
        "duck", "duk", "xyzzy", "duck xyzzy", "duk gose whle", "duck OR sae", "duck -duck",
        "\"whale goose\"", "unique", "uniqe", "duck -zzz", "text:lok", "duc*", "the of",
        "white -whale", "duck -no", "white NOT whale", "NOT LUCK", "seal?whale", "d?ck", "l?ck=1",
        "a1 b2 c3 d4 e5 f6 g7 h8 i9 j10",
    ]

    private func index(_ items: [Item]) async throws -> TextIndex<Item> {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["text"]
        let index = try TextIndex<Item>(
            at: temporaryDirectory("words"), configuration: configuration)
        index.identifier = { Data("\($0.id)".utf8) }
        index.indexer = { item, _ in IndexedObject(strings: [item.text]) }
        if !items.isEmpty { try await index.indexObjects(items) }
        return index
    }

    /// Makes shards, and one index of all, for as long as `body` runs.
    private func use(
        _ count: Int, of texts: [String] = texts,
        _ body: (_ shards: [TextIndex<Item>], _ whole: TextIndex<Item>) async throws -> Void
    ) async throws {
        let items = texts.enumerated().map { Item(id: $0.offset, text: $0.element) }
        var shards: [TextIndex<Item>] = []
        for shard in 0..<count {
            shards.append(try await index(items.filter { $0.id % count == shard }))
        }
        let whole = try await index(items)
        try await body(shards, whole)
        for index in shards + [whole] {
            try index.closeVerified()
            try FileManager.default.removeItem(at: index.directory)
        }
    }

    @Test("The remarks are those of one index", arguments: [1, 2, 4, 20])
    func remarks(count: Int) async throws {
        try await use(count) { shards, whole in
            let everywhere = try FederatedSearch(shards)
            var kinds: Set<QueryDiagnostic.Kind> = []
            for query in Self.queries {
                for limit in [1, 20] {
                    let found = try everywhere.search(query, limit: limit).diagnostics
                    let expected = try await whole.search(query, limit: limit).diagnostics
                    #expect(Array(found) == Array(expected), "\(query), \(limit)")
                    kinds.formUnion(found.map(\.kind))
                }
                let typed = Query.all(of: query.split(separator: " ").map { .term(String($0)) })
                let found = try everywhere.search(typed).diagnostics
                let expected = try await whole.search(typed).diagnostics
                #expect(Array(found) == Array(expected), "\(query) as a query")
            }
            #expect(
                kinds.isSuperset(of: [
                    .unknownWord, .noMatch, .minusExcludes, .minusReadAsText, .operatorReadAsText,
                    .wildcardReadAsText,
                ]))
            for signs in ["", "!!!"] {
                let found = try everywhere.search(signs).diagnostics
                #expect(Array(found) == Array(try await whole.search(signs).diagnostics))
            }
            // Another page says it once.
            let page = try everywhere.search("duck OR sae", limit: 1)
            let next = try everywhere.search(after: page.cursor)
            #expect(next.diagnostics.count { $0.kind == .unknownWord } == 1)
        }
    }

    @Test("What was removed is not known, and not suggested")
    func removed() async throws {
        try await use(3) { shards, whole in
            for (id, index) in [(14, shards[2]), (14, whole)] {
                _ = try await index.removeIndex(for: Item(id: id, text: "")).value()
            }
            let everywhere = try FederatedSearch(shards)
            for query in ["unique", "uniqe"] {
                let found = try everywhere.search(query).diagnostics
                #expect(Array(found) == Array(try await whole.search(query).diagnostics))
                #expect(found.first?.kind == .unknownWord)
                #expect(found.first?.suggestions.isEmpty == true)
            }
        }
    }

    @Test("Indexes in other processes tell the words that they lack", arguments: [1, 3, 20])
    func toldWords(count: Int) async throws {
        try await use(count) { shards, whole in
            for query in Self.queries {
                var sum = try QueryStatistics.sum(of: shards.map { try $0.statistics(of: query) })
                while !sum.isComplete {
                    let known = sum
                    sum = try .sum(of: shards.map { try $0.statistics(of: query, known: known) })
                }
                let told = try shards.map { shard in
                    let words = try shard.search(query, statistics: sum).findUnknownWords()
                    return try Self.sent(try #require(words))
                }
                let common = UnknownWord.common(to: told).prefix(8).map(\.diagnostic)
                let expected = try await whole.search(query).diagnostics.filter {
                    $0.kind == .unknownWord
                }
                #expect(Array(common) == expected, "\(query)")
            }
        }
    }

    /// The words as another process reads them.
    private static func sent(_ words: [UnknownWord]) throws -> [UnknownWord] {
        var writer = MessageWriter()
        writer.write(words.count)
        for word in words { word.write(to: &writer) }
        var reader = MessageReader(writer.bytes[...])
        var read: [UnknownWord] = []
        for _ in 0..<(try reader.count(ofAtLeast: 4)) {
            read.append(try UnknownWord(reading: &reader))
        }
        #expect(read == words && reader.isAtEnd)
        return read
    }

    @Test("What is cut short is no word")
    func cutShort() throws {
        let word = UnknownWord(
            word: Array("duk".utf8), range: 2..<5,
            near: [.init(term: Array("duck".utf8), edits: 1, objects: 3)])
        var writer = MessageWriter()
        word.write(to: &writer)
        for count in 0..<writer.bytes.count {
            var reader = MessageReader(writer.bytes.prefix(count))
            #expect(throws: MalformedMessage.self) { try UnknownWord(reading: &reader) }
        }
    }
}

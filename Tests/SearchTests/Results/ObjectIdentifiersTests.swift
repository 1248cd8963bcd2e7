import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Identifiers of all matches")
struct ObjectIdentifiersTests {
    private static let words = ["duck", "ducks", "goose", "swan", "heron", "teal"]

    private static func note(_ id: Int, _ generator: inout SeededGenerator) -> PlainNote {
        // Of lengths that share beginnings, or nothing.
        let name = id % 3 == 0 ? "note/\(id)/\(String(repeating: "x", count: id % 40))" : "\(id)"
        let text = (0..<generator.int(0...6)).map { _ in words[generator.int(0...5)] }
        return PlainNote(
            name, text.joined(separator: " "), weight: Double(generator.int(0...3)))
    }

    private static let queries: [Query] = [
        .everything, .nothing, .term("duck"), .filter(.prefix("duck")), .infix("oo"),
        .any(of: [.term("swan"), .term("teal")]), .all(of: [.term("swan"), .term("heron")]),
    ]

    private static let rankings: [Ranking] = [
        .relevance, .weight, .combined, .sorted(by: [.weight(.ascending), .relevance]),
        .custom { $0.weight * 2 - $0.relevance },
    ]

    @Test(
        "The identifiers are those of all results, in their order, after updates and removals",
        arguments: testSeeds(4))
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex { $0.bufferSize = 1 << 14 }
        try notes.add((0..<700).map { Self.note($0, &generator) })
        for round in 0..<3 {
            try expectSame(notes, "seed \(seed), round \(round), in memory")
            try notes.index.flush()
            try expectSame(notes, "seed \(seed), round \(round), flushed")
            try notes.add((0..<90).map { _ in Self.note(generator.int(0...800), &generator) })
            for _ in 0..<60 {
                let note = Self.note(generator.int(0...800), &generator)
                notes.index.removeIndex(forIdentifier: note.identifier).waitUntilFinished()
            }
        }
        try expectSame(notes, "seed \(seed), changed")
        try notes.index.optimize()
        try expectSame(notes, "seed \(seed), optimized")
        try notes.index.closeVerified()
        let again = try PlainNoteIndex(at: notes.directory)
        try expectSame(again, "seed \(seed), opened again")
        try again.index.closeVerified()
    }

    private func expectSame(_ notes: PlainNoteIndex, _ what: String) throws {
        for query in Self.queries {
            for ranking in Self.rankings {
                let found = try notes.index.identifiers(for: query, ranking: ranking)
                // Small pages have their identifiers from records.
                let pages = try notes.index.results(for: query, ranking: ranking)
                #expect(Array(found) == pages.map(\.identifier), "\(what): \(query)")
                #expect(found.isComplete && pages.error == nil)
                let large = try notes.index.search(query, limit: .max, ranking: ranking)
                #expect(large.map(\.identifier) == pages.map(\.identifier), "\(what): \(query)")
                #expect(large.map(\.weight) == pages.map(\.weight), "\(what): \(query)")
            }
        }
    }

    @Test("The identifiers stay when the index changes and closes")
    func kept() throws {
        let notes = try PlainNoteIndex((0..<600).map { PlainNote("\($0)", "duck") })
        try notes.index.flush()
        try notes.add([PlainNote("last", "duck")])
        let found = try notes.index.identifiers(for: .term("duck"))
        try notes.index.removeAll()
        try notes.index.optimize()
        try notes.index.close()
        #expect(found.count == 601)
        #expect(Set(found.map { String(decoding: $0, as: UTF8.self) }).count == 601)
        #expect(found.last == Data("last".utf8))
        #expect(throws: TextIndexError.self) { _ = try notes.index.identifiers(for: .everything) }
    }

    @Test("Context of a large page is there when the index closed before anybody asked")
    func context() throws {
        let notes = try PlainNoteIndex(
            (0..<400).map { PlainNote("\($0)", "duck", context: ["n": .int(Int64($0))]) })
        try notes.index.flush()
        let items = try notes.index.search(.term("duck"), limit: .max).items
        try notes.index.removeAll()
        try notes.index.close()
        #expect(items.count == 400)
        for item in items {
            #expect(item.context == ["n": .int(Int64(item.id) ?? -1)])
            #expect(item.resultTokens.count == 1 && item.failure == nil)
        }
    }

    @Test("Pages with any change are read as something else, or refused, and never trap")
    func damagedPages() throws {
        var generator = SeededGenerator(seed: 7)
        let names = ["a", "ab", "", "abc", "xyz", String(repeating: "long", count: 300)]
        let batch = StoreBatch()
        var writer = IdentifierWriter(number: 1, batch: batch)
        for name in names { Array(name.utf8).withUnsafeBufferPointer { writer.append($0) } }
        writer.finish()
        let folder = try TemporaryFolder("identifier-pages")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        try store.commit(batch, sync: false)
        var key = Buffer<UInt8>()
        Key.column(segment: 1, column: Column.identifiers, page: 0, into: &key)
        let stored = try #require(try store.value(key.toArray()))
        try store.close()
        let page = try stored.withUnsafeBytes { try IdentifierPage($0, count: names.count) }
        for (place, name) in names.enumerated() {
            #expect(page.withIdentifier(at: place) { Array($0) } == Array(name.utf8))
        }
        for _ in 0..<2000 {
            var bytes = stored
            bytes[generator.int(0...(bytes.count - 1))] ^= UInt8(1 << generator.int(0...7))
            if generator.int(0...3) == 0 { bytes.removeLast(generator.int(0...bytes.count)) }
            let count = names.count + generator.int(-1...1)
            guard let page = try? bytes.withUnsafeBytes({ try IdentifierPage($0, count: count) })
            else { continue }
            #expect(page.count == count)
            for place in 0..<count { _ = page.withIdentifier(at: place) { $0.count } }
        }
    }
}

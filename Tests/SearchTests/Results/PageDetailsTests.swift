import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Matches that are looked for when somebody asks")
struct PageDetailsTests {
    private static let words = ["duck", "ducks", "swan", "teal", "getURL", "Straße", "北京烤鸭", "é"]

    /// Items of a page that nobody looked into, and what is to be found in them.
    private struct Page {
        var items: [SearchResultItem<PlainNote>]
        var expected: [[ResultToken]]
        var query: Query

        /// Whether the items give what was found when they were made.
        var isRight: Bool {
            zip(items, expected).allSatisfy { $0.resultTokens == $1 && $0.failure == nil }
        }
    }

    private static func note(_ id: Int, _ generator: inout SeededGenerator) -> PlainNote {
        let text = (0..<generator.int(1...12)).map { _ in generator.element(words) }
        return PlainNote(
            "\(id)", text.joined(separator: " "), generator.element(words), weight: Double(id % 3))
    }

    private static func query(_ generator: inout SeededGenerator) -> Query {
        switch generator.int(0...6) {
        case 0: .prefix("du")
        case 1: .infix("a")
        case 2: .phrase("duck \(generator.element(words))")
        case 3: .fuzzy("dukc")
        case 4: .any(of: [.term("swan"), .term("ducks"), .keyword("url")])
        case 5: .near([.term("duck"), .term("teal")], within: 3)
        default: .all(of: [.term("duck"), .term(generator.element(words))])
        }
    }

    /// A page of an index, looked up twice in one state: one of them is asked at once.
    private static func page(
        _ index: TextIndex<PlainNote>, _ generator: inout SeededGenerator
    ) throws -> Page {
        let query = query(&generator)
        let limit = generator.int(1...30)
        let items = try index.search(query, limit: limit).items
        let same = try index.search(query, limit: limit).items
        #expect(items.map(\.id) == same.map(\.id))
        return Page(items: items, expected: same.map(\.resultTokens), query: query)
    }

    private func expectRight(_ pages: [Page], _ note: Comment) {
        for page in pages {
            for (item, expected) in zip(page.items, page.expected) {
                #expect(item.failure == nil, "\(page.query); \(note)")
                #expect(item.resultTokens == expected, "\(page.query); \(note)")
            }
        }
    }

    @Test(
        "The matches are those of the state that the search saw",
        arguments: testSeeds(6))
    func changes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex { $0.bufferSize = 1 << 14 }
        var pages: [Page] = []
        try notes.add((0..<40).map { Self.note($0, &generator) })
        for step in 0..<60 {
            pages.append(try Self.page(notes.index, &generator))
            switch generator.int(0...9) {
            case 0: try notes.index.flush()
            case 1: try notes.index.optimize()
            case 2:
                let gone = Data("\(generator.int(0...60))".utf8)
                notes.index.removeIndex(forIdentifier: gone).waitUntilFinished()
            case 3 where generator.once(in: 4): try notes.index.removeAll()
            default:
                try notes.add((0..<5).map { _ in Self.note(generator.int(0...60), &generator) })
            }
            if generator.once(in: 3), let page = pages.randomElement(using: &generator) {
                expectRight([page], "seed \(seed), step \(step)")
            }
        }
        if generator.once(in: 2) { try notes.index.optimize() }
        try notes.index.closeVerified()
        expectRight(pages, "seed \(seed), closed")
        #expect(pages.contains { $0.expected.contains { !$0.isEmpty } }, "seed \(seed)")
    }

    @Test("The oldest of too many waiting pages are found at once, and all are right")
    func manyPages() throws {
        var generator = SeededGenerator(seed: 5)
        let notes = try PlainNoteIndex()
        try notes.add((0..<60).map { Self.note($0, &generator) })
        try notes.index.flush()
        let pages = try (0..<150).map { _ in try Self.page(notes.index, &generator) }
        // What waits holds the state of the index; what was found does not.
        try notes.add((0..<60).map { Self.note($0, &generator) })
        try notes.index.optimize()
        expectRight(pages, "after an optimization")
        let others = try (0..<150).map { _ in try Self.page(notes.index, &generator) }
        try notes.index.removeAll()
        try notes.index.close()
        expectRight(others, "after closing")
    }

    @Test("A page that waits holds its state; no more than 64 do, and none when they were found")
    func bounded() throws {
        let pending = PendingDetails()
        let folder = try TemporaryFolder("pages")
        let store = try IndexStore(at: folder("index"), configuration: .init())
        defer { try? store.close() }
        let notes = try PlainNoteIndex([PlainNote("a", "duck")])
        let snapshot = notes.index.writer.snapshot
        func details() -> PageDetails {
            PageDetails(
                PageDetails.Search(
                    snapshot: snapshot, store: store, fields: [], parameters: .init(),
                    query: .nothing, limits: QueryLimits(), budget: .unlimited,
                    maximumExpansions: 10, documents: [], records: []))
        }
        let kept = (0..<200).map { _ in details() }
        for page in kept { pending.add(page) }
        #expect(kept.filter { $0.isWaiting }.count == 64)
        #expect(kept.prefix(136).allSatisfy { !$0.isWaiting })
        pending.settle()
        #expect(kept.allSatisfy { !$0.isWaiting })
        // Those that nobody holds any more make room first.
        let again = (0..<60).map { _ in details() }
        for page in again { pending.add(page) }
        for _ in 0..<500 { pending.add(details()) }
        #expect(again.allSatisfy { $0.isWaiting })
        // So do those that were found.
        let found = (0..<3).map { _ in details() }
        for page in found {
            pending.add(page)
            page.settle()
        }
        let further = (0..<4).map { _ in details() }
        for page in further { pending.add(page) }
        #expect((again + further).allSatisfy { $0.isWaiting })
    }

    @Test(
        "Threads that ask for details while the index changes and closes get right ones",
        arguments: testSeeds(2))
    func threads(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex { $0.bufferSize = 1 << 14 }
        try notes.add((0..<60).map { Self.note($0, &generator) })
        try await notes.index.flush()
        let pages = try (0..<40).map { _ in try Self.page(notes.index, &generator) }
        let wrong = Shared<[String]>([])
        await onThreads(6) { thread in
            var generator = SeededGenerator(seed: seed &+ UInt64(thread))
            if thread == 0 {
                do {
                    for _ in 0..<4 {
                        try notes.add(
                            (0..<10).map { _ in Self.note(generator.int(0...80), &generator) })
                        try notes.index.flush()
                    }
                    try notes.index.optimize()
                    try notes.index.close()
                } catch {
                    wrong.change { $0.append("\(error)") }
                }
                return
            }
            for page in pages.shuffled(using: &generator) where !page.isRight {
                wrong.change { $0.append(page.query.description) }
            }
        }
        #expect(wrong.current == [], "seed \(seed)")
    }

    @Test("Items whose matches cannot be read say why, and are there")
    func failure() throws {
        let notes = try PlainNoteIndex([
            PlainNote("a", "duck Straße", weight: 2), PlainNote("b", "duck"),
        ])
        try notes.index.flush()
        let snapshot = notes.index.writer.snapshot
        let store = notes.index.store
        let documents = try notes.index.search(.term("duck"), limit: 9).items.map(\.document)
        let records = try documents.map { try damaged($0, store) }
        let details = PageDetails(
            PageDetails.Search(
                snapshot: snapshot, store: store, fields: [], parameters: .init(),
                query: .term("duck"), limits: QueryLimits(), budget: .unlimited,
                maximumExpansions: 10, documents: documents,
                records: records))
        let items = zip(documents, records).enumerated().map { place, pair in
            SearchResultItem(
                .record(pair.1.head), score: 1, matches: .page(.init(details), place),
                document: pair.0, index: notes.index)
        }
        #expect(Set(items.map(\.id)) == ["a", "b"])
        for item in items {
            #expect(item.resultTokens == [])
            #expect(item.failure?.code == .corrupted)
        }
        try notes.index.close()
        #expect(items[0].failure?.code == .corrupted)
    }

    /// A record of which the words' places are cut off.
    private func damaged(_ document: UInt32, _ store: IndexStore) throws -> StoredRecord {
        var key = Buffer<UInt8>()
        Key.document(.objects, document, into: &key)
        let record = try store.withValue(key, .objects) { bytes throws -> StoredRecord? in
            for count in stride(from: bytes.count - 1, to: 0, by: -1) {
                let cut = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                guard let record = try? StoredRecord(cut) else { return nil }
                if (try? record.record()) == nil { return record }
            }
            return nil
        }
        return try #require(record.flatMap { $0 })
    }
}

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Columns of attributes")
struct AttributeColumnTests {
    private struct Item: Sendable {
        var id: Int
        var attributes: [String: AttributeValue]
        var identifier: Data { Data("\(id)".utf8) }
    }

    private func open(_ directory: URL) throws -> TextIndex<Item> {
        let index = try TextIndex<Item>(at: directory)
        index.identifier = { $0.identifier }
        index.indexer = { item, _ in
            IndexedObject(strings: ["item"], attributes: item.attributes)
        }
        return index
    }

    /// How often each value is counted, and by brute force.
    private func check(_ index: TextIndex<Item>, _ items: [Item], _ name: String) throws {
        let facet = Facet.values(of: name, limit: .max)
        let found = try index.search(.everything, limit: 0, facets: [facet]).facets[0]
        var expected: [AttributeValue: Int] = [:]
        for item in items {
            for value in Set(item.attributes[name]?.scalars ?? []) {
                expected[value, default: 0] += 1
            }
        }
        let counted = Dictionary(
            uniqueKeysWithValues: found.buckets.compactMap { bucket -> (AttributeValue, Int)? in
                if case .value(let value) = bucket.key { (value, bucket.count) } else { nil }
            })
        #expect(counted == expected, "\(name)")
    }

    @Test(
        "A column of many pages counts right, merged, without the attribute and with dead documents",
        arguments: testSeeds(1))
    func pages(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("columns")
        let index = try open(folder("index"))
        var items: [Int: Item] = [:]
        for round in 0..<3 {
            let new = (0..<7000).map { number in
                var item = Item(id: round * 6000 + number, attributes: [:])
                // None in the second page.
                if !(4096..<8192).contains(number) {
                    item.attributes["few"] = .number(Double(number % 3))
                    item.attributes["many"] = .string("value \(generator.int(0...70_000))")
                }
                if generator.once(in: 300) {
                    item.attributes["list"] = .array(
                        (0..<generator.int(0...3)).map { _ in .number(Double(generator.int(0...9)))
                        })
                }
                return item
            }
            try await index.indexObjects(new)
            try await index.flush()
            for item in new { items[item.id] = item }
        }
        for name in ["few", "many", "list"] { try check(index, Array(items.values), name) }
        for id in stride(from: 0, to: 18_000, by: 3) {
            index.removeIndex(forIdentifier: Data("\(id)".utf8))
            items[id] = nil
        }
        await index.waitUntilAllOperationsAreFinished()
        for name in ["few", "many", "list"] { try check(index, Array(items.values), name) }
        try await index.optimize()
        for name in ["few", "many", "list"] { try check(index, Array(items.values), name) }
        try index.closeVerified()
        let again = try open(folder("index"))
        for name in ["few", "many", "list"] { try check(again, Array(items.values), name) }
        try again.closeVerified()
    }

    @Test("More names than there are columns, and longer ones, are read from records")
    func names() async throws {
        let folder = try TemporaryFolder("columns")
        let index = try open(folder("index"))
        let long = String(repeating: "n", count: AttributeDirectory.longestName + 1)
        var items = (0..<2).map { id in
            let names = (0..<3000).map { "name \(id * 3000 + $0)" }
            return Item(id: id, attributes: Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        }
        items.append(Item(id: 2, attributes: [long: ["a", "b", "a"]]))
        try await index.indexObjects(items)
        for _ in 0..<2 {
            for name in ["name 0", "name 2999", "name 3000", "name 5999", long, "none"] {
                try check(index, items, name)
            }
            // What no object has leaves nothing behind, whatever is asked for.
            let snapshot = index.writer.snapshot
            let known =
                snapshot.memory.map { $0.segment.attributes.withLock { $0.columns.count } }
                + snapshot.flushed.map { $0.attributes.withLock { $0.columns.count } }
            #expect(known.allSatisfy { $0 <= 5 })
            try await index.flush()
        }
        let directory = try #require(try index.writer.snapshot.flushed.first?.attributeDirectory())
        #expect(directory.hasMore && directory.entries.count == AttributeDirectory.mostNames)
        try await index.indexObjects([Item(id: 3, attributes: [long: "c"])])
        items.append(Item(id: 3, attributes: [long: "c"]))
        try await index.flush()
        try await index.optimize()
        try check(index, items, long)
        try index.closeVerified()
    }

    @Test("Values that are too much for a page are read from records, and merged so")
    func large() async throws {
        let folder = try TemporaryFolder("columns")
        let index = try open(folder("index"))
        func items(_ ids: Range<Int>, _ length: Int) -> [Item] {
            ids.map { id in
                Item(
                    id: id,
                    attributes: [
                        "text": .string(String(repeating: "text", count: length) + "\(id % 400)"),
                        "other": .number(Double(id % 5)),
                    ])
            }
        }
        let all = items(0..<500, 12_000) + items(500..<600, 1)
        try await index.indexObjects(all.prefix(500))
        try await index.flush()
        try await index.indexObjects(all.suffix(100))
        try await index.flush()
        let first = try #require(try index.writer.snapshot.flushed.first?.attributeDirectory())
        #expect(first.entries.map(\.isWhole).sorted { !$0 && $1 } == [false, true])
        for _ in 0..<2 {
            for name in ["text", "other"] { try check(index, all, name) }
            try await index.optimize()
        }
        try index.closeVerified()
        let copy = folder("copy")
        let again = try open(folder("index"))
        try await again.backup(to: copy)
        try again.closeVerified()
        let copied = try open(copy)
        for name in ["text", "other"] { try check(copied, all, name) }
        try copied.closeVerified()
    }

    @Test(
        "The column form is in the order of values, that of texts apart, and gives them back",
        arguments: testSeeds(2))
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let values: [AttributeValue] = (0..<400).map { _ in
            switch generator.int(0...3) {
            case 0: return .bool(generator.once(in: 2))
            case 1: return .number(Double(bitPattern: generator.next()))
            case 2:
                return .date(
                    Date(timeIntervalSinceReferenceDate: Double(generator.int(-100...100)) / 3))
            default:
                return .string(
                    String(
                        (0..<generator.int(0...3)).map { _ in
                            generator.element(["a", "b"]) as Character
                        }))
            }
        }
        func form(_ value: AttributeValue) -> [UInt8] {
            var bytes = Buffer<UInt8>()
            ColumnValue.append(value, to: &bytes)
            return bytes.toArray()
        }
        for a in values {
            let back = form(a).withUnsafeBytes { ColumnValue.value($0) }
            #expect(back == a, "seed \(seed)")
            for b in values.prefix(60) {
                if case (.string, .string) = (a, b) { continue }
                #expect((a < b) == form(a).lexicographicallyPrecedes(form(b)), "seed \(seed)")
            }
        }
    }
}

import Foundation
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("An index of items", .timeLimit(.minutes(10)))
struct ItemIndexTests {
    private func item(
        _ id: String, _ domain: String? = nil, _ title: String = "duck", expires: Date? = nil
    ) -> SearchableItem {
        SearchableItem(
            id: id, domain: domain, attributes: ItemAttributes(title: title),
            expirationDate: expires)
    }

    private func ids(_ items: ItemIndex, _ query: String = "title == '*'") async throws -> [String]
    {
        try await items.items(matching: query).map(\.id).sorted()
    }

    private func expectCode(
        _ code: TextIndexError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? TextIndexError)?.code == code, sourceLocation: sourceLocation)
        }
    }

    @Test("Items are found as they were indexed, also after reopening")
    func everyday() async throws {
        let folder = try TemporaryFolder("items")
        var attributes = ItemAttributes(title: "Pekin duck", textContent: "With sugar and orange.")
        attributes.keywords = ["poultry", "sweet"]
        attributes.authorNames = ["Chef"]
        attributes.rating = 4
        attributes.contentCreationDate = Date(timeIntervalSinceReferenceDate: 1_000)
        attributes["course"] = "main"
        let wanted = SearchableItem(id: "1", domain: "kitchen.main", attributes: attributes)
        var items = try ItemIndex(at: folder("index"))
        try await items.index([wanted, item("2")])
        for _ in 0..<2 {
            #expect(try items.item(id: "1") == wanted)
            #expect(try items.item(id: "none") == nil)
            #expect(try await ids(items, "course == 'main' && rating > 3") == ["1"])
            #expect(try await ids(items, "textContent == 'sug*'") == ["1"])
            #expect(try await ids(items, "** == 'poultry'") == ["1"])
            #expect(try await items.search("sugar").items.first?.object == wanted)
            let filter = try ItemQuery(parsing: "rating < 3")
            #expect(try await items.search("sugar", filter: filter).isEmpty)
            await #expect(try items.index.verify().isClean)
            try await items.close()
            items = try ItemIndex(at: folder("index"))
        }
        try await items.delete(identifiers: ["1", "none"])
        #expect(try await ids(items) == ["2"])
        try await items.deleteAll()
        #expect(try await ids(items) == [])
        try await items.close()
    }

    @Test("A domain is deleted with all in it, and no other")
    func domains() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        let domains = [
            nil, "a", "a.b", "a.b.c", "a.bc", "a.b/", "a-b", "ab", "a.b c", "a.B", "a.b.", "b.a.b",
        ]
        try await items.index(domains.enumerated().map { item("\($0)", $1) })
        try await items.delete(domains: ["a.b"])
        let left = domains.enumerated().filter { _, domain in
            domain.map { $0 != "a.b" && !$0.hasPrefix("a.b.") } ?? true
        }.map { "\($0.offset)" }
        #expect(try await ids(items) == left.sorted())
        try await items.delete(domains: ["a", "b"])
        #expect(try await ids(items) == ["0", "6", "7"])
        try await items.close()
    }

    @Test("An update changes what it says; of an item that is not there it is an error")
    func updates() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        try await items.index([item("1", "a", "duck")])
        var update = SearchableItem(
            id: "1", attributes: ItemAttributes(textContent: "goose"), isUpdate: true)
        try await items.index([update])
        update.attributes = ItemAttributes(["rating": 3])
        try await items.index([update])
        let found = try #require(try items.item(id: "1"))
        #expect(found.domain == "a")
        #expect(
            found.attributes == ItemAttributes(title: "duck", textContent: "goose", ["rating": 3]))
        #expect(!found.isUpdate)
        update.id = "none"
        await expectCode(.invalidArgument) { try await items.index([item("2"), update]) }
        #expect(try await ids(items) == ["1"])
        // Of one that the same call indexes it is none.
        update.id = "2"
        try await items.index([item("2"), update])
        #expect(try items.item(id: "2")?.attributes.rating == 3)
        try await items.close()
    }

    @Test("A batch and its state are stored together, and only from the state that is expected")
    func batches() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        #expect(try items.lastClientState == nil)
        let (first, second) = (item("1", "a"), item("2", "b"))
        try await items.batch(expecting: .some(nil), storing: Data([1])) {
            $0.index([first, second])
        }
        #expect(try items.lastClientState == Data([1]))
        await expectCode(.mismatchedClientState) {
            try await items.batch(expecting: .some(nil), storing: Data([2])) {
                $0.delete(domains: ["a"])
            }
        }
        #expect(try await ids(items) == ["1", "2"])
        // An item that is too large has nothing changed.
        let large = SearchableItem(
            id: "2",
            attributes: ItemAttributes(textContent: String(repeating: "a ", count: 1 << 20)))
        await expectCode(.limitExceeded) {
            try await items.batch(expecting: .some(Data([1])), storing: Data([2])) {
                $0.index([large])
                $0.delete(identifiers: ["1"])
            }
        }
        #expect(try await ids(items) == ["1", "2"])
        #expect(try items.lastClientState == Data([1]))
        struct Ended: Error {}
        await #expect(throws: Ended.self) {
            try await items.batch(storing: Data([3])) { batch in
                batch.delete(identifiers: ["1"])
                throw Ended()
            }
        }
        #expect(try await ids(items) == ["1", "2"])
        // Later changes go before earlier ones.
        let third = item("3", "a")
        try await items.batch(expecting: .some(Data([1])), storing: Data([4])) { batch in
            batch.delete(identifiers: ["2"])
            batch.index([third, second])
            batch.delete(domains: ["a"])
        }
        #expect(try await ids(items) == ["2"])
        #expect(try items.lastClientState == Data([4]))
        try await items.deleteAll()
        #expect(try items.lastClientState == nil)
        try await items.close()
    }

    @Test("What has expired is not found, and goes")
    func expiry() async throws {
        let folder = try TemporaryFolder("items")
        let clock = Clock(Date(timeIntervalSinceReferenceDate: 0))
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        var items = try ItemIndex(at: folder("index"), now: { clock.now })
        try await items.index(
            [item("never")]
                + [10, 20, 20, 30].enumerated().map { place, seconds in
                    item("\(place)", expires: date(Double(seconds)))
                })
        #expect(try await items.purgeExpired() == 0)
        #expect(try await ids(items) == ["0", "1", "2", "3", "never"])
        clock.now = date(10)
        #expect(try items.item(id: "0") == nil)
        #expect(try await ids(items) == ["1", "2", "3", "never"])
        #expect(items.index.count == 4)
        // One that comes later and goes sooner.
        try await items.index([item("soon", expires: date(12))])
        clock.now = date(15)
        #expect(try await ids(items) == ["1", "2", "3", "never"])
        try await items.close()
        items = try ItemIndex(at: folder("index"), now: { clock.now })
        clock.now = date(25)
        let found = try await items.search("duck").map { $0.object?.id ?? "" }
        #expect(found.sorted() == ["3", "never"])
        #expect(try await items.purgeExpired() == 0)
        clock.now = .distantFuture
        #expect(try await items.purgeExpired() == 1)
        #expect(try await ids(items) == ["never"])
        try await items.close()
    }

    /// A clock that is set by hand.
    private final class Clock: Sendable {
        private let guarded: Mutex<Date>
        init(_ now: Date) { guarded = Mutex(now) }
        var now: Date {
            get { guarded.withLock { $0 } }
            set { guarded.withLock { $0 = newValue } }
        }
    }

    @Test("Found items come in batches of one state of the index", arguments: [1, 7, 1_000])
    func foundItems(size: Int) async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        try await items.index((0..<50).map { item("\($0)") })
        let query = try ItemQuery(parsing: "title == 'duck'")
        let found = try await items.batches(matching: query, size: size)
        #expect(found.count == 50)
        var seen: [String] = []
        for try await batch in found {
            #expect(batch.count <= size)
            seen += batch.map(\.id)
            try await items.delete(identifiers: ["\(seen.count)"])
        }
        #expect(seen.sorted() == (0..<50).map { "\($0)" }.sorted())
        try await items.close()
    }

    /// Random changes against a dictionary.
    @Test("Items, domains, updates and batches are those of a dictionary", arguments: testSeeds(4))
    func oracle(seed: UInt64) async throws {
        let folder = try TemporaryFolder("items")
        var generator = SeededGenerator(seed: seed)
        var model: [String: SearchableItem] = [:]
        let items = try ItemIndex(at: folder("index"))
        let domains = ["a", "a.b", "a.b.c", "b", "ab", "a.c"]
        for step in 0..<60 {
            switch generator.int(0...5) {
            case 0:
                let domain = generator.element(domains)
                try await items.delete(domains: [domain])
                model = model.filter { _, item in
                    item.domain.map { $0 != domain && !$0.hasPrefix(domain + ".") } ?? true
                }
            case 1:
                let id = "\(generator.int(0...30))"
                try await items.delete(identifiers: [id])
                model[id] = nil
            case 2:
                let id = "\(generator.int(0...30))"
                let update = SearchableItem(
                    id: id, domain: generator.once(in: 2) ? generator.element(domains) : nil,
                    attributes: ItemAttributes(["rating": .number(Double(step))]), isUpdate: true)
                do {
                    try await items.index([update])
                    #expect(model[id] != nil, "seed \(seed), step \(step)")
                    model[id]?.attributes.rating = Double(step)
                    if let domain = update.domain { model[id]?.domain = domain }
                } catch { #expect(model[id] == nil, "seed \(seed), step \(step)") }
            default:
                let some = (0..<generator.int(1...9)).map { _ in
                    item(
                        "\(generator.int(0...30))",
                        generator.once(in: 3) ? nil : generator.element(domains),
                        "duck \(generator.int(0...5))")
                }
                try await items.index(some)
                for item in some { model[item.id] = item }
            }
            let found = try await items.items(matching: "title == '*'")
            #expect(
                found.sorted { $0.id < $1.id } == model.values.sorted { $0.id < $1.id },
                "seed \(seed), step \(step)")
        }
        await #expect(try items.index.verify(depth: .full).isClean)
        try await items.close()
    }
}

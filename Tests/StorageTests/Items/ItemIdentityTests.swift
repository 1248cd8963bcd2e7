import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Strings that are equal may have different bytes.
@Suite("Identifiers and domains of items", .timeLimit(.minutes(10)))
struct ItemIdentityTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    private func item(_ id: String, _ title: String, domain: String? = nil) -> SearchableItem {
        SearchableItem(id: id, domain: domain, attributes: ItemAttributes(title: title))
    }

    private func titles(_ items: ItemIndex) async throws -> [String] {
        try await items.items(matching: "title == '*'").compactMap(\.attributes.title).sorted()
    }

    @Test("Identifiers of other bytes are other items, in a batch and without")
    func identifiers() async throws {
        let (first, second) = (Self.composed, Self.decomposed)
        #expect(first == second)
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        try await items.index([item(first, "first"), item(second, "second")])
        #expect(try await titles(items) == ["first", "second"])
        #expect(try items.item(id: first)?.attributes.title == "first")
        #expect(try items.item(id: second)?.attributes.title == "second")
        // An update finds its own item in the same batch.
        let update = SearchableItem(
            id: first, attributes: ItemAttributes(["rating": 3]), isUpdate: true)
        try await items.index([item(second, "third"), update])
        #expect(try items.item(id: first)?.attributes.rating == 3)
        #expect(try await titles(items) == ["first", "third"])
        #expect(try items.item(id: second)?.attributes.rating == nil)
        try await items.batch(storing: Data([1])) { [fresh = item(first, "fourth")] batch in
            batch.index([fresh])
            batch.delete(identifiers: [second])
        }
        #expect(try await titles(items) == ["fourth"])
        try await items.delete(identifiers: [second])
        #expect(try await titles(items) == ["fourth"])
        try await items.delete(identifiers: [first])
        #expect(try await titles(items) == [])
        try await items.close()
    }

    @Test("A domain is the same however its letters are composed, in a batch and without")
    func composedDomains() async throws {
        for domain in [Self.composed, Self.decomposed] {
            let folder = try TemporaryFolder("items")
            let items = try ItemIndex(at: folder("index"))
            let all = [
                item("1", "1", domain: Self.composed), item("2", "2", domain: Self.decomposed),
                item("3", "3", domain: Self.composed + ".a"),
                item("4", "4", domain: Self.decomposed + ".a"),
                item("5", "5", domain: "cafe"), item("6", "6", domain: "cafe.a"),
            ]
            try await items.index(all)
            try await items.delete(domains: [domain])
            #expect(try await titles(items) == ["5", "6"])
            try await items.batch(storing: Data([1])) { batch in
                batch.index(all)
                batch.delete(domains: [domain])
            }
            #expect(try await titles(items) == ["5", "6"])
            try await items.close()
        }
    }

    /// The order of dictionaries has other names between `a.b.` and `a.b/`.
    @Test("Deleting a domain leaves those that only look or sort like it")
    func likeDomains() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        let others = [
            "A.B.c", "a.B.c", "A.b", "\u{e1}.b.c", "a.b(c", "a.b\u{2024}c", "a.b\u{2026}", "a.b*",
            "a.b/c", "a.bc", "a.b\u{301}.c", "a", "\u{ff41}.b.c", "a..b.c",
        ]
        let own = ["a.b", "a.b.c", "a.b..c", "a.b.", "a.b.C", "a.b.\u{301}c", "a.b.*"]
        let all = (others + own).enumerated().map { item("\($0)", $1, domain: $1) }
        for isBatch in [false, true] {
            if isBatch {
                try await items.batch(storing: Data([1])) { batch in
                    batch.index(all)
                    batch.delete(domains: ["a.b"])
                }
            } else {
                try await items.index(all)
                try await items.index.flush()
                try await items.delete(domains: ["a.b"])
            }
            #expect(try await titles(items) == others.sorted())
        }
        // Signs of patterns stand for themselves.
        try await items.delete(domains: ["a.*", "?", "*"])
        #expect(try await titles(items) == others.sorted())
        try await items.close()
    }
}

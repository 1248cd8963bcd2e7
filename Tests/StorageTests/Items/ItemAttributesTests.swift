import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Attributes of items", .timeLimit(.minutes(10)))
struct ItemAttributesTests {
    private func ids(_ items: ItemIndex, _ query: String) async throws -> [String] {
        try await items.items(matching: query).map(\.id)
    }

    @Test("The text of each usual name is searched")
    func texts() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        let names = ItemAttributes.textNames
        let all = names.enumerated().map { place, name in
            SearchableItem(id: name, attributes: ItemAttributes([name: .string("duck w\(place)x")]))
        }
        try await items.index(all)
        for flushes in [false, true] {
            if flushes { try await items.index.optimize() }
            #expect(try await items.search("duck").count == names.count)
            for (place, name) in names.enumerated() {
                // Others that are spelled much like it come behind it.
                let found = try await items.search("w\(place)x").items
                #expect(found.first?.object == all[place], "\(name)")
                #expect(try await items.search("\(name):duck").count == 1, "\(name)")
                #expect(try await ids(items, "** == '*w\(place)x*'") == [name])
                #expect(try await ids(items, "\(name) == '*w\(place)x'c") == [name])
            }
        }
        await #expect(try items.index.verify(depth: .full).isClean)
        try await items.close()
    }

    @Test("Typed properties are the attributes of their names")
    func properties() {
        var attributes = ItemAttributes(title: "a", textContent: "b")
        attributes.subject = "c"
        attributes.comment = "d"
        attributes.transcribedTextContent = "e"
        attributes.alternateNames = ["f"]
        attributes.recipientNames = ["g"]
        attributes.emailAddresses = ["h"]
        attributes.phoneNumbers = ["i"]
        attributes.album = "j"
        attributes.artist = "k"
        attributes.composer = "l"
        attributes.namedLocation = "m"
        attributes.city = "n"
        attributes.country = "o"
        attributes.rankingHint = 7
        let wanted: [String: AttributeValue] = [
            "title": "a", "textContent": "b", "subject": "c", "comment": "d",
            "transcribedTextContent": "e", "alternateNames": ["f"], "recipientNames": ["g"],
            "emailAddresses": ["h"], "phoneNumbers": ["i"], "album": "j", "artist": "k",
            "composer": "l", "namedLocation": "m", "city": "n", "country": "o", "rankingHint": 7,
        ]
        #expect(attributes.values == wanted)
        #expect(attributes.recipientNames == ["g"] && attributes.country == "o")
        attributes.subject = nil
        attributes.phoneNumbers = []
        #expect(attributes["subject"] == nil && attributes["phoneNumbers"] == nil)
    }

    @Test("A ranking hint raises the relevance, up to twice of it")
    func rankingHints() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        func item(_ id: String, _ hint: AttributeValue?) -> SearchableItem {
            var attributes = ItemAttributes(title: "duck")
            attributes["rankingHint"] = hint
            return SearchableItem(id: id, attributes: attributes)
        }
        func found(_ ranking: Ranking? = nil) async throws -> [String] {
            try await items.search("duck", ranking: ranking).items.map { $0.object?.id ?? "" }
        }
        try await items.index([item("none", nil), item("other", nil)])
        #expect(try await found() == ["none", "other"])
        try await items.index([
            item("low", 1), item("much", 1e300), item("most", 100), item("half", 50),
            item("less", -3), item("no number", .number(.nan)), item("text", "100"),
        ])
        for flushes in [false, true] {
            if flushes { try await items.index.optimize() }
            let wanted = [
                "much", "most", "half", "low", "none", "other", "less", "no number", "text",
            ]
            #expect(try await found() == wanted)
            #expect(try await found(.relevance).first == "none")
            let best = try await items.search("duck").items
            let plain = try await items.search("duck", ranking: .relevance).items
            let (hinted, unhinted) = (try #require(best.first), try #require(plain.first))
            #expect(abs(hinted.score - 2 * unhinted.score) < 1e-9)
        }
        #expect(try await ids(items, "InRange(rankingHint, 50, 100)") == ["most", "half"])
        try await items.close()
    }

    @Test("An update removes what it names")
    func removal() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        var attributes = ItemAttributes(
            title: "duck", textContent: "goose", ["rating": 3, "a-b": 1])
        attributes.keywords = ["poultry"]
        let date = Date(timeIntervalSinceReferenceDate: 9e9)
        let first = SearchableItem(
            id: "1", domain: "a", attributes: attributes, expirationDate: date)
        try await items.index([first])
        var update = SearchableItem(
            id: "1", attributes: ItemAttributes(["rating": 4]), isUpdate: true)
        update.removedNames = ["rating", "textContent", "a-b", "none"]
        try await items.index([update])
        var wanted = first
        wanted.attributes = ItemAttributes(title: "duck", ["rating": 4])
        wanted.attributes.keywords = ["poultry"]
        #expect(try items.item(id: "1") == wanted)
        #expect(try await items.search("goose").isEmpty)
        #expect(try await ids(items, "textContent == '*' || 'a-b' == '*'") == [])
        // The domain and the expiry.
        update.removedNames = ["domainIdentifier", "expirationDate"]
        try await items.index([update])
        wanted.domain = nil
        wanted.expirationDate = nil
        #expect(try items.item(id: "1") == wanted)
        update.domain = "b"
        try await items.index([update])
        #expect(try items.item(id: "1")?.domain == "b")
        try await items.delete(domains: ["a"])
        #expect(items.index.count == 1)
        try await items.close()
    }

    @Test("An attribute whose name is taken is an error, and nothing is changed")
    func takenNames() async throws {
        let folder = try TemporaryFolder("items")
        let items = try ItemIndex(at: folder("index"))
        let plain = SearchableItem(id: "1", domain: "a", attributes: ItemAttributes(title: "duck"))
        try await items.index([plain])
        for name in ["domainIdentifier", "expirationDate", "longTextNames", ""] {
            for isUpdate in [false, true] {
                var other = plain
                other.id = "2"
                let taken = SearchableItem(
                    id: "1", attributes: ItemAttributes([name: "b"]), isUpdate: isUpdate)
                do {
                    try await items.index([other, taken])
                    Issue.record("\(name) was taken.")
                } catch let error as TextIndexError {
                    #expect(error.code == .invalidArgument)
                    #expect(error.message.contains("\"\(name)\""))
                }
            }
        }
        #expect(try await ids(items, "title == '*'") == ["1"])
        #expect(try items.item(id: "1") == plain)
        try await items.close()
    }

    /// As the first version wrote them: six fields, no weights, and long texts without a mark.
    @Test("An index of items with fewer names opens, and is added to")
    func fewerNames() async throws {
        let folder = try TemporaryFolder("items")
        let old = Array(ItemAttributes.textNames.prefix(6))
        #expect(
            old == [
                "title", "displayName", "keywords", "authorNames", "contentDescription",
                "textContent",
            ])
        var configuration = TextIndexConfiguration()
        configuration.fields = old
        let index = try TextIndex<String>(at: folder("index"), configuration: configuration)
        index.identifier = { Data($0.utf8) }
        index.indexer = { id, _ in
            IndexedObject(
                strings: ["duck", "", "", "", "", "orange"], context: ["textContent": "orange"],
                attributes: [
                    "title": "duck", "subject": "lunch", "domainIdentifier": "a.\(id)",
                    "transcribedTextContent": "quack",
                ])
        }
        try await index.indexObjects(["1", "2"])
        try await index.shutdown()
        let items = try ItemIndex(at: folder("index"))
        let kept = ItemAttributes(
            title: "duck", textContent: "orange",
            ["subject": "lunch", "transcribedTextContent": "quack"])
        #expect(try items.item(id: "1")?.attributes == kept)
        #expect(try await items.search("orange").count == 2)
        #expect(try await items.search("textContent:orange").count == 2)
        #expect(try await items.search("lunch").isEmpty)
        // Items are searched by the further names once they are indexed again.
        let item = try #require(try items.item(id: "2"))
        try await items.index([item])
        #expect(try await items.search("subject:lunch").items.map(\.object) == [item])
        #expect(try await ids(items, "transcribedTextContent == 'quack'") == ["2"])
        try await items.delete(domains: ["a.1"])
        #expect(try await ids(items, "title == '*'") == ["2"])
        await #expect(try items.index.verify(depth: .full).isClean)
        try await items.close()
    }
}

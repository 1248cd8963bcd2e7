import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Facets and groups")
struct FacetTests {
    private func open(
        _ folder: TemporaryFolder, _ notes: [FacetNote]
    ) async throws -> TextIndex<FacetNote> {
        let index = try TextIndex<FacetNote>(at: folder("index"))
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in note.indexed }
        try await index.indexObjects(notes)
        return index
    }

    /// The keys and counts of one facet over all objects.
    private func counts(_ index: TextIndex<FacetNote>, _ facet: Facet) throws -> [String] {
        try index.search(.everything, limit: 0, facets: [facet]).facets[0].buckets.map {
            "\($0.key): \($0.count)"
        }
    }

    @Test("Each kind of facet counts as its documentation says")
    func kinds() async throws {
        let folder = try TemporaryFolder("facets")
        let dishes: [(String, Double, String, String)] = [
            ("french", 12, "2024-01-31", "meat/poultry/duck"),
            ("french", 40, "2024-02-01", "meat/poultry"),
            ("chinese", 15, "2024-02-29", "meat/pork"),
            ("chinese", 29.5, "2023-12-31", "fish"),
            ("chinese", 30, "2024-02-29T23:59:59Z", "meat"),
        ]
        let index = try await open(
            folder,
            dishes.enumerated().map { id, dish in
                FacetNote(
                    id: id, text: "dish number\(id)",
                    attributes: [
                        "cuisine": .string(dish.0), "minutes": .number(dish.1),
                        "when": AttributeValue(iso8601: dish.2) ?? .bool(false),
                        "shelf": .string(dish.3), "isHot": .bool(id < 2),
                    ])
            })
        for _ in 0..<2 {
            #expect(
                try counts(index, .values(of: "cuisine")) == ["\"chinese\": 3", "\"french\": 2"])
            #expect(
                try counts(index, .values(of: "isHot", order: .key)) == ["false: 3", "true: 2"])
            #expect(
                try counts(index, .histogram(of: "minutes", every: 15))
                    == ["[0 TO 15}: 1", "[15 TO 30}: 2", "[30 TO 45}: 2"])
            #expect(
                try counts(
                    index,
                    .ranges(of: "minutes", [.init(to: 15), .init(from: 15), .init(from: 90)]))
                    == ["[* TO 15}: 1", "[15 TO *]: 4", "[90 TO *]: 0"])
            #expect(
                try counts(index, .dates(of: "when", every: .month)) == [
                    "[2023-12-01T00:00:00Z TO 2024-01-01T00:00:00Z}: 1",
                    "[2024-01-01T00:00:00Z TO 2024-02-01T00:00:00Z}: 1",
                    "[2024-02-01T00:00:00Z TO 2024-03-01T00:00:00Z}: 3",
                ])
            #expect(try counts(index, .levels(of: "shelf")) == ["\"meat\": 4", "\"fish\": 1"])
            #expect(
                try counts(index, .levels(of: "shelf", below: "meat"))
                    == ["\"meat/poultry\": 2", "\"meat/pork\": 1"])
            try await index.flush()
        }
        let groups = try await index.search(
            "dish", limit: 1, facets: [.values(of: "cuisine", topHits: 2)])
        #expect(groups.count == 1 && groups.totalCount == 5)
        #expect(
            groups.facets[0].buckets.map { $0.hits.map(\.identifier) } == [
                [2, 3].map(FacetNote.identifier), [0, 1].map(FacetNote.identifier),
            ])
        // A group's results are results like any other.
        #expect(groups.facets[0].buckets[1].hits[0].resultTokens.map(\.wordIndex) == [0])
        try index.closeVerified()
    }

    @Test("Facets that cannot be counted are refused")
    func refused() async throws {
        let index = try await open(try TemporaryFolder("facets"), [FacetNote(id: 0, text: "duck")])
        for facet in [
            Facet.levels(of: "a", separator: ""), .histogram(of: "a", every: 0),
            .histogram(of: "a", every: .nan), .histogram(of: "a", every: .infinity),
            .histogram(of: "a", every: 1, from: .nan),
        ] {
            let error = #expect(throws: TextIndexError.self) {
                try index.search("duck", facets: [facet])
            }
            #expect(error?.code == .invalidArgument)
        }
        try index.closeVerified()
        #expect(throws: TextIndexError.self) {
            try index.search("duck", facets: [.values(of: "a")])
        }
    }

    @Test("Text falls back as in a search, and what is counted is what is found")
    func fallback() async throws {
        let folder = try TemporaryFolder("facets")
        let index = try await open(
            folder,
            ["duck", "goose", "swan"].enumerated().map {
                FacetNote(id: $0, text: $1, attributes: ["kind": .string($1)])
            })
        let found = try await index.search("duck goose", facets: [.values(of: "kind")])
        #expect(found.diagnostics.contains { $0.kind == .fellBackToAny })
        #expect(found.facets[0].buckets.map(\.key) == [.value("duck"), .value("goose")])
        let filtered = try await index.search(
            "duck goose", limit: 0, filter: .attribute("kind", .notEqual("duck")),
            facets: [.values(of: "kind")])
        #expect(filtered.facets[0].buckets.map(\.key) == [.value("goose")])
        let awaited = try await index.search("swan", facets: [.values(of: "kind")])
        #expect(awaited.facets[0].buckets.map(\.count) == [1])
        try index.closeVerified()
    }

    @Test("Segments without attributes have no columns of them")
    func nothing() async throws {
        let folder = try TemporaryFolder("facets")
        let index = try await open(folder, (0..<50).map { FacetNote(id: $0, text: "duck") })
        try await index.flush()
        #expect(
            try index.writer.snapshot.flushed.map { try $0.attributeDirectory() == nil } == [true])
        let facets: [Facet] = [
            .values(of: "kind"), .ranges(of: "kind", [.init(from: .number(1))]),
        ]
        let found = try await index.search("duck", facets: facets)
        #expect(found.facets.map(\.missingCount) == [50, 50])
        #expect(found.facets.map { $0.buckets.map(\.count) } == [[], [0]])
        try index.closeVerified()
    }
}

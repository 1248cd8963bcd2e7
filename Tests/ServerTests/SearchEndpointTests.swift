import Foundation
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// What the searching endpoints answer, beside what the library gives.
@Suite(.timeLimit(.minutes(30))) struct SearchEndpointTests {
    private static func notes(_ count: Int, seed: UInt64) -> [Note] {
        return Note.random(count: count, seed: seed)
    }

    /// Hits are those of the library: the same objects, scores and highlights, in the same order.
    private func expect(
        _ json: JSON, _ results: SearchResults<Note>, _ server: TestServer,
        unit: OffsetUnit = .utf16, _ comment: Comment
    ) throws {
        let hits = json["hits"]?.elements ?? []
        #expect(hits.map { $0["id"]?.text } == results.items.map(\.name), comment)
        #expect(hits.map { $0["score"]?.double } == results.items.map(\.score), comment)
        let steps = hits.map { $0["matchedBy"]?.text ?? "exact" }
        #expect(steps == results.items.map(\.matchedBy.description), comment)
        #expect(hits.map { $0["rank"]?.integer } == results.items.map(\.rank), comment)
        #expect(json["total"]?.integer == results.totalCount.value, comment)
        #expect(json["isTotalExact"]?.isTrue == results.totalCount.isExact, comment)
        for (hit, item) in zip(hits, results.items) {
            let strings = try #require(server.notes[item.identifier]?.strings)
            var expected: [[Int]] = []
            for (string, highlights) in item.highlights(in: strings).enumerated() {
                for highlight in highlights {
                    let (location, length) = unit.range(highlight.range, in: strings[string])
                    expected.append([string, location, length])
                }
            }
            #expect(Self.ranges(hit) == expected, comment)
            try expectSnippets(hit, item, strings, unit, comment)
        }
    }

    private static func ranges(_ hit: JSON) -> [[Int]] {
        (hit["highlights"]?.elements ?? []).flatMap { string in
            (string["ranges"]?.elements ?? []).map {
                [
                    string["string"]?.integer ?? -1, $0["location"]?.integer ?? -1,
                    $0["length"]?.integer ?? -1,
                ]
            }
        }
    }

    private func expectSnippets(
        _ hit: JSON, _ item: SearchResultItem<Note>, _ strings: [String], _ unit: OffsetUnit,
        _ comment: Comment
    ) throws {
        let snippets = item.snippets(from: strings, count: 2)
        let shown = hit["snippets"]?.elements ?? []
        #expect(shown.map { $0["text"]?.text } == snippets.map { String($0.text) }, comment)
        for (json, snippet) in zip(shown, snippets) {
            let text = try #require(json["text"]?.text)
            let marked = (json["highlights"]?.elements ?? []).compactMap { range -> String? in
                guard unit == .utf16, let location = range["location"]?.integer,
                    let length = range["length"]?.integer
                else { return nil }
                return (text as NSString).substring(
                    with: NSRange(location: location, length: length))
            }
            guard unit == .utf16 else { continue }
            let source = strings[snippet.string]
            #expect(marked == snippet.highlights.map { String(source[$0.range]) }, comment)
        }
    }

    @Test(arguments: 1...UInt64(Scale.sample(of: 3))) func randomTexts(seed: UInt64) async throws {
        try await TestServer.run(Self.notes(60, seed: seed)) { server in
            var generator = SeededGenerator(seed: seed &+ 100)
            let parser = TestServer.served(server.index, server.notes).parser
            for round in 0..<40 {
                let words = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Note.words.randomElement(using: &generator) ?? ""
                }
                let text = words.joined(separator: " ")
                let (limit, offset) = (
                    Int.random(in: 0...20, using: &generator),
                    Int.random(in: 0...30, using: &generator)
                )
                let unit = OffsetUnit.allCases.randomElement(using: &generator) ?? .utf16
                var reading = parser
                let isLenient = Bool.random(using: &generator)
                if isLenient { reading.options.matchModes = .lenient }
                let isUnfinished = Bool.random(using: &generator)
                reading.options.lastWordIsPrefix = isUnfinished
                let steps = SearchSteps(rawValue: Int.random(in: 0..<64, using: &generator))
                reading.options.steps = steps.union(.exact)
                let results = try await server.index.search(
                    text, limit: limit, offset: offset, parser: reading)
                let parameters: KeyValuePairs = [
                    "q": text, "limit": "\(limit)", "offset": "\(offset)", "highlights": "1000",
                    "units": unit.rawValue, "mode": isLenient ? "lenient" : "query",
                    "lastWordIsPrefix": "\(isUnfinished)",
                    "steps": reading.options.steps?.description ?? "all",
                ]
                let reply = try await server.get("/v1/search", parameters)
                let comment: Comment = "seed \(seed), round \(round): \(text)"
                #expect(reply.status == 200, comment)
                try expect(try reply.json(), results, server, unit: unit, comment)
                let taken = try reply.json()["steps"]?.elements.map { $0.text }
                #expect(taken == results.steps.names, comment)
                let posted = try await server.post(
                    "/v1/search",
                    .object(
                        parameters.map { name, value in
                            (
                                name,
                                name == "lastWordIsPrefix"
                                    ? .bool(isUnfinished)
                                    : Int(value).map { .int($0) } ?? .string(value)
                            )
                        }))
                if Int(text) == nil { #expect(posted.body == reply.body, comment) }
            }
        }
    }

    @Test func keywordsFieldsFiltersAndOrder() async throws {
        try await TestServer.run(Self.notes(80, seed: 5)) { server in
            let parser = TestServer.served(server.index, server.notes).parser
            let keyword = try await server.get(
                "/v1/search", ["q": "uck", "mode": "keyword", "highlights": "99", "limit": "99"])
            try await expect(
                try keyword.json(),
                try server.index.search(.keyword("uck"), limit: 99, ranking: .weight), server,
                "keyword")
            let sorted = try await server.get(
                "/v1/search",
                [
                    "q": "duck", "field": "body", "filter": "minutes:>50",
                    "sort": "cuisine:desc,minutes", "highlights": "99",
                ])
            try await expect(
                try sorted.json(),
                try server.index.search(
                    "duck", limit: 10,
                    ranking: .sorted(by: [
                        .attribute("cuisine", .descending), .attribute("minutes"),
                    ]), filter: parser.parse("minutes:>50").query, fields: ["body"], parser: parser),
                server, "sorted")
            let weighted = try await server.get(
                "/v1/search", ["q": "duck goose", "rank": "combined", "highlights": "99"])
            try await expect(
                try weighted.json(),
                try server.index.search("duck goose", limit: 10, ranking: .combined), server,
                "combined")
            let unheard = try await server.get("/v1/search", ["q": "dukc"])
            let diagnostic = try unheard.json()["diagnostics"]?.elements.first
            #expect(diagnostic?["kind"]?.text == "unknownWord")
            #expect(diagnostic?["suggestions"]?.elements.first?.text == "duck")
        }
    }

    @Test func unknownAttributesAreTold() async throws {
        try await TestServer.run(Self.notes(40, seed: 11)) { server in
            func told(_ path: String, _ query: KeyValuePairs<String, String>) async throws
                -> [String]
            {
                let json = try await server.get(path, query).json()
                return (json["diagnostics"]?.elements ?? []).filter {
                    $0["kind"]?.text == "unknownAttribute"
                }.compactMap { $0["message"]?.text }
            }
            func remark(_ name: String, _ purpose: String) -> String {
                "No object has the attribute \(name), which hits are to be \(purpose) by."
            }
            let sorted = try await told("/v1/search", ["q": "duck", "sort": "foo,minutes,foo"])
            #expect(sorted == [remark("foo", "sorted")])
            let counted = try await told(
                "/v1/search", ["q": "duck", "facet": "bar", "facet": "cuisine"])
            #expect(counted == [remark("bar", "counted")])
            let federated = try await told("/v1/federated", ["q": "duck", "sort": "foo"])
            #expect(federated == [remark("foo", "sorted")])
            let known = try await told("/v1/search", ["q": "duck", "sort": "minutes:desc"])
            #expect(known.isEmpty)
            let nothing = try await told("/v1/search", ["q": "xyzzy", "facet": "cuisine"])
            #expect(nothing.isEmpty)
        }
    }

    @Test func typedQueries() async throws {
        try await TestServer.run(Self.notes(80, seed: 6)) { server in
            let queries: [Query] = [
                .everything, .all(of: [.term("duck"), .none(of: [.prefix("go")])]),
                .phrase("white whale", slop: 3), .fuzzy("whalr", distance: 1),
                .any(of: [.infix("eki"), .boost(.term("sea"), 2)]),
                .attribute("minutes", .less(30)), .wildcard("w*e"), .regularExpression("d.ck"),
            ]
            for query in queries {
                let encoded = JSON.encoded(Array(try JSONEncoder().encode(query)))
                let reply = try await server.post(
                    "/v1/search", .members(["query": encoded, "highlights": 99, "limit": 50]))
                try await expect(
                    try reply.json(), try server.index.search(query, limit: 50), server,
                    "\(query)")
            }
        }
    }

    @Test func facetsAndTheirFilters() async throws {
        try await TestServer.run(Self.notes(120, seed: 7)) { server in
            let reply = try await server.get(
                "/v1/search",
                [
                    "q": "duck", "limit": "0", "facet": "cuisine", "facet": "minutes:25",
                    "facet": "shelf:/", "facet": "minutes:..10,10..60,90..20", "facetHits": "2",
                ])
            let facets = try reply.json()["facets"]?.elements ?? []
            let expected = try await server.index.search(
                "duck", limit: 0,
                facets: [
                    .values(of: "cuisine", limit: 10, topHits: 2),
                    .histogram(of: "minutes", every: 25, topHits: 2),
                    .levels(of: "shelf", limit: 10, topHits: 2),
                ])
            #expect(facets.count == 4)
            for (facet, counts) in zip(facets, expected.facets) {
                let buckets = facet["buckets"]?.elements ?? []
                #expect(buckets.map { $0["count"]?.integer } == counts.buckets.map(\.count))
                #expect(
                    buckets.map { ($0["hits"]?.elements ?? []).map { $0["id"]?.text } }
                        == counts.buckets.map { $0.hits.map(\.name) })
                #expect(facet["objectCount"]?.integer == counts.objectCount)
            }
            let alone = try await server.get(
                "/v1/facets", ["q": "duck", "facet": "cuisine", "facetHits": "2"])
            let first = try alone.json()["facets"]?.elements.first
            #expect(first?.inOrder.bytes == facets[0].inOrder.bytes)
            // The filter of a bucket narrows the search to exactly its objects.
            for bucket in facets.flatMap({ $0["buckets"]?.elements ?? [] }) {
                guard let filter = bucket["filter"]?.text else {
                    #expect(bucket["count"]?.integer == 0)
                    continue
                }
                let narrowed = try await server.get(
                    "/v1/search", ["q": "duck", "filter": filter, "limit": "0"])
                #expect(
                    try narrowed.json()["total"]?.integer == bucket["count"]?.integer, "\(filter)")
            }
        }
    }

    @Test func pagesOfOneState() async throws {
        try await TestServer.run(Self.notes(70, seed: 8)) { server in
            let whole = try await server.index.search("duck", limit: 1000).items.map(\.name)
            var reply = try await server.get(
                "/v1/search", ["q": "duck", "limit": "7", "keep": "true"])
            var found: [String?] = []
            while let json = Optional(try reply.json()), let hits = json["hits"]?.elements,
                !hits.isEmpty
            {
                found += hits.map { $0["id"]?.text }
                // What is removed meanwhile stays in the pages.
                if let first = hits.first?["id"]?.text {
                    _ = try await server.index.removeIndex(forIdentifier: Data(first.utf8)).value()
                }
                let cursor = try #require(json["cursor"]?.text)
                reply = try await server.get("/v1/search", ["cursor": cursor, "limit": "7"])
                if json["hits"]?.elements.count == 0 { break }
            }
            #expect(found == whole)
            let gone = try await server.get("/v1/search", ["cursor": "nothing"])
            #expect(gone.status == 410)
        }
    }

    @Test func oneObjectWithItsTexts() async throws {
        try await TestServer.run(Self.notes(30, seed: 9)) { server in
            let all = try await server.index.search("duck", limit: 100)
            for item in all.items.prefix(5) {
                let reply = try await server.get(
                    "/v1/search",
                    ["q": "duck", "id": item.name, "texts": "true", "highlights": "1000"])
                let hit = try #require(try reply.json()["hits"]?.elements.first)
                let strings = try #require(server.notes[item.identifier]?.strings)
                #expect(hit["texts"]?.elements.map(\.text) == strings)
                #expect(hit["id"]?.text == item.name)
            }
        }
    }
}

extension SearchResultItem {
    var name: String { String(decoding: identifier, as: UTF8.self) }
}

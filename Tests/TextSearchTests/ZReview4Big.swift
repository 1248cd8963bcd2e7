import Foundation
import Testing

@testable import TextSearch

@Suite("ZReview4Big") struct ZReview4Big {
    private func strings(_ id: Int, _ generator: inout SeededGenerator) -> [String] {
        func words(_ most: Int) -> String {
            var words: [String] = []
            let length = generator.once(in: 300) ? most * 200 : generator.int(0...most)
            for _ in 0..<length {
                var number = 0
                while number < 30, !generator.once(in: 3) { number += 1 }
                words.append("w\(number)")
            }
            return words.joined(separator: " ")
        }
        return [words(3), words(12), generator.once(in: 3) ? words(2) : ""]
    }

    private func strayPositions(_ index: TextIndex<PlainNote>) throws -> (all: Int, stray: Int) {
        let live = Set(index.writer.snapshot.flushed.map(\.number))
        var all = 0
        var stray = 0
        for table in [Table.positions, .postings] {
            try index.store.makeCursor(fillCache: false).forEach(in: table, from: [table.rawValue])
            { key, _ in
                let zero = key.dropFirst().firstIndex(of: 0) ?? 0
                let bytes = Array(key[(zero + 1)..<(zero + 5)])
                let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                all += 1
                if !live.contains(number) { stray += 1 }
                return true
            }
        }
        return (all, stray)
    }

    @Test(arguments: [UInt64(1), 2]) func manyDocuments(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let directory = temporaryDirectory("zbig")
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.stopWords = .none
        configuration.exactCountLimit = seed == 1 ? 1000 : 0
        var index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: directory)
        }
        func hooks() {
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in IndexedObject(strings: note.strings) }
        }
        hooks()
        var texts: [String: [String]] = [:]
        for round in 0..<5 {
            var batch: [PlainNote] = []
            for _ in 0..<8000 {
                let id = generator.int(0...29_999)
                var note = PlainNote("\(id)")
                note.strings = strings(id, &generator)
                batch.append(note)
                texts["\(id)"] = note.strings
            }
            try await index.indexObjects(batch)
            for _ in 0..<500 {
                let id = "\(generator.int(0...29_999))"
                texts[id] = nil
                _ = try await index.removeIndex(forIdentifier: Data(id.utf8)).value()
            }
            if round % 2 == 0 { try index.flush() }
            if round == 3 { try index.optimize() }
            if round == 4 {
                try index.optimize()
                try index.close()
                index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
                hooks()
            }
            print(
                "SEGMENTS", index.writer.snapshot.flushed.map(\.manifest.documentCount),
                index.writer.snapshot.memory.count)
            for _ in 0..<25 {
                let a = "w\(generator.int(0...20))"
                let b = "w\(generator.int(0...30))"
                let c = "w\(generator.int(0...8))"
                let queries: [Query] = [
                    .term(a), .any(of: [.term(a), .term(b)]), .all(of: [.term(a), .term(c)]),
                    .any(of: [.term(a), .phrase("\(b) \(c)"), .term(c)]),
                    .all(of: [.term(a), .field("title", .term(c)), .term(b)]),
                    .boost(.boost(.any(of: [.term(a), .boost(.term(b), 7.3)]), 3), 0.7),
                    .any(of: [
                        .boost(.boost(.term(a), 0.3), 7.1), .constantScore(.term(b), 0.2), .term(c),
                    ]),
                    .any(of: [.term(a), .none(of: [.term(b)])]),
                    .all(of: [.any(of: [.term(a), .term(b)]), .term(c)]),
                    .phrase("\(a) \(c)", slop: 1), .near([a, c], within: 2),
                ]
                let query = generator.element(queries)
                var parameters = BM25Parameters()
                if generator.once(in: 2) {
                    parameters.fieldWeights = [
                        "title": generator.element([0, 0.001, 5, 1e6]),
                        "body": generator.element([0, 1, 1e-6]),
                    ]
                    parameters.fieldB = [
                        "title": generator.element([0, 1, 0.999]),
                        "body": generator.element([0, 1]),
                    ]
                    parameters.k1 = generator.element([0, 1e-9, 1.2, 1e6])
                    parameters.b = generator.element([0, 1, 0.5])
                }
                let ranking = Ranking.relevance(parameters)
                let all = try index.search(query, ranking: ranking, limit: 100_000)
                for (limit, offset) in [(1, 0), (10, 0), (100, 950), (10, 9_985), (1000, 0)] {
                    let some = try index.search(
                        query, ranking: ranking, limit: limit, offset: offset)
                    let wanted = all.items.dropFirst(offset).prefix(limit)
                    #expect(
                        some.map(\.id) == wanted.map(\.id),
                        "\(query) \(parameters) \(limit) \(offset)")
                    #expect(some.map(\.score) == wanted.map(\.score), "\(query)")
                    #expect(
                        some.totalCount.value <= all.count
                            && (!some.totalCount.isExact || some.totalCount.value == all.count))
                    #expect(some.totalCount.value >= min(all.count, configuration.exactCountLimit))
                    if limit == 10, let item = some.items.last {
                        #expect(try item.explain()?.value == item.score, "\(query)")
                    }
                }
            }
            // Plain truth of terms and phrases.
            for number in [0, 1, 5, 17, 30] {
                let word = "w\(number)"
                let holding = Set(
                    texts.filter {
                        $0.value.contains { $0.split(separator: " ").contains(Substring(word)) }
                    }.keys)
                let found = try index.search(.term(word), limit: 50_000)
                #expect(Set(found.map(\.id)) == holding)
                #expect(found.count == holding.count)
                #expect(try index.search(.term(word), limit: 3).totalCount == .init(holding.count))
                let statistic = try index.terms(prefix: word).first { $0.text == word }
                #expect(statistic?.documentFrequency ?? 0 == holding.count)
                let next = "w\((number + 1) % 4)"
                let pairs = Set(
                    texts.filter {
                        $0.value.contains { (" " + $0 + " ").contains(" \(word) \(next) ") }
                    }.keys)
                let phrases = try index.search(.phrase("\(word) \(next)"), limit: 50_000)
                #expect(Set(phrases.map(\.id)) == pairs)
                #expect(phrases.count == pairs.count)
            }
        }
        for _ in 0..<20 {
            if try strayPositions(index).stray == 0 { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        let left = try strayPositions(index)
        print("KEYS", left)
        #expect(left.stray == 0)
    }

    @Test func concurrent() async throws {
        let notes = try PlainNoteIndex(
            (0..<2000).map { PlainNote("\($0)", "duck goose w\($0 % 13)") })
        let index = notes.index
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<30 {
                    try await index.indexObjects(
                        (0..<200).map {
                            PlainNote("\($0 + round * 30)", "duck goose w\($0 % 11) swan")
                        })
                    if round % 4 == 0 { try index.flush() }
                    if round % 10 == 9 { try index.optimize() }
                }
            }
            for reader in 0..<3 {
                group.addTask {
                    for round in 0..<150 {
                        let queries: [Query] = [
                            .term("duck"), .any(of: [.term("duck"), .term("w3")]),
                            .all(of: [.term("goose"), .term("w1")]), .phrase("duck goose"),
                            .infix("uc"),
                        ]
                        let query = queries[(round + reader) % queries.count]
                        let results = try index.search(query, limit: 25)
                        #expect(Set(results.map(\.id)).count == results.count)
                        #expect(
                            zip(results.items, results.items.dropFirst()).allSatisfy {
                                $0.score >= $1.score
                            })
                        if let item = results.items.last {
                            #expect(try item.explain()?.value == item.score)
                        }
                        let next = try index.search(after: results.cursor, limit: 25)
                        #expect(Set(next.map(\.id)).isDisjoint(with: results.map(\.id)))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

import Foundation
import Testing

@testable import TextSearch

@Suite("The best documents of stop words by their lists, against all of them")
struct ChampionsTests {
    private static let stopWords = ["ther", "con", "late", "föhn", "nowhere", "of"]
    private static let configuration = {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.stopWords = .words(stopWords)
        return configuration
    }()

    private struct Texts {
        var generator: SeededGenerator

        mutating func word() -> String {
            let beginning = generator.element(["con", "re", "la", "o", "Föhn", "\u{301}"])
            let end = generator.element(["ther", "late", "ofen", "con", "therthermal", "con", ""])
            return "\(beginning)\(end)\(generator.once(in: 3) ? "\(generator.int(0...30))" : "")"
        }

        mutating func string() -> String {
            // Of few lengths, so that many documents tie; and now and then one that has a word more often than groups go.
            let count = generator.element([0, 1, 1, 2, 5, 8, 8, 30, generator.int(0...200)])
            let repeated = generator.once(in: 60) ? [String](repeating: word(), count: 70) : []
            return ((0..<count).map { _ in word() } + repeated).joined(separator: " ")
        }

        mutating func object(_ id: Int) -> PlainNote {
            var note = PlainNote("\(id)")
            let count = generator.once(in: 4) ? generator.int(0...10) : 2
            note.strings = (0..<count).map { place in
                // Most have what is looked for in one string alone.
                place == 1 || generator.once(in: 5) ? string() : "title"
            }
            return note
        }

        mutating func parameters() -> BM25Parameters {
            var parameters = BM25Parameters()
            if generator.once(in: 2) { return parameters }
            parameters.k1 = generator.element([0, 1e-9, 0.5, 8, 1e6])
            parameters.b = generator.element([0, 1e-12, 0.3, 0.75, 1])
            if generator.once(in: 2) {
                parameters.fieldWeights["title"] = generator.element([
                    0, .leastNonzeroMagnitude, 0.1, 4, 1e6,
                ])
                parameters.fieldB["body"] = generator.element([0, 0.5, 1])
            }
            return parameters
        }
    }

    private func compare(
        _ index: TextIndex<PlainNote>, _ texts: inout Texts, _ seed: UInt64
    ) throws {
        for word in Self.stopWords {
            let ranking = Ranking.relevance(texts.parameters())
            let all = try index.search(.term(word), ranking: ranking, limit: 100_000)
            for limit in [1, 10, 20, ChampionList.groupSize, ChampionList.groupSize + 1] {
                let note: Comment = "seed \(seed): \(word), \(limit), \(ranking)"
                let best = try index.search(.term(word), ranking: ranking, limit: limit)
                expectBest(best, among: all, limit: limit, note)
                #expect(best.totalCount == all.totalCount, note)
                #expect(best.diagnostics == all.diagnostics, note)
            }
        }
    }

    /// How many segments answer for a word by a list, and whether that is enough for the best.
    private func lists(
        of word: String, in index: TextIndex<PlainNote>
    ) throws -> (count: Int, areEnough: Bool) {
        var evaluator = index.evaluator(index.writer.snapshot, .relevance)
        let (pattern, strings) = try #require(
            try evaluator.lonePattern(of: .keyword(word), in: nil))
        let sums = try evaluator.terms.sums(of: pattern, in: strings, champions: true)
        let count = sums.champions.count
        return (count, try evaluator.best(of: sums, count: 10) != nil)
    }

    @Test("The same documents, order, scores and counts", arguments: testSeeds(8))
    func best(seed: UInt64) async throws {
        var texts = Texts(generator: SeededGenerator(seed: seed))
        var configuration = Self.configuration
        configuration.leastChampionDocuments = texts.generator.element([1, 1, 100])
        let directory = temporaryDirectory("champions")
        var index = try TextIndex.ofTexts(at: directory, configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
        for round in 0..<5 {
            let count = texts.generator.element([5, 300, 1500])
            let ids = round * 10_000..<(round * 10_000 + count)
            try await index.indexObjects(ids.map { texts.object($0) })
            switch round {
            case 0, 1: try index.flush()
            case 2:
                for _ in 0..<20 {
                    let gone = Data("\(texts.generator.int(0...300))".utf8)
                    _ = try await index.removeIndex(forIdentifier: gone).value()
                }
            case 3:
                try index.optimize()
                try index.closeVerified()
                index = try TextIndex.ofTexts(at: directory, configuration)
            default: try index.flush()
            }
            try compare(index, &texts, seed)
        }
    }

    @Test("Lists are there after a flush, a merge, a copy and a rebuild, and are enough")
    func isTaken() async throws {
        var texts = Texts(generator: SeededGenerator(seed: 7))
        var configuration = Self.configuration
        configuration.leastChampionDocuments = 100
        let directory = temporaryDirectory("champions")
        let copy = temporaryDirectory("champions-copy")
        defer {
            try? FileManager.default.removeItem(at: directory)
            try? FileManager.default.removeItem(at: copy)
        }
        var index = try TextIndex.ofTexts(at: directory, configuration)
        for round in 1...2 {
            try await index.indexObjects((0..<2000).map { texts.object(round * 10_000 + $0) })
            try index.flush()
            #expect(try lists(of: "con", in: index) == (round, true))
        }
        #expect(try lists(of: "of", in: index).count == 0, "has two letters")
        #expect(try lists(of: "nowhere", in: index).count == 0, "no word holds it")
        _ = try await index.removeIndex(forIdentifier: Data("10000".utf8)).value()
        #expect(try lists(of: "con", in: index) == (1, true))
        try index.optimize()
        #expect(try lists(of: "con", in: index) == (1, true))
        #expect(try lists(of: "therm", in: index).count == 0, "is no stop word")
        _ = try index.backup(to: copy)
        try index.closeVerified()
        index = try TextIndex.ofTexts(at: copy, configuration)
        #expect(try lists(of: "con", in: index) == (1, true))
        configuration.stopWords = .words(["therm"])
        index.objectGetter = { identifier in
            PlainNote(String(decoding: identifier, as: UTF8.self), "a thermal late lather")
        }
        try await index.rebuild(with: configuration)
        #expect(try lists(of: "therm", in: index).count == 1)
        try index.closeVerified()
    }

    @Test(
        "A damaged page of lists is found, and asked for by nobody in vain", arguments: [0, 1, 2])
    func damage(how: Int) async throws {
        var texts = Texts(generator: SeededGenerator(seed: 11))
        let directory = temporaryDirectory("champions")
        let index = try TextIndex.ofTexts(at: directory, Self.configuration)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: directory)
        }
        try await index.indexObjects((0..<2000).map { texts.object($0) })
        try index.flush()
        let segment = try #require(index.writer.snapshot.flushed.first)
        var key = Buffer<UInt8>()
        Key.column(segment: segment.number, column: Column.champions, page: 0, into: &key)
        let page = try #require(try index.store.value(key.toArray()))
        let batch = StoreBatch()
        switch how {
        case 0: batch.delete(key)
        case 1: batch.put(key.toArray(), Array(page.dropLast()))
        default: batch.put(key.toArray(), page + [0])
        }
        try index.store.commit(batch, sync: false)
        #expect(segment.championLists().isEmpty)
        try compare(index, &texts, 11)
        #expect(!(try index.verify(depth: .full).isClean))
    }

    @Test("Stored and read again, and no damage is read as something else", arguments: testSeeds(8))
    func storedForm(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var lengths = LengthColumn()
        for _ in 0..<300 { lengths.append([UInt32](repeating: 9, count: 3)) }
        var lists = ChampionLists()
        var expected: [[UInt8]: ChampionList] = [:]
        for _ in 0..<generator.int(0...5) {
            var list = ChampionList()
            list.documentCount = generator.int(0...300)
            list.termCount = generator.int(0...100_000)
            list.groups = (0..<generator.int(0...5)).map { _ in
                ChampionList.Group(
                    string: UInt32(generator.int(0...2)), frequency: UInt32(generator.int(1...70)),
                    documents: Set(
                        (0..<generator.int(0...40)).map { _ in
                            UInt32(generator.int(0...299))
                        }
                    ).sorted())
            }
            list.others = (0..<generator.int(0...20)).map { _ in UInt32(generator.int(0...299)) }
                .sorted().map { ChampionList.Count(document: $0, string: 1, frequency: 300) }
            let word = Array("word\(generator.int(0...99))".utf8)
            lists.add(list, for: word)
            expected[word] = list
        }
        var page = Buffer<UInt8>()
        lists.encode(into: &page)
        let read = try page.withBytes { (bytes) throws(MalformedData) in
            try ChampionLists(bytes, lengths)
        }
        for (word, list) in expected { #expect(read.list(of: word) == list, "seed \(seed)") }
        let bytes = page.toArray()
        for end in bytes.indices {
            #expect(throws: MalformedData.self, "seed \(seed)") {
                try bytes[..<end].withUnsafeBytes { (bytes) throws(MalformedData) in
                    _ = try ChampionLists(bytes, lengths)
                }
            }
        }
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1 << UInt8(generator.int(0...7))
            // Another list, or none; its documents have their strings in any case.
            _ = try? changed.withUnsafeBytes { (bytes) throws(MalformedData) in
                try ChampionLists(bytes, lengths)
            }
        }
    }

    @Test(
        "Which stop words a term holds, as a comparison at each place says",
        arguments: testSeeds(20))
    func infixes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters = generator.element([["a", "b"], ["a", "b", "ö", "字", "\u{301}"]])
        func word(_ lengths: ClosedRange<Int>) -> [UInt8] {
            Array(
                (0..<generator.int(lengths)).map { _ in generator.element(letters) }.joined().utf8)
        }
        let infixes = StopWordInfixes((0..<generator.int(0...40)).map { _ in word(1...5) })
        #expect(
            infixes.words.allSatisfy {
                String(decoding: $0, as: UTF8.self).unicodeScalars.count > 2
            })
        for _ in 0..<200 {
            let term = word(0...12)
            let expected = infixes.words.indices.filter { number in
                let pattern = TermPattern.token(infixes.words[number], TokenRule(minimalLength: 1))
                return term.withUnsafeBufferPointer { pattern.match($0) } != nil
            }
            var found: [Int] = []
            term.withUnsafeBufferPointer { infixes.forEach(in: $0) { found.append($0) } }
            #expect(found.sorted() == expected, "seed \(seed): \(term)")
        }
    }
}

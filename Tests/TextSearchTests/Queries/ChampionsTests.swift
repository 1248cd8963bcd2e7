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
        configuration.indexesStopWords = false
        // Lists are enough where titles count no more than bodies.
        configuration.relevance.fieldWeights["title"] = 1
        return configuration
    }()

    private struct Texts {
        var generator: SeededGenerator
        /// One in so many objects has more than a title and a body, and one in as many strings besides the body any words.
        var rarity = 100

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
            let count = generator.once(in: rarity) ? generator.int(0...10) : 2
            note.strings = (0..<count).map { place in
                // Most have what is looked for in one string alone.
                place == 1 || generator.once(in: rarity) ? string() : "title"
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
            let filtered = try index.search(.filter(.term(word)), limit: 100_000)
            let isSame = Set(filtered.map(\.identifier)) == Set(all.map(\.identifier))
            #expect(isSame && filtered.count == all.count, "seed \(seed): \(word)")
            #expect(filtered.diagnostics == all.diagnostics, "seed \(seed): \(word)")
            #expect(filtered.allSatisfy { $0.score == 0 }, "seed \(seed): \(word)")
            if texts.generator.once(in: 4) {
                for keyword in [word, "\(word) \(texts.generator.element(Self.stopWords))"] {
                    let held = try index.searchResults(forKeyword: keyword).count
                    let counted = try index.resultCount(forKeyword: keyword)
                    #expect(counted == held, "seed \(seed): \(keyword)")
                }
            }
            for query in [Query.term(word), .filter(.term(word))] {
                let counted = try index.search(query, ranking: ranking, limit: 0)
                #expect(counted.isEmpty, "seed \(seed): \(word)")
                #expect(counted.totalCount.value == all.count, "seed \(seed): \(word)")
            }
            for limit in [1, 10, 20, ChampionList.groupSize, ChampionList.groupSize + 1] {
                let note: Comment = "seed \(seed): \(word), \(limit), \(ranking)"
                let best = try index.search(.term(word), ranking: ranking, limit: limit)
                expectBest(best, among: all, limit: limit, note)
                #expect(best.totalCount == all.totalCount, note)
                #expect(best.diagnostics == all.diagnostics, note)
            }
        }
    }

    /// How many segments have a list of a word, and whether the lists are enough for the best.
    private func lists(
        of word: String, in index: TextIndex<PlainNote>
    ) throws -> (count: Int, areEnough: Bool) {
        var evaluator = index.evaluator(index.writer.snapshot, .relevance)
        let (pattern, strings) = try #require(
            try evaluator.lonePattern(of: .keyword(word), in: nil))
        let count = try evaluator.terms.listedSums(of: pattern, in: strings).champions.count
        let best = try evaluator.bestByLists(of: pattern, in: strings, count: 10)
        return (count, best?.areEnough ?? false)
    }

    @Test("The same documents, order, scores and counts", arguments: testSeeds(8))
    func best(seed: UInt64) async throws {
        var texts = Texts(generator: SeededGenerator(seed: seed))
        texts.rarity = texts.generator.element([5, 30, 100])
        var configuration = Self.configuration
        configuration.leastChampionDocuments = texts.generator.element([1, 1, 100])
        configuration.minimalTokenLength = texts.generator.element([2, 3, 4, 5])
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
            case 2: try await remove(from: index, &texts)
            case 3:
                try index.optimize()
                try index.closeVerified()
                index = try TextIndex.ofTexts(at: directory, configuration)
            default: try index.flush()
            }
            try compare(index, &texts, seed)
            guard texts.generator.once(in: 2) else { continue }
            try await remove(from: index, &texts)
            try compare(index, &texts, seed)
        }
    }

    /// Removes any objects, and of a word the best, which lists hold.
    private func remove(from index: TextIndex<PlainNote>, _ texts: inout Texts) async throws {
        let any = (0..<texts.generator.int(0...30)).map { _ in
            Data("\(texts.generator.int(0...3) * 10_000 + texts.generator.int(0...300))".utf8)
        }
        let best = try index.search(
            .term(texts.generator.element(Self.stopWords)), limit: texts.generator.int(1...40))
        try await index.removeObjects(withIdentifiers: any + best.map(\.identifier))
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
        #expect(try lists(of: "con", in: index) == (2, true), "also with a dead document")
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

    /// An index of texts in a directory of its own, and the way to end both.
    private func emptyIndex(
        _ change: (inout TextIndexConfiguration) -> Void = { _ in }
    ) throws -> (index: TextIndex<PlainNote>, end: () -> Void) {
        var configuration = Self.configuration
        configuration.leastChampionDocuments = 1
        change(&configuration)
        let directory = temporaryDirectory("champions")
        let index = try TextIndex.ofTexts(at: directory, configuration)
        return (
            index,
            {
                try? index.closeVerified()
                try? FileManager.default.removeItem(at: directory)
            }
        )
    }

    @Test("Lists are enough where most strings are alike, and not where lengths do not count")
    func ties() async throws {
        let (index, end) = try emptyIndex()
        defer { end() }
        // The shorter ones last.
        for length in [3, 2, 1] {
            let text = Array(repeating: "x", count: length - 1).joined(separator: " ")
            try await index.indexObjects(
                (0..<100).map { PlainNote("\(length) \($0)", "", "lather \(text)") })
        }
        try index.flush()
        #expect(try lists(of: "ther", in: index) == (1, true))
        let all = try index.search(.term("ther"), limit: 1000)
        expectBest(try index.search(.term("ther"), limit: 20), among: all, limit: 20, "by length")
        #expect(all.items.first?.identifier == Data("1 0".utf8))
        var flat = BM25Parameters()
        flat.b = 0
        let ranking = Ranking.relevance(flat)
        let even = try index.search(.term("ther"), ranking: ranking, limit: 1000)
        let best = try index.search(.term("ther"), ranking: ranking, limit: 20)
        expectBest(best, among: even, limit: 20, "without lengths")
        #expect(best.items.first?.identifier == Data("3 0".utf8))
        // One of the shortest is dead: the others of the list are enough.
        try await index.removeObjects(withIdentifiers: [Data("1 0".utf8)])
        #expect(try lists(of: "ther", in: index) == (1, true))
        let withoutOne = try index.search(.term("ther"), limit: 1000)
        expectBest(
            try index.search(.term("ther"), limit: 20), among: withoutOne, limit: 20, "but one")
        #expect(withoutOne.items.first?.identifier == Data("1 1".utf8))
        // All that the list has of the shortest are dead: those that it left out are as good as its next.
        try await index.removeObjects(withIdentifiers: (0..<32).map { Data("1 \($0)".utf8) })
        let left = try index.search(.term("ther"), limit: 1000)
        #expect(left.totalCount.value == 268)
        let bestLeft = try index.search(.term("ther"), limit: 20)
        expectBest(bestLeft, among: left, limit: 20, "without the list's own")
        #expect(bestLeft.items.first?.identifier == Data("1 32".utf8))
        #expect(try lists(of: "ther", in: index) == (1, false))
        var evaluator = index.evaluator(index.writer.snapshot, ranking)
        let (pattern, _) = try #require(try evaluator.lonePattern(of: .keyword("ther"), in: nil))
        let byLists = try evaluator.bestByLists(of: pattern, in: .all, count: 10)
        #expect(byLists?.areEnough == false)
    }

    @Test(
        "The best documents with the word in both strings are enough for their weights only"
    )
    func manyInBoth() async throws {
        var texts = Texts(generator: SeededGenerator(seed: 5))
        let (index, end) = try emptyIndex()
        defer { end() }
        for segment in 0..<2 {
            try await index.indexObjects(
                (0..<1500).map { id in
                    let count = texts.generator.int(1...90)
                    let title = texts.generator.once(in: 8) ? "" : "gather"
                    let body =
                        [String](repeating: "lather", count: count)
                        + (0..<texts.generator.int(0...60)).map { "x\($0)" }
                    return PlainNote("\(segment) \(id)", title, body.joined(separator: " "))
                })
            try index.flush()
        }
        for segment in index.writer.snapshot.flushed {
            let list = try #require(try segment.championLists().list(of: Array("ther".utf8)))
            #expect(list.leftOut > 0 && Set(list.others.map(\.document)).count == 256)
        }
        #expect(try lists(of: "ther", in: index) == (2, true))
        var weighted = BM25Parameters()
        weighted.fieldWeights["title"] = 50
        for ranking in [Ranking.relevance, .relevance(weighted)] {
            let all = try index.search(.term("ther"), ranking: ranking, limit: 10_000)
            let best = try index.search(.term("ther"), ranking: ranking, limit: 10)
            expectBest(best, among: all, limit: 10, "\(ranking)")
            #expect(best.totalCount.value == 3000)
        }
        var evaluator = index.evaluator(index.writer.snapshot, .relevance(weighted))
        let (pattern, _) = try #require(try evaluator.lonePattern(of: .keyword("ther"), in: nil))
        #expect(try evaluator.bestByLists(of: pattern, in: .all, count: 10)?.areEnough == false)
        // The best are dead: those that were left out may be as good as what the lists have still.
        let best = try index.search(.term("ther"), limit: 600)
        try await index.removeObjects(withIdentifiers: best.map(\.identifier))
        let left = try index.search(.term("ther"), limit: 10_000)
        expectBest(try index.search(.term("ther"), limit: 10), among: left, limit: 10, "left")
        #expect(left.totalCount.value == 2400)
    }

    @Test(
        "A list leaves out no document when few have the word in both strings",
        arguments: [256, 257])
    func fewInBoth(count: Int) async throws {
        let (index, end) = try emptyIndex()
        defer { end() }
        try await index.indexObjects((0..<count).map { PlainNote("\($0)", "gather", "lather") })
        try index.flush()
        let segment = try #require(index.writer.snapshot.flushed.first)
        let list = try #require(try segment.championLists().list(of: Array("ther".utf8)))
        #expect(list.others.count == 512 && (list.leftOut > 0) == (count > 256))
        #expect(try index.verify(depth: .full).isClean)
    }

    @Test("Lists of another form say nothing, and are no damage")
    func otherForms() async throws {
        let (index, end) = try emptyIndex()
        defer { end() }
        try await index.indexObjects((0..<100).map { PlainNote("\($0)", "lather\($0)") })
        try index.flush()
        let lengths = try #require(index.writer.snapshot.flushed.first).lengths()
        var page = Buffer<UInt8>()
        var lists = ChampionLists()
        lists.add(ChampionList(), for: Array("ther".utf8))
        lists.encode(into: &page)
        let bytes = page.withElements { Array($0) }
        #expect(try bytes.withExactBytes { try ChampionLists($0, lengths) }.isEmpty == false)
        let others: [[UInt8]] = [
            [1] + bytes.dropFirst(3), [0, 2] + bytes.dropFirst(2), [0, 2],
        ]
        for other in others {
            #expect(try other.withExactBytes { try ChampionLists($0, lengths) }.isEmpty)
        }
    }

    @Test("No more words than a part of a word may stand for", arguments: [-1, 0, 1])
    func expansions(more: Int) async throws {
        // Forty words in each of two segments, of which twenty are in both.
        let (index, end) = try emptyIndex { $0.queryLimits.maximumExpansions = 60 + more }
        defer { end() }
        for first in [0, 20] {
            try await index.indexObjects(
                (first..<(first + 40)).map { PlainNote("\(first) \($0)", "lather\($0)") })
            try index.flush()
        }
        let best = try index.search(.term("ther"), limit: 10)
        let all = try index.search(.term("ther"), limit: 1000)
        expectBest(best, among: all, limit: 10, "\(more)")
        #expect(best.totalCount == all.totalCount && best.diagnostics == all.diagnostics)
        let filtered = try index.search(.filter(.term("ther")), limit: 1000)
        #expect(filtered.count == all.count && filtered.diagnostics == all.diagnostics)
        #expect((all.totalCount.value == 80) == (more >= 0))
    }

    @Test("Postings that take too much room have no lists")
    func room() throws {
        let infixes = StopWordInfixes([Array("ther".utf8), Array("late".utf8)])
        var lengths = LengthColumn()
        lengths.append([7])
        let one = PlainPostings(
            documents: [.init(number: 0, runs: [.init(string: 0, positions: [3])])]
        ).encoded().chunk
        var chunk = Buffer<UInt8>()
        chunk.append(bytes: one)
        for count in 0...20 {
            var postings = StopWordPostings(infixes, mostBytes: 10 * one.count + 9 * 16)
            for number in 0..<count {
                Array("lather\(number)lated".utf8).withUnsafeBufferPointer {
                    postings.take($0, chunk)
                }
            }
            #expect(postings.isWhole == (count <= 10))
            var brief = ChampionWriter(infixes, lengths, leastDocuments: 0, mostDocumentBytes: 1)
            let short = try brief.lists([postings]).list(of: Array("ther".utf8))
            #expect((short?.documents ?? ListedDocuments()) == ListedDocuments())
            var writer = ChampionWriter(infixes, lengths, leastDocuments: 0)
            let lists = try writer.lists([postings, StopWordPostings(infixes)])
            #expect(
                lists.list(of: Array("ther".utf8))?.termCount == (1...10 ~= count ? count : nil))
            #expect(lists.list(of: Array("ther".utf8))?.documents != ListedDocuments())
        }
    }

    @Test(
        "Equal scores stay equal when stop words are searched inside words")
    func constantScores() async throws {
        let (index, end) = try emptyIndex()
        defer { end() }
        try await index.indexObjects(
            (0..<50).map { PlainNote("\($0)", "title", "lather con\($0)") })
        try index.flush()
        let word = Query.term("ther")
        let queries: [(Query, Double)] = [
            (.filter(word), 0), (.constantScore(word, 2), 2),
            (.field("title", .constantScore(word, 2)), 2), (.boost(.constantScore(word, 2), 3), 6),
            (.all(of: [.filter(word), .filter(.term("con"))]), 0), (.any(of: [.filter(word)]), 0),
        ]
        let federated = try FederatedSearch([index])
        for (query, score) in queries {
            for query in [query, query.normalized()] {
                let results = try index.search(query, limit: 100)
                #expect(results.count == 50, "\(query)")
                #expect(results.allSatisfy { $0.score == score }, "\(query)")
                let both = try federated.search(query, limit: 100)
                #expect(both.hits.map(\.item.score) == results.map(\.score), "\(query)")
                #expect(try index.search(query, limit: 0).totalCount.value == 50, "\(query)")
            }
        }
    }

    @Test("What was found when the time is over, even where lists are not enough")
    func spent() async throws {
        let (index, end) = try emptyIndex()
        defer { end() }
        for round in 0...1 {
            try await index.indexObjects(
                (0..<100).map { PlainNote("\(round) \($0)", "lather\($0) lather\($0 + 1)") })
            try index.flush()
        }
        _ = try await index.removeIndex(forIdentifier: Data("1 0".utf8)).value()
        // Without lengths more documents may be as good.
        var flat = BM25Parameters()
        flat.b = 0
        // After each of the checks that it takes.
        var checks = 0
        while checks < 1_000 {
            var evaluator = index.evaluator(index.writer.snapshot, .relevance(flat))
            evaluator.clock = SearchClock(checks: checks)
            let best = try #require(try evaluator.bestOfPattern(.keyword("ther"), count: 20))
            #expect(best.entries.count == 20)
            if best.isExact { break }
            checks += 1
        }
        #expect(1..<1_000 ~= checks)
    }

    @Test("A list that is not what the postings say is found, whatever its digest")
    func proof() async throws {
        let (index, end) = try emptyIndex()
        defer { end() }
        try await index.indexObjects(
            (0..<100).map {
                PlainNote("\($0)", "lather\($0) \(String(repeating: "x ", count: $0))")
            })
        try index.flush()
        let segment = try #require(index.writer.snapshot.flushed.first)
        let examination = SegmentExamination(segment.manifest)
        let store = index.store
        var key = Buffer<UInt8>()
        for column in [Column.lengths, Column.champions] {
            Key.column(segment: segment.number, column: column, page: 0, into: &key)
            let found: Void? = try store.withValue(key, .columns) {
                try examination.addPage(0, of: column, $0)
            }
            try #require(found != nil)
        }
        func wrongLists(leavingOut left: Int?) throws -> [[UInt8]] {
            var champions = ChampionExamination(examination)
            for (number, part) in try segment.vocabulary().enumerated() {
                for term in 0..<part.termCount where term != left {
                    let place = TermPlace(part: UInt32(number), term: UInt32(term))
                    try part.withTerm(term) { name in
                        try segment.withPostings(of: name, at: place) {
                            champions.take(name, Array($0))
                        }
                    }
                }
            }
            return try champions.wrongLists()
        }
        #expect(examination.champions.keywords == [Array("ther".utf8)])
        #expect(try wrongLists(leavingOut: nil).isEmpty)
        #expect(try !wrongLists(leavingOut: 5).isEmpty)
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
        #expect(try segment.championLists().isEmpty)
        try compare(index, &texts, 11)
        #expect(!(try index.verify(depth: .full).isClean))
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
            var found: Set<Int> = []
            term.withUnsafeBufferPointer { infixes.forEach(in: $0) { found.insert($0) } }
            #expect(infixes.contains(term) == infixes.words.contains(term), "seed \(seed)")
            #expect(found.sorted() == expected, "seed \(seed): \(term)")
        }
    }
}

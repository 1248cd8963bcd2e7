import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Keywords with more hits than are kept")
struct KeywordHitsTests {
    /// What an enumeration shows of an item.
    private struct Shown: Equatable {
        var identifier: Data
        var rank: Int
        var tokens: [ResultToken]
    }

    private func shown(
        _ index: TextIndex<PlainNote>, _ keyword: String, _ options: EnumerationOptions,
        mostHits: Int = KeywordHits.most, stopAfter: Int = .max
    ) throws -> [Shown] {
        let shown = Shared<[Shown]>([])
        let clock = SearchClock(.unlimited, longest: nil)
        try index.enumerateResults(forKeyword: keyword, options, clock, mostHits: mostHits) {
            item, rank, count, stop in
            shown.change {
                $0.append(
                    Shown(identifier: item.identifier, rank: rank, tokens: item.resultTokens))
                #expect(item.rank == rank && count >= $0.count)
                if $0.count >= stopAfter { stop() }
            }
        }
        return shown.current.sorted { $0.rank < $1.rank }
    }

    private static func analysis(_ number: Int) -> TextAnalysis {
        switch number {
        case 0: TextAnalysis()
        case 1: TextAnalysis(tokenizer: CodeTokenizer())
        default: TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true))
        }
    }

    @Test(
        "A keyword search has the same items, order and matches, however few hits are kept",
        arguments: testSeeds(12))
    func bounded(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let analysis = Self.analysis(generator.int(0...2))
        let notes = try PlainNoteIndex {
            $0.analysis = analysis
            $0.minimalTokenLength = 1
        }
        let words = [
            "a", "banana", "anna", "Straße", "ﬃ", "getURLa", "c++a", "北京烤鸭北京", "烤", "teal", "é",
        ]
        for round in 0..<4 {
            try notes.add(
                (0..<30).map { _ in
                    let strings = (0..<2).map { _ in
                        (0..<generator.int(0...5)).map { _ in generator.element(words) }
                            .joined(separator: " ")
                    }
                    return PlainNote(
                        "\(generator.int(0...70))", strings[0], strings[1],
                        weight: Double(generator.int(0...1)))
                })
            switch round {
            case 0, 1: try notes.index.flush()
            case 3 where generator.once(in: 2): try notes.index.optimize()
            default: break
            }
            for keyword in [
                "a", "an", "s", "f", "e", "京", "北京", "京烤", "a e", "l a", "url", "烤 a", "", "+",
            ] {
                for options in [EnumerationOptions(), .reverse, .concurrent] {
                    let whole = try shown(notes.index, keyword, options)
                    let most = generator.element([0, 1, 5, 40, 200])
                    let note: Comment = "seed \(seed): \(keyword), \(most) kept"
                    let bounded = try shown(notes.index, keyword, options, mostHits: most)
                    #expect(bounded == whole, note)
                    let few = try shown(
                        notes.index, keyword, options == .reverse ? .reverse : [],
                        mostHits: most, stopAfter: 3)
                    #expect(few == Array(whole.prefix(3)), note)
                }
            }
        }
        try notes.index.closeVerified()
    }

    @Test("A search that is cut short shows what it found", arguments: testSeeds(3))
    func cutShort(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex { $0.minimalTokenLength = 1 }
        for _ in 0..<2 {
            try notes.add(
                (0..<50).map { _ in
                    PlainNote(
                        "\(generator.int(0...70))",
                        (0..<6).map { _ in generator.element(["banana", "teal", "swan", "ab"]) }
                            .joined(separator: " "))
                })
            try notes.index.flush()
        }
        let all = Set(try notes.ids("a"))
        for checks in 0..<8 {
            let clock = SearchClock(checks: checks)
            let found = Shared<[String]>([])
            try notes.index.enumerateResults(forKeyword: "a", [], clock, mostHits: 3) {
                item, _, _, _ in
                #expect(!item.resultTokens.isEmpty)
                found.change { $0.append(item.id) }
            }
            #expect(Set(found.current).isSubset(of: all), "seed \(seed): \(checks)")
            #expect(Set(found.current).count == found.current.count)
        }
    }

    private struct Model {
        var places: [(UInt32, UInt32, UInt16)] = []

        var first: (UInt32, UInt32, UInt16) {
            places.min { $0 < $1 } ?? (.max, .max, .max)
        }

        func sharesText(_ wordsOverlap: Bool) -> Bool {
            places.indices.contains { a in
                places[..<a].contains { b in
                    places[a].0 == b.0 && (wordsOverlap || places[a].1 == b.1)
                }
            }
        }
    }

    @Test("Hits of a term that matches at many places are folded while they come")
    func manyPlaces() throws {
        let word = String(repeating: "a", count: 200)
        let notes = try PlainNoteIndex([
            PlainNote("many", Array(repeating: word, count: 50).joined(separator: " ")),
            PlainNote("one", word),
        ])
        let snapshot = notes.index.writer.snapshot
        for (most, areKept) in [(1_000, false), (1 << 20, true)] {
            let clock = SearchClock(.unlimited, longest: nil)
            var evaluator = notes.index.evaluator(snapshot, .relevance, clock)
            var hits = KeywordHits(most: most, wordsOverlap: false, clock)
            let query = try KeywordQuery("aa", analyzer: snapshot.analyzer)
            try KeywordScorer(query).collect(into: &hits, &evaluator)
            #expect(hits.areKept == areKept)
            #expect(areKept ? hits.kept.count == 51 * 199 : hits.kept.isEmpty)
            var counts: [Int] = []
            hits.forEachDocument(evaluator.terms.matched) { _, place, _ in
                counts.append(place.count)
                #expect(place.offset == 0 && place.position == 0)
            }
            #expect(counts == [50 * 199, 199])
        }
        // Of a document that is shown only so many are kept.
        let clock = SearchClock(.unlimited, longest: nil)
        var evaluator = notes.index.evaluator(snapshot, .relevance, clock)
        var few = KeywordHits(
            most: .max, wordsOverlap: false, mostOfDocument: 3, clock)
        let query = try KeywordQuery("aa", analyzer: snapshot.analyzer)
        try KeywordScorer(query).collect(among: [0, 1], into: &few, &evaluator)
        #expect(few.kept.count == 4 * 199 + 199)
    }

    @Test("Folded hits say of each document what kept ones say", arguments: testSeeds(20))
    func folded(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let wordsOverlap = generator.once(in: 3)
        var model: [UInt32: Model] = [:]
        var matched = MatchedTerms()
        let offsets: [UInt16] = [0, 1, 3]
        let term: [UInt8] = [97, 97, 97, 97]
        for offset in offsets {
            _ = term.withUnsafeBufferPointer {
                matched.append($0, offset: Int(offset), matched: 1)
            }
        }
        var hits = KeywordHits(
            most: [0, 10, 100, 10_000][generator.int(0...3)], wordsOverlap: wordsOverlap,
            SearchClock(.unlimited, longest: nil))
        let count = generator.int(0...400)
        for _ in 0..<count {
            let document = UInt32(generator.int(0...2) * 1000 + generator.int(0...100))
            let hit = Hit(
                document: document, string: UInt32(generator.int(0...2)),
                position: UInt32(generator.int(0...500)), term: UInt32(generator.int(0...2)))
            let offset = offsets[Int(hit.term)]
            hits.append(hit, offset: offset)
            try hits.hold(matched)
            model[document, default: Model()].places.append((hit.string, hit.position, offset))
        }
        try hits.sort(matched)
        var found: [UInt32] = []
        var areFalse = 0
        hits.forEachDocument(matched) { document, place, mayShareText in
            found.append(document)
            let expected = model[document] ?? Model()
            #expect(
                (place.string, place.position, place.offset) == expected.first, "seed \(seed)")
            #expect(place.count == expected.places.count, "seed \(seed)")
            let sharesText = expected.sharesText(wordsOverlap)
            #expect(mayShareText || !sharesText, "seed \(seed)")
            if mayShareText, !sharesText { areFalse += 1 }
        }
        #expect(found == model.keys.sorted(), "seed \(seed)")
        // Few documents are taken for ones that may share text and do not.
        #expect(hits.areKept ? areFalse == 0 : areFalse <= found.count / 2, "seed \(seed)")
    }
}

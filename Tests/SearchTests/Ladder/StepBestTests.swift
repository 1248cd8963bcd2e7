import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Pages of a last step that finds many objects")
struct StepBestTests {
    /// What keeps a search from leaving scores out changes nothing that it shows.
    private static let allScored = -1e300

    private static func notes(
        _ random: inout SeededGenerator, _ stages: [Stage]
    ) throws -> PlainNoteIndex {
        let notes = try PlainNoteIndex([]) { $0.fields = ["title", "body"] }
        notes.index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings, attributes: ["kind": .string(String(note.id.suffix(1)))])
        }
        for stage in stages {
            let from = notes.index.count
            let made = (from..<from + 400).map { number in
                PlainNote(
                    "\(number)", words(random.int(1...4), &random).joined(separator: " "),
                    words(random.int(0...5), &random).joined(separator: " "))
            }
            try notes.add(made)
            try notes.enter(stage)
        }
        return notes
    }

    /// Words of which the first are the most frequent; some are nearly others.
    private static func words(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        (0..<count).map { _ in
            let number = min(random.int(0...30), random.int(0...30))
            let word = ["tiger", "river", "stone", "cloud", "lemon"][number % 5]
            return number < 20 ? word + String("abcdef".dropFirst(number / 5).prefix(1)) : word
        }
    }

    private struct Hit: Equatable {
        let id: String
        let score: UInt64
        let step: SearchSteps?

        init(_ item: SearchResultItem<PlainNote>) {
            id = item.id
            score = item.score.bitPattern
            step = item.matchedBy
        }
    }

    @Test("A page is that of a search in which all have their scores", arguments: testSeeds(12))
    func pages(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stages: [Stage] = random.int(0...1) == 0 ? [.flushed, .memory] : [.optimized]
        let notes = try Self.notes(&random, stages)
        var isLarge = false
        for _ in 0..<40 {
            var text = Self.words(random.int(2...6), &random).joined(separator: " ")
            if random.int(0...3) == 0 { text += " the" }
            if random.int(0...3) == 0 { text += "x" }
            let note: Comment = "seed \(seed), \"\(text)\""
            let (limit, offset) = (random.int(1...30), random.element([0, 0, 5, 100]))
            let page = try notes.index.search(text, limit: limit, offset: offset)
            let scored = try notes.index.search(
                text, limit: limit, offset: offset, minimumScore: Self.allScored)
            #expect(page.map(Hit.init) == scored.map(Hit.init), note)
            #expect(page.totalCount == scored.totalCount, note)
            #expect(page.allSatisfy { $0.score.isFinite }, note)
            if Array(page).last?.matchedBy == .someWords, page.totalCount.value > 150 {
                isLarge = true
            }
            if let item = Array(page).last {
                #expect(try item.explain()?.evaluated() == item.score, note)
            }
            try checkOthers(text, notes.index, limit, note)
        }
        #expect(isLarge, "seed \(seed)")
        try notes.index.close()
    }

    /// Searches that need the scores of all that matches.
    private func checkOthers(
        _ text: String, _ index: TextIndex<PlainNote>, _ limit: Int, _ note: Comment
    ) throws {
        let page = try index.search(text, limit: limit)
        let counted = try index.search(
            text, limit: limit, facets: [.values(of: "kind", limit: 20, topHits: 1)])
        #expect(counted.map(Hit.init) == page.map(Hit.init), note)
        let best = counted.facets.first?.buckets.compactMap { $0.hits.first?.score }.max()
        #expect(best == Array(page).first?.score, note)
        let least = Array(page).last?.score ?? 0
        let reaching = try index.search(text, limit: limit, minimumScore: least)
        #expect(reaching.map(Hit.init) == page.map(Hit.init), note)
    }
}

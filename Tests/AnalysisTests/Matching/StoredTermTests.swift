import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Postings of a term in several segments")
struct StoredTermTests {
    @Test(
        "Stored terms are those of the segments, asked of one or several, in any order",
        arguments: testSeeds(6))
    func asked(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["duck", "goose", "swan", "heron", "coot"]
        let cacheSize = generator.element([0, 4 << 10, 32 << 20])
        let notes = try PlainNoteIndex { $0.cacheSize = cacheSize }
        defer { try? notes.index.close() }
        /// Of each segment how many notes have each word.
        var counts: [[Int]] = []
        for segment in 0..<generator.int(1...5) {
            let texts = (0..<generator.int(1...30)).map { _ in
                words.filter { _ in generator.once(in: 5) }
            }
            try notes.add(
                texts.enumerated().map {
                    PlainNote("\(segment)-\($0)", $1.joined(separator: " ") + " bird")
                })
            try notes.index.flush()
            counts.append(words.map { word in texts.count { $0.contains(word) } })
        }
        let index = notes.index
        let flushed = index.writer.snapshot.flushed
        try #require(flushed.count == counts.count)
        for _ in 0..<300 {
            let word = generator.int(0...words.count - 1)
            let term = Array(words[word].utf8)
            if generator.once(in: 2) {
                let segment = generator.int(0...flushed.count - 1)
                let found = try flushed[segment].postings(of: term)
                #expect(found?.documentCount ?? 0 == counts[segment][word], "seed \(seed)")
                continue
            }
            let asked = flushed.indices.shuffled(using: &generator)
                .prefix(generator.int(0...flushed.count))
            let stored = try StoredTerm.of(term, in: asked.map { flushed[$0] })
            let expected = asked.map { counts[$0][word] }
            #expect(stored.postings.map { $0?.documentCount ?? 0 } == expected, "seed \(seed)")
            #expect(stored.documentCount == expected.reduce(0, +), "seed \(seed)")
        }
    }
}

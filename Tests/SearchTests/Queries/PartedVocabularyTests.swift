import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Vocabularies that are stored in several parts, in several segments, before and after somebody
/// reads all of them.
@Suite("Prefixes and phrases in vocabularies of several parts")
struct PartedVocabularyTests {
    private struct Page: Sendable {
        var id: Int
        var words: [String]
    }

    private static func open(
        _ folder: TemporaryFolder, cacheSize: Int? = nil
    ) throws -> TextIndex<Page> {
        var configuration = TextIndexConfiguration()
        if let cacheSize { configuration.cacheSize = cacheSize }
        let index = try TextIndex<Page>(at: folder("index"), configuration: configuration)
        index.identifier = { Data("\($0.id)".utf8) }
        index.indexer = { page, _ in
            IndexedObject(strings: [page.words.joined(separator: " ")])
        }
        return index
    }

    private static func word(_ generator: inout SeededGenerator) -> String {
        String((0..<generator.int(1...24)).map { _ in generator.element(["p", "q", "r", "x"]) })
    }

    private static func ids(_ results: SearchResults<Page>) -> Set<Int> {
        Set(results.items.compactMap { Int(String(decoding: $0.identifier, as: UTF8.self)) })
    }

    @Test(arguments: testSeeds(2)) func prefixes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("parts")
        let pages = (0..<60).map { id in
            Page(id: id, words: (0..<150).map { _ in Self.word(&generator) })
        }
        let first = try Self.open(folder)
        for (number, page) in pages.enumerated() {
            first.indexObject(page).waitUntilFinished()
            if number == 40 { try first.flush() }
        }
        try first.flush()
        let parts = first.writer.snapshot.flushed.map(\.manifest.partCount)
        #expect(parts.max() ?? 0 > 3, "seed \(seed): \(parts)")
        // Where the parts begin, and what no word begins with.
        var prefixes = try first.writer.snapshot.flushed.flatMap { segment in
            try (0..<segment.manifest.partCount).map {
                String(decoding: try segment.firstTerm(ofPart: $0), as: UTF8.self)
            }
        }
        prefixes += ["p", "x", "a", "pa", "z", "xxxxz", "pq", "qrx"]
        for _ in 0..<12 {
            let word = generator.element(generator.element(pages).words)
            prefixes.append(String(word.prefix(generator.int(1...6))))
        }
        try first.close()
        for prefix in prefixes {
            let expected = Set(
                pages.filter { $0.words.contains { $0.hasPrefix(prefix) } }.map(\.id))
            // Nothing of the vocabularies is in memory.
            let index = try Self.open(folder)
            for round in 0..<3 {
                let found = try index.search(.prefix(prefix), limit: 100)
                #expect(Self.ids(found) == expected, "seed \(seed): \(prefix)* \(round)")
                let counted = try index.search(.filter(.prefix(prefix)), limit: 0)
                #expect(counted.totalCount.value == expected.count, "seed \(seed): \(prefix)*")
                // From the third round on all are.
                if round == 1 { _ = try index.search(.infix("pqrx"), limit: 1) }
            }
            try index.close()
        }
    }

    @Test("A vocabulary is kept once as many parts were read as it has, if there is room")
    func isKept() throws {
        var generator = SeededGenerator(seed: 7)
        let folder = try TemporaryFolder("parts")
        let pages = (0..<30).map { id in
            Page(id: id, words: (0..<300).map { _ in Self.word(&generator) })
        }
        let first = try Self.open(folder)
        for page in pages { first.indexObject(page).waitUntilFinished() }
        try first.flush()
        let segment = try #require(first.writer.snapshot.flushed.first)
        let parts = try segment.vocabulary()
        let terms = parts.map(\.bytes)
        try first.close()
        #expect(terms.count > 3)
        let size = parts.map(\.byteCount).reduce(0, +) / terms.count * terms.count
        for cacheSize in [size - 1, size] {
            let index = try Self.open(folder, cacheSize: cacheSize)
            let segment = try #require(index.writer.snapshot.flushed.first)
            for read in 0..<(3 * terms.count) {
                // What is kept is not read again, and no part has room for itself.
                #expect(segment.hasVocabulary == (cacheSize == size && read >= terms.count))
                #expect(try segment.part(read % terms.count).bytes == terms[read % terms.count])
            }
            try index.close()
        }
    }

    @Test("Terms of a phrase in one field are counted there") func termsOfPhrases() throws {
        let folder = try TemporaryFolder("phrases")
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        let index = try TextIndex<[String]>(at: folder("index"), configuration: configuration)
        index.identifier = { Data($0.joined(separator: "/").utf8) }
        index.indexer = { strings, _ in IndexedObject(strings: strings) }
        for strings in [
            ["dark duck", "pond"], ["pond", "duck"], ["duck", "dark duck"], ["dark", "duck dark"],
        ] { index.indexObject(strings).waitUntilFinished() }
        for isFlushed in [false, true] {
            if isFlushed { try index.flush() }
            for (query, expected) in [
                (Query.field("title", .phrase("dark duck")), ["dark": 2, "duck": 2]),
                (.phrase("dark duck"), ["dark": 3, "duck": 4]),
            ] {
                let counts = Mutex<[String: Int]>([:])
                _ = try index.search(
                    query,
                    ranking: .custom { match in
                        for term in match.terms {
                            counts.withLock { $0[term.text] = term.documentFrequency }
                        }
                        return match.relevance
                    })
                #expect(counts.withLock { $0 } == expected, "\(query) \(isFlushed)")
            }
        }
        try index.close()
    }

    @Test("Long phrases are found, and one with a word that no object has is not")
    func longPhrases() throws {
        let folder = try TemporaryFolder("long")
        let index = try Self.open(folder)
        let words = (0..<200).map { "word\($0)" }
        for id in 0..<3 {
            index.indexObject(Page(id: id, words: words + ["end\(id)"])).waitUntilFinished()
        }
        for isFlushed in [false, true] {
            if isFlushed { try index.flush() }
            for count in [2, 31, 32, 33, 34, 120] {
                for start in [0, 50] {
                    let phrase = words[start..<(start + count)].joined(separator: " ")
                    #expect(Self.ids(try index.search(.phrase(phrase), limit: 10)) == [0, 1, 2])
                    let none = try index.search(.phrase("nobody " + phrase), limit: 10)
                    #expect(none.items.isEmpty)
                }
                let last = (words.suffix(count) + ["end1"]).joined(separator: " ")
                #expect(Self.ids(try index.search(.phrase(last), limit: 10)) == [1])
            }
        }
        try index.close()
    }
}

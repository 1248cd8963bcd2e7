import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// An object is found by the stems of its own words, however the index is cut into segments and
/// whatever other objects there are.
@Suite("Stems: segments", .timeLimit(.minutes(30)))
struct StemSegmentsTests {
    struct Written: Sendable {
        var id: String
        var words: [String]
        var language: StemmerLanguage?
    }

    static let languages: [StemmerLanguage] = [.english, .french, .german, .hungarian]

    /// Words that fold to each other and have different stems, in some of the languages.
    static let words = """
        resume résumé Resume RESUMÉ resuming resumed naïve naive naively running runs pâté pate pates \
        été ete étés élève élevé eleve élevée élèves mangé mange mangés côté cote cotés cotes \
        schön schon schöne schone Häuser Hauser Haus Häusern Hausern müsse musse Größe Grosse \
        kör kor körök korok köröket koroket házak hazak ház haz kér ker kérek kerek ① ＲＥＳＵＭＥ
        """.split(separator: " ").map(String.init)

    /// What should match, from the words alone.
    struct Model {
        var objects: [String: Written] = [:]
        private let folder = Folder()
        private let stemmers: [StemmerLanguage: Stemmer]

        init() throws {
            var stemmers: [StemmerLanguage: Stemmer] = [:]
            for language in languages { stemmers[language] = try Stemmer(language) }
            self.stemmers = stemmers
        }

        private struct Stem: Hashable {
            var language: StemmerLanguage
            var text: String
        }

        private func stem(_ word: String, _ language: StemmerLanguage) -> Stem? {
            guard word != "①" else { return nil }
            return stemmers[language].map {
                Stem(language: language, text: $0.stem(word, folder: folder))
            }
        }

        func ids(_ query: [String]) -> [String] {
            objects.values.filter { matches($0, query) }.map(\.id).sorted()
        }

        func matches(_ object: Written, _ query: [String]) -> Bool {
            // The words of a query that fold to each other share their stems, too.
            var asked: [String: Set<Stem>] = [:]
            for word in query {
                asked[folder.fold(word), default: []].formUnion(
                    languages.compactMap { stem(word, $0) })
            }
            let wanted = query.map { (folder.fold($0), asked[folder.fold($0), default: []]) }
            var stems: [String: Set<Stem>] = [:]
            for word in object.words {
                if let stem = stem(word, object.language ?? .english) {
                    stems[folder.fold(word), default: []].insert(stem)
                }
            }
            let folded = object.words.map { folder.fold($0) }
            guard folded.count >= query.count else { return false }
            return (0...(folded.count - query.count)).contains { start in
                wanted.enumerated().allSatisfy { offset, word in
                    let own = folded[start + offset]
                    return own == word.0 || !stems[own, default: []].isDisjoint(with: word.1)
                }
            }
        }
    }

    private final class Run {
        var generator: SeededGenerator
        var model: Model
        let directory = temporaryDirectory("stems")
        var index: TextIndex<Written>
        let configuration: TextIndexConfiguration

        init(_ seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            model = try Model()
            var configuration = TextIndexConfiguration()
            configuration.stopWords = .none
            configuration.analysis = TextAnalysis(stemming: .automatic(languages))
            if generator.once(in: 3) {
                configuration.fields = ["one", "two"]
                configuration.fieldAnalysis["two"] = TextAnalysis(
                    tokenizer: WhitespaceTokenizer(), stemming: .automatic(languages))
            }
            self.configuration = configuration
            index = try Self.open(directory, configuration)
        }

        static func open(
            _ directory: URL, _ configuration: TextIndexConfiguration
        ) throws -> TextIndex<Written> {
            let index = try TextIndex<Written>(at: directory, configuration: configuration)
            index.identifier = { Data($0.id.utf8) }
            index.indexer = { object, _ in
                IndexedObject(
                    strings: [object.words.joined(separator: " "), "zzz"], language: object.language
                )
            }
            return index
        }

        func step() throws {
            switch generator.int(0...9) {
            case 0...4:
                for _ in 0..<generator.int(1...4) {
                    let object = Written(
                        id: "\(generator.int(0...30))",
                        words: (0..<generator.int(1...4)).map { _ in generator.element(words) },
                        language: generator.once(in: 3)
                            ? nil : generator.element(languages))
                    index.indexObject(object).waitUntilFinished()
                    model.objects[object.id] = object
                }
            case 5:
                let id = "\(generator.int(0...30))"
                index.removeIndex(forIdentifier: Data(id.utf8)).waitUntilFinished()
                model.objects[id] = nil
            case 6, 7: try index.flush()
            case 8: try index.optimize()
            default:
                try index.closeVerified()
                index = try Self.open(directory, configuration)
            }
        }

        /// Which queries an object matches does not depend on what else is there.
        func checkPercolation(_ comment: String) throws {
            let queries = index.makeStoredQueries(named: String.self)
            for word in words { try queries.add(.term(word), as: word) }
            for object in model.objects.values {
                let expected = words.filter { model.matches(object, [$0]) }
                #expect(try queries.matches(object) == expected, "\(comment), \(object)")
            }
        }

        func check(_ comment: String) throws {
            for word in words {
                let expected = model.ids([word])
                let results = try index.search(.term(word), limit: .max)
                #expect(results.map(\.id).sorted() == expected, "\(comment), \(word)")
                for item in results { #expect(!item.resultTokens.isEmpty, "\(comment), \(word)") }
                let best = try index.search(.term(word), limit: 1)
                #expect(best.totalCount.value == expected.count, "\(comment), \(word)")
            }
            for _ in 0..<20 {
                let pair = [generator.element(words), generator.element(words)]
                let query = Query.phrase(pair.joined(separator: " "))
                let found = try index.search(query, limit: .max).map(\.id).sorted()
                #expect(found == model.ids(pair), "\(comment), \(pair)")
            }
        }
    }

    @Test(
        "Objects are found by the stems of their own words in every stage", arguments: testSeeds(4))
    func oracle(_ seed: UInt64) throws {
        let run = try Run(seed)
        defer { try? FileManager.default.removeItem(at: run.directory) }
        for step in 0..<25 {
            try run.step()
            try run.check("seed \(seed), step \(step)")
        }
        try run.checkPercolation("seed \(seed)")
        try run.index.closeVerified()
    }
}

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Similar objects against plain strings")
struct SimilarOracleTests {
    /// A term as the plain strings have it.
    private struct PlainTerm {
        var word: TestWord
        var occurrences: Int
        var documentFrequency: Int
        var weight = 0.0
    }

    @Test("Similar objects and their terms, of objects and of texts", arguments: testSeeds(8))
    func randomObjects(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<6 {
            try await bench.change()
            try bench.move()
            for _ in 0..<15 {
                var options = SimilarityOptions()
                options.limit = .max
                options.maximumTerms = bench.random.generator.element([0, 1, 3, 25])
                options.minimumOccurrences = bench.random.generator.int(1...2)
                options.minimumMatches = bench.random.generator.int(0...3)
                let field = bench.random.generator.element([nil, nil, 0, 1])
                options.field = field.map { PlainCorpus.fields[$0] }
                if bench.random.generator.once(in: 4) { options.filter = .attribute("x", .exists) }
                if bench.random.generator.once(in: 2) {
                    try checkObject(bench.random.generator.int(0...29), field, options, bench)
                } else {
                    let string = TestString.random(&bench.random.generator)
                    try checkText(string, field, options, bench)
                }
            }
        }
    }

    private func checkObject(
        _ id: Int, _ field: Int?, _ options: SimilarityOptions, _ bench: RandomIndex
    ) throws {
        let object = bench.object(id)
        let identifier = TestObject(id: id, strings: [], weight: 0).identifier
        let texts = { (_: SearchResultItem<TestObject>) in
            object?.strings.map(\.source) ?? []
        }
        let strings = (object?.strings ?? []).enumerated().filter {
            field == nil || $0.offset == field
        }
        let plain = terms(of: strings.map(\.element), leastFrequency: 2, options, bench)
        let note: Comment = "seed \(bench.seed), object \(id), \(options)"
        let found = try bench.index.significantTerms(
            of: identifier, options: options, texts: texts)
        check(found, plain, note)
        let results = try bench.index.similarObjects(
            to: identifier, options: options, texts: texts)
        try check(results, plain, field, options, except: id, bench, note)
    }

    private func checkText(
        _ string: TestString, _ field: Int?, _ options: SimilarityOptions, _ bench: RandomIndex
    ) throws {
        let plain = terms(of: [string], leastFrequency: 1, options, bench)
        let note: Comment = "seed \(bench.seed), text \(string.source), \(options)"
        let found = try bench.index.significantTerms(ofText: string.source, options: options)
        check(found, plain, note)
        let results = try bench.index.similarObjects(toText: string.source, options: options)
        try check(results, plain, field, options, except: nil, bench, note)
    }

    /// The terms by the formula, as it is written.
    private func terms(
        of strings: [TestString], leastFrequency: Int, _ options: SimilarityOptions,
        _ bench: RandomIndex
    ) -> [PlainTerm] {
        let model = bench.corpus.model
        var terms: [PlainTerm] = []
        for string in strings {
            var seen: Set<String> = []
            for word in string.words where !model.stopWords.contains(word.folded) {
                if model.discardsDuplicates, !seen.insert(word.folded).inserted { continue }
                if let place = terms.firstIndex(where: { $0.word.folded == word.folded }) {
                    terms[place].occurrences += 1
                } else {
                    let holders = model.objects.filter { object in
                        object.strings.contains { string in
                            string.words.contains { $0.folded == word.folded }
                        }
                    }
                    terms.append(
                        PlainTerm(word: word, occurrences: 1, documentFrequency: holders.count))
                }
            }
        }
        let n = Double(model.objects.count)
        for place in terms.indices {
            let df = Double(terms[place].documentFrequency)
            let idf = log(1 + (n - df + 0.5) / (df + 0.5))
            terms[place].weight = Double(terms[place].occurrences) * idf
        }
        terms.removeAll {
            $0.documentFrequency < leastFrequency || $0.occurrences < options.minimumOccurrences
        }
        let ordered = terms.enumerated().sorted { a, b in
            (-a.element.weight, a.offset) < (-b.element.weight, b.offset)
        }.map(\.element)
        let greatest = ordered.first?.weight ?? 1
        return ordered.prefix(options.maximumTerms).map { term in
            var term = term
            term.weight /= greatest
            return term
        }
    }

    private func check(_ found: [SignificantTerm], _ plain: [PlainTerm], _ note: Comment) {
        #expect(found.map(\.term) == plain.map(\.word.folded), note)
        #expect(found.map(\.occurrences) == plain.map(\.occurrences), note)
        #expect(found.map(\.documentFrequency) == plain.map(\.documentFrequency), note)
        #expect(zip(found, plain).allSatisfy { isClose($0.weight, $1.weight) }, note)
    }

    private func check(
        _ results: SearchResults<TestObject>, _ terms: [PlainTerm], _ field: Int?,
        _ options: SimilarityOptions, except id: Int?, _ bench: RandomIndex, _ note: Comment
    ) throws {
        let words = terms.map { term in
            let word = PlainQuery.phrase([term.word], slop: 0)
            let placed = field.map { .field(PlainCorpus.fields[$0], word) } ?? word
            return PlainQuery.boost(placed, term.weight)
        }
        var parts = [PlainQuery.atLeast(max(options.minimumMatches, 1), words)]
        if options.filter != nil { parts.append(.filter(.attribute("x", .exists))) }
        if let id { parts.append(.none([.objects([id])])) }
        let expected = words.isEmpty ? [:] : bench.corpus.scores(.all(parts))
        #expect(results.map(\.number).sorted() == expected.keys.sorted(), note)
        for item in results {
            #expect(isClose(item.score, expected[item.number] ?? .nan), note)
        }
        #expect(results.map(\.score) == results.map(\.score).sorted(by: >), note)
    }

    @Test("The text of an object comes from the hooks; what there is not has nothing like it")
    func hooks() throws {
        let index = try TextIndex<String>(at: temporaryDirectory("similar"))
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
        index.identifier = { Data($0.prefix(1).utf8) }
        index.indexer = { text, _ in IndexedObject(strings: [String(text.dropFirst(2))]) }
        let texts = [
            "1 the white whale swims in the sea", "2 a white whale and a white ship",
            "3 the ship sails the sea", "4 ducks and geese",
        ]
        for text in texts { index.indexObject(text).waitUntilFinished() }
        #expect(throws: TextIndexError.self) { _ = try index.similarObjects(to: Data("1".utf8)) }
        index.objectGetter = { identifier in
            texts.first { $0.hasPrefix(String(decoding: identifier, as: UTF8.self)) }
        }
        let similar = try index.similarObjects(to: Data("1".utf8))
        #expect(similar.map { String(decoding: $0.identifier, as: UTF8.self) } == ["2", "3"])
        #expect(try index.similarObjects(to: Data("4".utf8)).isEmpty)
        #expect(try index.similarObjects(to: Data("9".utf8)).isEmpty)
        #expect(try index.similarObjects(to: Data()).isEmpty)
        #expect(try index.similarObjects(toText: "").isEmpty)
        let white = try index.significantTerms(ofText: "WHITE Whale \"-white (")
        #expect(white.map(\.text) == ["WHITE", "Whale"])
        var wrong = SimilarityOptions()
        wrong.field = "none"
        #expect(throws: TextIndexError.self) {
            _ = try index.similarObjects(toText: "duck", options: wrong)
        }
    }
}

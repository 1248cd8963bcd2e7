import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Longer lives of an index than ``KeywordOracleTests``: work that is not waited for, texts large
/// enough to be flushed and merged by themselves, and everything that can be asked of an index.
@Suite("A whole index against plain arrays")
struct IndexOracleTests {
    /// An index, and what must be in it.
    fileprivate final class Subject {
        let seed: UInt64
        var generator: SeededGenerator
        var model = ReferenceModel()
        var configuration = TextIndexConfiguration()
        let directory = temporaryDirectory("index-oracle")
        var index: TextIndex<TestObject>
        var pending: [IndexingOperation] = []

        init(seed: UInt64) throws {
            self.seed = seed
            generator = SeededGenerator(seed: seed)
            model.minimalTokenLength = generator.int(1...3)
            model.discardsDuplicates = generator.once(in: 3)
            configuration.minimalTokenLength = model.minimalTokenLength
            configuration.discardDuplicateTokens = model.discardsDuplicates
            generator.drawStorage(of: &configuration)
            configuration.indexesStopWords = false
            switch generator.int(0...2) {
            case 0: configuration.stopWords = .none
            case 1:
                configuration.stopWords = .english
                model.stopWords = Set(StopWords.english.words)
            default:
                // Folded as text is.
                configuration.stopWords = .words(["Es", "Iﬀ", "ab"])
                model.stopWords = ["es", "iff", "ab"]
            }
            configuration.bufferSize = 1 << 16
            index = try TextIndex.ofTestObjects(at: directory, configuration)
        }

        func remove() {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
    }
}

// MARK: - Work

extension IndexOracleTests.Subject {
    private func object(words: Int) -> TestObject {
        var object = TestObject.random(generator.int(0...24), &generator)
        let weights = [0, -0.0, 1, 1.5, -2, 16_777_217, .infinity, -.infinity, 1e-300]
        object.weight = generator.element(weights)
        if words > 0 {
            var string = TestString(words: [], separators: [])
            for _ in 0..<words {
                string.words.append(.random(&generator))
                string.separators.append(generator.element(TestString.possibleSeparators))
            }
            object.strings.append(string)
        }
        return object
    }

    /// Waits for what was submitted.
    func settle() async throws {
        for operation in pending { _ = try await operation.value() }
        pending = []
    }

    /// Does one thing to the index, and to the model.
    func step() async throws {
        switch generator.int(0...29) {
        case 0...12:
            let object = object(words: generator.once(in: 8) ? 400 : 0)
            model.index(object)
            pending.append(
                generator.once(in: 2) ? index.indexObject(object) : index.updateIndex(for: object))
        case 13:
            let ids = (0..<generator.int(0...12)).map { _ in generator.int(0...24) }
            for id in ids { model.remove(id) }
            let objects = ids.map { TestObject(id: $0, strings: [], weight: 0) }
            let report =
                generator.once(in: 2)
                ? try await index.removeObjects(objects)
                : try await index.removeObjects(withIdentifiers: objects.map(\.identifier))
            #expect(report.removedCount == ids.count, "seed \(seed)")
        case 14...18:
            let id = generator.int(0...24)
            model.remove(id)
            let object = TestObject(id: id, strings: [], weight: 0)
            pending.append(
                generator.once(in: 2)
                    ? index.removeIndex(for: object)
                    : index.removeIndex(forIdentifier: object.identifier))
        case 19...21:
            try await settle()
            let objects = (0..<generator.int(0...30)).map { _ in
                object(words: generator.once(in: 6) ? 300 : 0)
            }
            for object in objects { model.index(object) }
            let report = try await index.indexObjects(objects)
            #expect(report.indexedCount == objects.count, "seed \(seed)")
        case 22...23: try await index.flush()
        case 24: try await index.optimize()
        case 25...26:
            // Waits for what was submitted by itself.
            try index.closeVerified()
            index = try TextIndex.ofTestObjects(at: directory, configuration)
            if !model.objects.isEmpty { _ = try await index.identifiers() }
        case 27:
            guard generator.once(in: 6) else { return }
            model.removeAll()
            try await index.removeAll()
        default: try await settle()
        }
    }
}

// MARK: - Questions

extension IndexOracleTests.Subject {
    /// A part of what is in the index, or something else.
    private func keyword() -> [TestWord] {
        (0..<(generator.once(in: 3) ? 2 : 1)).map { _ in
            let known = model.objects.randomElement(using: &generator)?.strings.flatMap(\.words)
            guard !generator.once(in: 5),
                let characters = known?.randomElement(using: &generator)?.characters
            else { return .random(&generator) }
            let start = generator.int(0...(characters.count - 1))
            let length = min(generator.int(1...6), characters.count - start)
            return TestWord(characters: Array(characters[start..<(start + length)]))
        }
    }

    func compareKeywords() throws {
        for _ in 0..<4 {
            let words = keyword()
            let text = words.map(\.source).joined(separator: generator.element([" ", ", ", " 🦆 "]))
            let found = try index.searchResults(forKeyword: text)
            let expected = model.search(words.map(\.folded))
            let actual = found.map { item in
                ReferenceModel.Result(
                    identifier: item.identifier,
                    matches: item.resultTokens.map {
                        .init(
                            string: $0.string, word: $0.word, wordIndex: $0.wordIndex,
                            token: $0.token, length: $0.length)
                    })
            }
            // Outside the macro, which would print all matches.
            let isSame = actual == expected
            #expect(isSame, "seed \(seed): \(text.debugDescription)")
            if !isSame {
                print("seed \(seed): found \(actual)\nexpected \(expected)")
            }
            let count = try index.resultCount(forKeyword: text)
            #expect(count == expected.count, "seed \(seed): \(text.debugDescription)")
            try compareTexts(found, words)
        }
    }

    /// The text under a match folds to what was looked for, with what the characters at its ends
    /// bring along.
    private func compareTexts(
        _ items: [SearchResultItem<TestObject>], _ words: [TestWord]
    ) throws {
        for item in items.prefix(5) {
            let object = try #require(model.objects.first { $0.identifier == item.identifier })
            #expect(item.weight.bitPattern == object.weight.bitPattern, "seed \(seed)")
            #expect(item.context == object.indexed.context, "seed \(seed)")
            for token in item.resultTokens.prefix(20) {
                let string = object.strings[token.string]
                let source = string.source
                let range = try #require(item.range(of: token, in: source), "seed \(seed)")
                #expect(NSRange(range, in: source) == item.range(of: token), "seed \(seed)")
                let folded = string.words[token.wordIndex].folded(
                    from: token.token, length: token.length)
                #expect(words.contains { folded.contains($0.folded) }, "seed \(seed)")
            }
        }
    }

    /// What can be asked of an index beside keywords.
    func compareContents() throws {
        #expect(index.count == model.objects.count, "seed \(seed)")
        let identifiers = try index.identifiers()
        #expect(identifiers == model.objects.map(\.identifier), "seed \(seed)")
        #expect(try index.statistics().objectCount == model.objects.count, "seed \(seed)")
        for id in 0...25 {
            let identifier = TestObject(id: id, strings: [], weight: 0).identifier
            let expected = model.objects.first { $0.id == id }
            #expect(
                try index.contains(identifier: identifier) == (expected != nil), "seed \(seed)")
            let item = try index.item(for: identifier)
            #expect(item?.identifier == expected?.identifier, "seed \(seed)")
            #expect(item?.weight == expected?.weight, "seed \(seed)")
            #expect(item?.context == expected?.indexed.context, "seed \(seed)")
            #expect(item?.resultTokens.isEmpty != false, "seed \(seed)")
        }
        // An empty keyword is every object; signs alone are nothing.
        let everything = model.objects.enumerated().sorted {
            ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
        }.map(\.element.identifier)
        for keyword in ["", " \n"] {
            let found = try index.searchResults(forKeyword: keyword)
            #expect(found.map(\.identifier) == everything, "seed \(seed)")
            #expect(found.allSatisfy { $0.resultTokens.isEmpty }, "seed \(seed)")
            #expect(try index.resultCount(forKeyword: keyword) == everything.count)
        }
        for keyword in ["!", "🦆", "zzz", "\0"] {
            #expect(try index.searchResults(forKeyword: keyword).isEmpty, "seed \(seed)")
            #expect(try index.resultCount(forKeyword: keyword) == 0, "seed \(seed)")
        }
    }

    /// Every way of enumerating gives what searching gives.
    func compareEnumerations() throws {
        let text = PlainQuery.text(keyword())
        let expected = try index.searchResults(forKeyword: text).map(\.identifier)
        for options: EnumerationOptions in [[], .reverse, .concurrent, [.reverse, .concurrent]] {
            let seen = Shared<[Int: Data]>([:])
            let faults = Shared(0)
            try index.enumerateResults(forKeyword: text, options: options) {
                item, rank, count, _ in
                let previous = seen.change { $0.updateValue(item.identifier, forKey: rank) }
                let isGood = previous == nil && count == expected.count && item.rank == rank
                if !isGood { faults.change { $0 += 1 } }
            }
            #expect(faults.change { $0 } == 0, "seed \(seed)")
            let ordered = seen.change { $0.sorted { $0.key < $1.key }.map(\.value) }
            let wanted = options.contains(.reverse) ? expected.reversed() : expected
            #expect(ordered == wanted, "seed \(seed)")
        }
        let last = generator.int(0...5)
        let calls = Shared(0)
        try index.enumerateResults(forKeyword: text) { _, rank, _, stop in
            calls.change { $0 += 1 }
            if rank == last { stop() }
        }
        #expect(calls.change { $0 } == min(expected.count, last + 1), "seed \(seed)")
    }
}

extension TestWord {
    /// What the characters in a range of UTF-16 units fold to.
    fileprivate func folded(from start: Int, length: Int) -> String {
        var place = 0
        var folded = ""
        for character in characters {
            if place >= start, place < start + length { folded += character.folded }
            place += character.source.utf16.count
        }
        return folded
    }
}

// MARK: - Tests

extension IndexOracleTests {
    @Test(
        "Random work that is not waited for gives what a plain model gives", arguments: testSeeds(8)
    )
    func randomWork(seed: UInt64) async throws {
        let subject = try Subject(seed: seed)
        defer { subject.remove() }
        for round in 0..<60 {
            try await subject.step()
            guard round % 4 == 3 else { continue }
            try await subject.settle()
            try subject.compareKeywords()
            try subject.compareContents()
            try subject.compareEnumerations()
        }
    }
}

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Rebuilds under random work against plain arrays: what is done while one is under way is in its
/// outcome.
@Suite("Rebuild against plain arrays", .timeLimit(.minutes(30)))
struct RebuildOracleTests {
    /// Analysis settings, and the same for the model.
    private struct Settings {
        var configuration: TextIndexConfiguration
        var stopWords: Set<String>
        var discardsDuplicates: Bool
        var minimalTokenLength: Int

        init(_ generator: inout SeededGenerator) {
            configuration = TextIndexConfiguration()
            let lists: [StopWords] = [.none, .words(["a", "b", "be", "es"]), .words(["e", "ss"])]
            configuration.indexesStopWords = false
            configuration.stopWords = generator.element(lists)
            stopWords = Set(configuration.stopWords.words)
            discardsDuplicates = generator.once(in: 2)
            configuration.discardDuplicateTokens = discardsDuplicates
            minimalTokenLength = generator.int(1...3)
            configuration.minimalTokenLength = minimalTokenLength
            configuration.bufferSize = 1 << 16
            generator.drawStorage(of: &configuration)
        }

        func apply(to model: inout ReferenceModel) {
            model.stopWords = stopWords
            model.discardsDuplicates = discardsDuplicates
            model.minimalTokenLength = minimalTokenLength
        }
    }

    /// The objects of an application, and the index that it keeps of them.
    private final class Subject: @unchecked Sendable {
        // One thread at a time: the test's, or the rebuild's while the test waits for it. The lock
        // hands it over.
        private let turn = NSLock()
        var generator: SeededGenerator
        var model = ReferenceModel()
        var index: TextIndex<TestObject>
        var pending: [IndexingOperation] = []
        private var isRebuilding = false
        var fails = false
        let seed: UInt64
        let directory = temporaryDirectory("rebuild-oracle")

        struct Broken: Error {}

        init(_ seed: UInt64, _ generator: SeededGenerator, _ settings: Settings) throws {
            self.seed = seed
            self.generator = generator
            index = try TextIndex(at: directory, configuration: settings.configuration)
            prepare()
            settings.apply(to: &model)
        }

        func reopen(_ configuration: TextIndexConfiguration) throws {
            index = try TextIndex(at: directory, configuration: configuration)
            prepare()
        }

        func prepare() {
            index.identifier = { $0.identifier }
            index.indexer = { object, _ in object.indexed }
            index.objectGetter = { [unowned self] identifier in
                try turn.withLock { try get(identifier) }
            }
        }

        private func get(_ identifier: Data) throws -> TestObject? {
            // What the application does between two objects of a rebuild.
            while isRebuilding, generator.once(in: 3) { try step() }
            if fails, generator.once(in: 20) { throw Broken() }
            let found = model.objects.first { $0.identifier == identifier }
            if isRebuilding, generator.once(in: 8) { try step() }
            return found
        }

        func rebuild(with configuration: TextIndexConfiguration) async throws -> IndexingReport {
            turn.withLock { isRebuilding = true }
            defer { turn.withLock { isRebuilding = false } }
            return try await index.rebuild(with: configuration)
        }

        /// Changes the objects and has the index follow, without waiting.
        func step() throws {
            switch generator.int(0...39) {
            case 0...17:
                let object = TestObject.random(generator.int(0...60), &generator)
                model.index(object)
                pending.append(index.indexObject(object))
            case 18...25:
                let id = generator.int(0...60)
                model.remove(id)
                let identifier = TestObject(id: id, strings: [], weight: 0).identifier
                pending.append(index.removeIndex(forIdentifier: identifier))
            case 26...28: try index.flush()
            case 29: try index.optimize()
            case 30 where generator.once(in: 8):
                model.removeAll()
                pending.append(try index.submitRemovalOfAll())
            default: break
            }
        }

        func settle() async throws {
            for operation in pending { _ = try await operation.value() }
            pending = []
        }

        func compare(_ comment: Comment) throws {
            #expect(index.count == model.objects.count, comment)
            let identifiers = try index.identifiers()
            #expect(Set(identifiers) == Set(model.objects.map(\.identifier)), comment)
            #expect(identifiers.count == model.objects.count, comment)
            for _ in 0..<12 {
                let word = TestWord.random(&generator)
                let part = TestWord(characters: Array(word.characters.prefix(2)))
                let found = try index.searchResults(forKeyword: part.source)
                let actual = Dictionary(
                    uniqueKeysWithValues: found.map { item in
                        (
                            item.identifier,
                            item.resultTokens.map {
                                ReferenceModel.Match(
                                    string: $0.string, word: $0.word, wordIndex: $0.wordIndex,
                                    token: $0.token, length: $0.length)
                            }
                        )
                    })
                let expected = Dictionary(
                    uniqueKeysWithValues: model.search([part.folded]).map {
                        ($0.identifier, $0.matches)
                    })
                #expect(actual == expected, comment)
            }
        }
    }

    @Test(
        "Random work around rebuilds that fail and go on gives what a plain model gives",
        arguments: testSeeds(12))
    func randomWork(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var settings = Settings(&generator)
        let subject = try Subject(seed, generator, settings)
        defer { try? FileManager.default.removeItem(at: subject.directory) }
        for _ in 0..<80 { try subject.step() }
        for round in 0..<6 {
            let comment: Comment = "seed \(seed), round \(round)"
            for _ in 0..<20 { try subject.step() }
            try await subject.settle()
            try subject.compare(comment)
            var next = Settings(&subject.generator)
            next.configuration.largestLastPass = subject.generator.element([0, 3, 1000])
            next.configuration.previousAnalysis = .init(settings.configuration)
            next.configuration.reopensForRebuild = true
            if subject.generator.once(in: 2) {
                try await onThread { try subject.index.closeVerified() }
                try subject.reopen(next.configuration)
                // Settings that are not stored are the new ones at once, where no others differ.
                if try subject.index.needsRebuild { try subject.compare(comment) }
            }
            subject.fails = subject.generator.once(in: 2)
            while true {
                let report = try await subject.rebuild(with: next.configuration)
                try await subject.settle()
                if report.failureCount == 0 { break }
                subject.fails = subject.generator.once(in: 2)
                if subject.generator.once(in: 2) {
                    let isAt = try subject.index.needsRebuild ? next : settings
                    var configuration = isAt.configuration
                    configuration.previousAnalysis = .init(settings.configuration)
                    configuration.reopensForRebuild = true
                    try await onThread { try subject.index.closeVerified() }
                    try subject.reopen(configuration)
                }
            }
            settings = next
            settings.apply(to: &subject.model)
            try subject.compare(comment)
            if subject.generator.once(in: 2) {
                try await onThread { try subject.index.closeVerified() }
                try subject.reopen(settings.configuration)
                try subject.compare(comment)
            }
        }
        try await onThread { try subject.index.optimize() }
        try subject.compare("seed \(seed), at the end")
        try await onThread { try subject.index.closeVerified() }
        try expectNothingLeftOver(
            at: subject.directory, count: subject.model.objects.count, "seed \(seed)")
    }
}

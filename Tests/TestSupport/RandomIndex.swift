import Foundation
import Testing

@testable import TextSearch

/// An index of random objects beside the plain corpus that it must agree with.
struct RandomIndex {
    var random: PlainQueryRandom
    var corpus = PlainCorpus(model: ReferenceModel())
    private(set) var index: TextIndex<TestObject>
    let seed: UInt64

    private let make: (URL, TextIndexConfiguration) throws -> TextIndex<TestObject>
    private let configuration: TextIndexConfiguration
    private let directory = temporaryDirectory("scores")

    init(
        seed: UInt64,
        make: @escaping (URL, TextIndexConfiguration) throws -> TextIndex<TestObject> = {
            try TextIndex<TestObject>(at: $0, configuration: $1)
        }
    ) throws {
        self.seed = seed
        self.make = make
        random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
        if random.generator.once(in: 2) { random.stringCount = random.generator.int(1...3) }
        corpus.model.minimalTokenLength = random.generator.int(1...3)
        corpus.model.discardsDuplicates = random.generator.once(in: 4)
        if random.generator.once(in: 2) { corpus.model.stopWords = ["a", "e", "ab", "ss"] }
        var configuration = TextIndexConfiguration()
        configuration.minimalTokenLength = corpus.model.minimalTokenLength
        configuration.discardDuplicateTokens = corpus.model.discardsDuplicates
        configuration.indexesStopWords = false
        configuration.stopWords = .words(corpus.model.stopWords.sorted())
        configuration.fields = PlainCorpus.fields
        random.generator.drawStorage(of: &configuration)
        self.configuration = configuration
        index = try make(directory, configuration)
        setHooks()
    }

    private func setHooks() {
        index.identifier = { $0.identifier }
        index.indexer = { object, _ in object.indexed }
    }

    func remove() {
        try? index.closeVerified()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Indexes, updates and removes a few objects, one by one or in bulk.
    mutating func change() async throws {
        let objects = (0..<12).map { _ in random.object() }
        for object in objects {
            corpus.model.index(object)
            random.corpus += object.strings.flatMap(\.words)
        }
        if random.generator.once(in: 2) {
            try await index.indexObjects(objects)
        } else {
            for object in objects { _ = try await index.indexObject(object).value() }
        }
        let removed = random.generator.int(0...29)
        corpus.model.remove(removed)
        let gone = TestObject(id: removed, strings: [], weight: 0)
        _ = try await index.removeIndex(for: gone).value()
    }

    /// Moves what was indexed to another place.
    mutating func move() throws {
        switch random.generator.int(0...5) {
        case 0, 1: try index.flush()
        case 2: try index.optimize()
        case 3:
            try index.closeVerified()
            index = try make(directory, configuration)
            setHooks()
        default: break
        }
    }

    /// The objects' numbers in the order in which they were indexed.
    var order: [Int] { corpus.model.objects.map(\.id) }

    func object(_ id: Int) -> TestObject? { corpus.model.objects.first { $0.id == id } }
}

extension SearchResultItem where Object == TestObject {
    /// The number of a random object.
    var number: Int {
        if case .int(let id) = context["id"] { Int(id) } else { -1 }
    }
}

/// Equal to 1e-9 of the greater; what is next to nothing is equal to nothing.
func isClose(_ a: Double, _ b: Double) -> Bool {
    a == b || abs(a - b) <= 1e-9 * max(abs(a), abs(b)) || max(abs(a), abs(b)) < 1e-290
}

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Entries changed under LevelDB's own checksums: each change is found, or makes no difference.
@Suite("Verification of changed entries", .timeLimit(.minutes(30)))
struct MutationTests {
    typealias Entry = (key: [UInt8], value: [UInt8])
    /// One that stands inside words as well, so that it has lists.
    private static let stopWords = StopWords.words(StopWords.english.words + ["ing"])

    /// What an index answers.
    private struct Answers: Equatable {
        var identifiers: [Data]
        var items: [[String]]

        private static let learned: Ranking = {
            var boost = EngagementBoost()
            boost.date = Date(timeIntervalSinceReferenceDate: 300)
            return .relevance.learning(boost)
        }()

        init(_ index: TextIndex<WorkNote>) throws {
            identifiers = try index.identifiers()
            items = try ["", "stamp", "stamp32", "v2e", "body", "ing", "headings"].map {
                try index.searchResults(forKeyword: $0).map {
                    "\($0.identifier) \($0.weight) \($0.context.sorted { $0.key < $1.key }) \($0.resultTokens)"
                }
            }
            items += try [10, 1000].map { limit in
                try index.search("ing", limit: limit).map { "\($0.identifier) \($0.score)" }
            }
            items += try index.search(
                .everything, limit: 0, facets: ["version", "marks"].map { .values(of: $0) }
            ).facets.map { $0.buckets.map { "\($0.key) \($0.count)" } }
            items += try ["headings", "headings body"].map {
                try index.search($0, limit: 1000, ranking: Self.learned).map { "\($0.score)" }
            }
            items += try ["headings", "\"the body of\"", "ending OR body", "stamp*"].map {
                try index.search($0, limit: 1000).map {
                    "\($0.identifier) \($0.score) \($0.context.sorted { $0.key < $1.key }) \($0.resultTokens)"
                }
            }
        }
    }

    private static func entries(of directory: URL) throws -> [Table: [Entry]] {
        let store = try IndexStore(at: directory, configuration: .init())
        var entries: [Table: [Entry]] = [:]
        for table in Table.allCases {
            try store.makeCursor().forEach(in: table) { key, value in
                entries[table, default: []].append((Array(key), Array(value)))
                return true
            }
        }
        try store.close()
        return entries
    }

    /// Changes one entry; what was done.
    private static func mutate(
        _ entry: Entry, others: [Entry], _ batch: StoreBatch, _ generator: inout SeededGenerator
    ) -> String {
        func flipped(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            guard !bytes.isEmpty else { return [1] }
            bytes[generator.int(0...(bytes.count - 1))] ^= 1 << UInt8(generator.int(0...7))
            return bytes
        }
        switch generator.int(0...5) {
        case 0:
            entry.key.withUnsafeBytes { batch.delete($0) }
            return "deleted"
        case 1, 2:
            batch.put(entry.key, flipped(entry.value))
            return "flipped"
        case 3:
            batch.put(entry.key, Array(entry.value.dropLast(generator.int(1...4))))
            return entry.value.isEmpty ? "rewritten" : "cut"
        case 4:
            batch.put(entry.key, generator.element(others).value)
            return "given another's value"
        default:
            var key = entry.key
            let place = generator.int(1...(key.count - 1))
            key[place] ^= 1 << UInt8(generator.int(0...7))
            batch.put(key, entry.value)
            return "copied to another key"
        }
    }

    @Test(
        "A change of any entry of any table is found, or changes no answer", arguments: testSeeds(2)
    )
    func changes(seed: UInt64) throws {
        let folder = try TemporaryFolder("mutation")
        let directory = folder("index")
        var index = try openVerified(at: directory, stopWords: Self.stopWords)
        try fillVerified(index)
        let right = try Answers(index)
        try index.closeVerified()
        let contents = try DirectoryContents(of: directory)
        let entries = try Self.entries(of: directory)
        #expect(Set(entries.keys) == Set(Table.allCases))
        try contents.write(to: directory)
        var generator = SeededGenerator(seed: seed)
        var found: [Table: Int] = [:]
        for round in 0..<200 {
            let table = Table.allCases[round % Table.allCases.count]
            let all = try #require(entries[table])
            try contents.write(to: directory)
            let store = try IndexStore(at: directory, configuration: .init())
            let batch = StoreBatch()
            let what = Self.mutate(
                generator.element(all), others: all, batch, &generator)
            try store.commit(batch, sync: false)
            try store.close()
            do {
                index = try openVerified(at: directory, stopWords: Self.stopWords)
            } catch let error as TextIndexError {
                let codes: [TextIndexError.Code] = [
                    .corrupted, .unsupportedFormat, .configurationMismatch, .limitExceeded,
                ]
                #expect(codes.contains(error.code), "seed \(seed), \(table) \(what): \(error)")
                found[table, default: 0] += 1
                continue
            }
            defer { try? index.close() }
            let report = try index.verify(depth: .full)
            if !report.isClean {
                found[table, default: 0] += 1
                continue
            }
            let isSame = try Answers(index) == right
            #expect(isSame, "seed \(seed), round \(round), \(table) \(what): not found")
        }
        for table in Table.allCases {
            #expect(found[table, default: 0] >= 5, "seed \(seed): \(table) \(found)")
        }
    }
}

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Damaged files: a typed error or the right answer, never another answer, never a crash.
@Suite("Damage", .timeLimit(.minutes(30)))
struct DamageTests {
    /// An index with two segments, tombstones, and a journal.
    private func makeIndex(at directory: URL) throws -> IndexAnswers {
        let index = try openNotes(at: directory, tinyBuffers())
        for id in 0..<80 { index.indexObject(WorkNote(id: id, version: 1)) }
        try index.flush()
        for id in 60..<120 { index.indexObject(WorkNote(id: id, version: 2)) }
        index.removeIndex(forIdentifier: WorkNote.identifier(3))
        try index.flush()
        try index.store.compact()
        for id in 118..<125 { index.indexObject(WorkNote(id: id, version: 3)) }
        index.removeIndex(forIdentifier: WorkNote.identifier(5))
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        let answers = try IndexAnswers(index)
        try index.close()
        return answers
    }

    /// Opens the damaged index and compares; gives whether it was refused.
    private func isRefused(
        _ directory: URL, _ right: IndexAnswers, _ what: String
    ) -> Bool {
        do {
            let index = try openNotes(at: directory)
            defer { try? index.close() }
            let answers = try IndexAnswers(index)
            #expect(answers == right, "another answer after \(what)")
            return false
        } catch let error as TextIndexError {
            #expect(
                [.corrupted, .io, .unsupportedFormat, .invalidArgument].contains(error.code),
                "\(error) after \(what)")
            return true
        } catch {
            Issue.record("\(error) after \(what)")
            return true
        }
    }

    @Test(
        "A missing, empty or shortened file gives an error or right answers",
        arguments: testSeeds(1))
    func missingAndShort(seed: UInt64) throws {
        let folder = try TemporaryFolder("damage")
        let directory = folder("index")
        let right = try makeIndex(at: directory)
        let contents = try DirectoryContents(of: directory)
        for (name, data) in contents.files.sorted(by: { $0.key < $1.key })
        where name.hasSuffix(".ldb") || name.hasPrefix("MANIFEST") || name == "CURRENT" {
            for length in [nil, 0, 1, data.count / 2, data.count - 1] as [Int?]
            where length ?? 0 < data.count {
                var damaged = contents
                damaged.files[name] = length.map { data.prefix($0) }
                try damaged.write(to: directory)
                // A table that nothing needs any more may be missed by nobody.
                _ = isRefused(
                    directory, right, "cutting \(name) to \(length as Any) of \(data.count)")
                // Nothing was deleted for it: with the file put back, all is there.
                if let length, length > 0 { continue }
                var found = try DirectoryContents(of: directory)
                found.files[name] = data
                try found.write(to: directory)
                #expect(!isRefused(directory, right, "putting \(name) back"))
            }
        }
    }

    @Test(
        "A foreign value with right checksums gives an error or right answers",
        arguments: testSeeds(1))
    func foreignValues(seed: UInt64) throws {
        let folder = try TemporaryFolder("damage")
        let directory = folder("index")
        _ = try makeIndex(at: directory)
        let contents = try DirectoryContents(of: directory)
        var generator = SeededGenerator(seed: seed)
        for table in Table.allCases {
            for round in 0..<12 {
                try contents.write(to: directory)
                let store = try IndexStore(at: directory, configuration: .init())
                var entries: [(key: [UInt8], value: [UInt8])] = []
                try store.makeCursor().forEach(in: table) { key, value in
                    entries.append((Array(key), Array(value)))
                    return true
                }
                guard var entry = entries.randomElement(using: &generator) else {
                    try store.close()
                    continue
                }
                switch round % 4 {
                case 0: entry.value = []
                case 1: entry.value.removeLast(min(entry.value.count, 1 + round / 4))
                case 2:
                    entry.value = entry.value.map { _ in .random(in: 0...255, using: &generator) }
                default:
                    if let place = entry.value.indices.randomElement(using: &generator) {
                        entry.value[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    }
                }
                let batch = StoreBatch()
                batch.put(entry.key, entry.value)
                try store.commit(batch, sync: false)
                try store.close()
                // The answer may be another one, as nothing checks each value; it must not crash or
                // hang.
                do {
                    let index = try openNotes(at: directory)
                    defer { try? index.close() }
                    _ = try? IndexAnswers(index)
                    _ = try? index.search("stamp* body", limit: .max)
                    _ = try? index.search("\"the body\" OR ending~1", limit: .max)
                    index.indexObject(WorkNote(id: 1, version: 9)).waitUntilFinished()
                    try? index.optimize()
                    _ = try? index.statistics()
                } catch let error as TextIndexError {
                    #expect(
                        [.corrupted, .unsupportedFormat, .configurationMismatch, .limitExceeded]
                            .contains(error.code), "\(table): \(error)")
                }
            }
        }
    }

    @Test("A newer format is refused, and nothing that it stored is changed")
    func newerFormat() throws {
        let folder = try TemporaryFolder("damage")
        let directory = folder("index")
        _ = try makeIndex(at: directory)
        func entries() throws -> [[UInt8]: [UInt8]] {
            let store = try IndexStore(at: directory, configuration: .init())
            var entries: [[UInt8]: [UInt8]] = [:]
            for table in Table.allCases {
                try store.makeCursor().forEach(in: table) { key, value in
                    entries[Array(key)] = Array(value)
                    return true
                }
            }
            try store.close()
            return entries
        }
        let store = try IndexStore(at: directory, configuration: .init())
        let batch = StoreBatch()
        batch.put(Manifest.key, [Manifest.format + 1, 1, 2, 3])
        try store.commit(batch, sync: true)
        try store.close()
        let before = try entries()
        #expect(before[Manifest.key] == [Manifest.format + 1, 1, 2, 3])
        for reopens in [false, true] {
            var configuration = TextIndexConfiguration()
            configuration.reopensForRebuild = reopens
            let error = expectError(.unsupportedFormat) {
                try openNotes(at: directory, configuration)
            }
            #expect(error?.message.contains("newer") == true)
        }
        #expect(try entries() == before)
    }
}

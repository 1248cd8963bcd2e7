import Foundation
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Damaged indexes: what is proved is kept, what is not is named, and the objects bring it back.
@Suite("Repair", .timeLimit(.minutes(30)))
struct RepairTests {
    /// What an index says of each object that it has.
    private static func answers(_ index: TextIndex<WorkNote>) throws -> [Data: [String]] {
        var answers: [Data: [String]] = [:]
        for keyword in ["", "stamp", "body", "v2e", "ing"] {
            for item in try index.searchResults(forKeyword: keyword) {
                let context = item.context.sorted { $0.key < $1.key }
                answers[item.identifier, default: []].append(
                    "\(keyword) \(item.weight) \(context) \(item.resultTokens)")
            }
        }
        return answers
    }

    private static func damage(
        _ contents: DirectoryContents, _ generator: inout SeededGenerator
    ) -> (DirectoryContents, String) {
        var damaged = contents
        let names = contents.files.keys.filter {
            !$0.hasPrefix("LOG") && $0 != "LOCK" && contents.files[$0]?.isEmpty == false
        }.sorted()
        // Mostly tables: of the others LevelDB refuses any damage.
        let tables = names.filter { $0.hasSuffix(".ldb") }
        let name = generator.element(generator.once(in: 4) ? names : tables)
        let size = contents.files[name]?.count ?? 0
        switch generator.int(0...7) {
        case 0:
            damaged.files[name] = nil
            return (damaged, "\(name) deleted")
        case 1:
            damaged.files[name] = contents.files[name]?.prefix(generator.int(0...(size - 1)))
            return (damaged, "\(name) cut")
        default:
            for _ in 0..<generator.int(1...3) {
                damaged.files[name]?[generator.int(0...(size - 1))] ^=
                    1 << UInt8(generator.int(0...7))
            }
            return (damaged, "\(name) flipped")
        }
    }

    @Test(
        "A repair keeps the proved objects after flips, cuts and deleted files",
        arguments: testSeeds(2))
    func damagedFiles(seed: UInt64) async throws {
        let folder = try TemporaryFolder("repair")
        let directory = folder("index")
        var index = try openVerified(at: directory)
        try fillVerified(index)
        let right = try Self.answers(index)
        try index.store.compact()
        try index.closeVerified()
        let contents = try DirectoryContents(of: directory)
        var generator = SeededGenerator(seed: seed)
        var certain = 0
        var uncertain = 0
        var losses = 0
        let rounds = Scale.sample(of: 60)
        for round in 0..<rounds {
            let (damaged, what) = Self.damage(contents, &generator)
            let comment: Comment = "seed \(seed), round \(round): \(what)"
            try damaged.write(to: directory)
            let report = try TextIndex<WorkNote>.repair(
                at: directory, configuration: index.configuration)
            if report.isUncertain { uncertain += 1 } else { certain += 1 }
            if !report.lostIdentifiers.isEmpty { losses += 1 }
            index = try openVerified(at: directory)
            #expect(try index.lostIdentifiers == report.lostIdentifiers, comment)
            let found = try Self.answers(index)
            #expect(found.count == report.objectCount, comment)
            let lost = Set(report.lostIdentifiers)
            if !report.isUncertain {
                for (identifier, answer) in found {
                    let isSame = right[identifier] == answer
                    #expect(isSame, comment)
                }
            }
            let gone = right.keys.filter { found[$0] == nil && !lost.contains($0) }
            // What was removed may be back, or be named as lost, in the place of what is gone.
            let surplus = lost.union(found.keys).subtracting(right.keys).count
            #expect(gone.count - surplus <= report.unidentifiedCount ?? .max, comment)
            let known = Set(right.keys)
            index.objectGetter = { identifier in
                guard known.contains(identifier),
                    let id = Int(String(decoding: identifier, as: UTF8.self).dropFirst(5))
                else { return nil }
                return WorkNote(id: id, version: id >= 320 ? 3 : id >= 280 ? 2 : 1)
            }
            try await index.indexLostObjects()
            #expect(try index.lostIdentifiers.isEmpty, comment)
            if !report.isUncertain, report.unidentifiedCount == 0 {
                let isSame = try Self.answers(index) == right
                #expect(isSame, comment)
            }
            try await onThread { [index] in try index.closeVerified() }
            #expect(FileManager.default.fileExists(atPath: report.damagedDirectory.path))
            try FileManager.default.removeItem(at: report.damagedDirectory)
        }
        #expect(certain >= rounds / 3, "seed \(seed)")
        #expect(losses >= rounds / 12, "seed \(seed)")
        #expect(uncertain >= rounds / 20, "seed \(seed)")
    }

    @Test("A sound index is repaired to itself, and one that is open is refused")
    func soundIndex() throws {
        let folder = try TemporaryFolder("repair")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        let right = try Self.answers(index)
        expectError(.locked) {
            try TextIndex<WorkNote>.repair(
                at: folder("index"), configuration: index.configuration)
        }
        try index.closeVerified()
        let report = try TextIndex<WorkNote>.repair(
            at: folder("index"), configuration: index.configuration)
        #expect(report.lostIdentifiers.isEmpty && !report.isUncertain)
        #expect(report.unidentifiedCount == 0 && report.damagedSegmentCount == 0)
        let again = try openVerified(at: folder("index"))
        let isSame = try Self.answers(again) == right
        #expect(isSame)
        try again.closeVerified()
    }

    @Test(
        "An index whose manifest of LevelDB is lost keeps everything, and is uncertain",
        arguments: ["CURRENT", "MANIFEST", "emptied CURRENT", "zeroed MANIFEST"])
    func unopened(what: String) async throws {
        let folder = try TemporaryFolder("repair")
        let directory = folder("index")
        var index = try openVerified(at: directory)
        try fillVerified(index)
        let right = try Self.answers(index)
        try index.closeVerified()
        var contents = try DirectoryContents(of: directory)
        let name = try #require(
            contents.files.keys.first { what.hasSuffix(String($0.prefix { $0 != "-" })) })
        if what.hasPrefix("emptied") {
            contents.files[name] = Data()
        } else if what.hasPrefix("zeroed") {
            contents.files[name] = Data(count: contents.files[name]?.count ?? 0)
        } else {
            contents.files[name] = nil
        }
        try contents.write(to: directory)
        expectError(.corrupted) { try openVerified(at: directory) }
        let report = try TextIndex<WorkNote>.repair(
            at: directory, configuration: index.configuration)
        #expect(report.isUncertain && report.damagedFiles.contains("MANIFEST"))
        #expect(report.unidentifiedCount == nil)
        // Nothing of the damaged index is touched.
        #expect(try DirectoryContents(of: report.damagedDirectory).files == contents.files)
        index = try openVerified(at: directory)
        #expect(try index.isUncertain)
        let isSame = try Self.answers(index) == right
        #expect(isSame)
        try index.closeVerified()
    }

    @Test("What a repair lost is not forgotten by a purge, a backup or another repair")
    func lostObjectsAreKept() async throws {
        let folder = try TemporaryFolder("repair")
        let directory = folder("index")
        let index = try openVerified(at: directory)
        let configuration = index.configuration
        try fillVerified(index)
        let lost = [Data("one".utf8), Data("two".utf8)]
        try LostObjects.store(lost, in: index.writer.store, sync: false)
        try await index.backup(to: folder("backup"))
        try index.closeVerified()
        try TextIndex<WorkNote>.purge(at: directory, configuration: configuration)
        let report = try TextIndex<WorkNote>.repair(at: directory, configuration: configuration)
        #expect(report.lostIdentifiers == lost)
        for name in ["index", "backup"] {
            let copy = try openVerified(at: folder(name))
            #expect(try copy.lostIdentifiers == lost, "\(name)")
            try copy.closeVerified()
        }
        try FileManager.default.removeItem(at: directory.appendingPathComponent("CURRENT"))
        let again = try TextIndex<WorkNote>.repair(at: directory, configuration: configuration)
        #expect(again.isUncertain)
        #expect(Set(again.lostIdentifiers).isSuperset(of: lost))
        #expect(again.damagedDirectory.lastPathComponent == "index.damaged2")
    }
}

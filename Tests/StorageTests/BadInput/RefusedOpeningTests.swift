import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// An index that is refused stays as it was, and the refusal names a file.
@Suite("Refused openings", .timeLimit(.minutes(10)))
struct RefusedOpeningTests {
    enum Damage: String, CaseIterable { case flip, cut, empty, remove, replace, noise }

    enum End: String, CaseIterable { case closed, killed }

    /// An index with segments, tombstones, tables and a journal, and what it was some time before.
    private func make(
        at directory: URL, _ end: End
    ) throws -> (now: DirectoryContents, before: DirectoryContents) {
        let index = try openNotes(at: directory, tinyBuffers())
        for id in 0..<40 { index.indexObject(WorkNote(id: id, version: 1)).waitUntilFinished() }
        try index.flush()
        try index.store.compact()
        let before = try contents(of: directory)
        for id in 30..<60 { index.indexObject(WorkNote(id: id, version: 2)).waitUntilFinished() }
        try index.flush()
        try index.store.compact()
        for id in 55..<70 { index.indexObject(WorkNote(id: id, version: 3)).waitUntilFinished() }
        let killed = try contents(of: directory)
        try index.close()
        return (end == .killed ? killed : try DirectoryContents(of: directory), before)
    }

    /// What is in the directory of an open index, whose background may remove a file meanwhile:
    /// then it is read again.
    private func contents(of directory: URL) throws -> DirectoryContents {
        while true {
            do {
                return try DirectoryContents(of: directory)
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                continue
            }
        }
    }

    private func damaged(
        _ data: Data, _ damage: Damage, _ before: DirectoryContents, _ name: String,
        _ generator: inout SeededGenerator
    ) -> Data? {
        var data = data
        let place = data.isEmpty ? 0 : Int.random(in: 0..<data.count, using: &generator)
        switch damage {
        case .flip:
            if !data.isEmpty { data[place] ^= 1 << Int.random(in: 0..<8, using: &generator) }
        case .cut: data = data.prefix(place)
        case .empty: data = Data()
        case .remove: return nil
        case .replace:
            // An older copy, or another file of the kind.
            let kind = NSString(string: name).pathExtension
            let others = before.files.filter { NSString(string: $0.key).pathExtension == kind }
            data = before.files[name] ?? others.values.first ?? Data("other".utf8)
        case .noise:
            for byte in place..<min(place + 64, data.count) {
                data[byte] = .random(in: 0...255, using: &generator)
            }
        }
        return data
    }

    @Test(
        "A refused opening changes nothing, and names a file", arguments: End.allCases,
        Damage.allCases)
    func unchanged(end: End, damage: Damage) throws {
        let folder = try TemporaryFolder("refused")
        let directory = folder("index")
        let (now, before) = try make(at: directory, end)
        var generator = SeededGenerator(seed: 11)
        var refused = 0
        for name in now.files.keys.sorted() {
            for round in 0..<([.flip, .cut, .noise].contains(damage) ? 6 : 1) {
                var copy = now
                copy.files[name] = damaged(
                    now.files[name] ?? Data(), damage, before, name, &generator)
                try copy.write(to: directory)
                let comment: Comment = "\(end), \(damage) \(round) of \(name)"
                do {
                    try openNotes(at: directory, tinyBuffers()).close()
                } catch let error as TextIndexError {
                    refused += 1
                    let after = try DirectoryContents(of: directory)
                    #expect(after.files.keys.sorted() == copy.files.keys.sorted(), comment)
                    #expect(after == copy, comment)
                    let names = Array(now.files.keys) + ["table "]
                    let isNamed = names.contains { error.message.contains($0) }
                    #expect(isNamed, "\(comment): \(error)")
                }
            }
        }
        #expect(refused > 0)
    }

    @Test("An index of other settings is refused, and stays as it was")
    func otherSettings() throws {
        let folder = try TemporaryFolder("refused")
        let directory = folder("index")
        let (now, _) = try make(at: directory, .killed)
        try now.write(to: directory)
        var configuration = tinyBuffers()
        configuration.discardDuplicateTokens = true
        #expect(throws: TextIndexError.self) {
            try openNotes(at: directory, configuration).close()
        }
        #expect(try DirectoryContents(of: directory) == now)
        try openNotes(at: directory, tinyBuffers()).close()
    }
}

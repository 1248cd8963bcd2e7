import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What lies in a publication under the name of a generation and is none.
@Suite("Stray names in a publication")
struct StrayGenerationTests {
    @Test("Files and links are no generations: they are neither removed nor read")
    func files() throws {
        let folder = try TemporaryFolder("stray")
        let owner = try openVerified(at: folder("index"))
        try fillVerified(owner)
        let notes = try consistentNotes(owner)
        let shared = folder("shared")
        try owner.publish(to: shared)
        let elsewhere = folder("elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        func stray(_ number: Int) -> URL { shared.appendingPathComponent("generation-\(number)") }
        // One before those that are to come, and one after the newest.
        try Data("kept".utf8).write(to: stray(2))
        try FileManager.default.createSymbolicLink(at: stray(3), withDestinationURL: elsewhere)
        try Data("kept".utf8).write(to: stray(7))
        #expect(try TextIndex<WorkNote>.newestGeneration(published: shared) == 1)
        for number in [8, 9] {
            #expect(try owner.publish(to: shared) == number)
            #expect(try TextIndex<WorkNote>.newestGeneration(published: shared) == number)
            let reader = try TextIndex<WorkNote>(
                published: shared, configuration: owner.configuration)
            #expect(reader.generation == number)
            #expect(try consistentNotes(reader) == notes)
            try reader.closeVerified()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.path).sorted()
        #expect(names == [2, 3, 7, 9].map { "generation-\($0)" })
        #expect(FileManager.default.fileExists(atPath: elsewhere.path))
        try owner.closeVerified()
    }
}

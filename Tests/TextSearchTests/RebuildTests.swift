import Foundation
import Testing

@testable import TextSearch

@Suite("Rebuild under other analysis settings")
struct RebuildTests {
    private func directory() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("rebuild-\(UUID())")
    }

    private func open(
        _ directory: URL, _ objects: [String: String],
        _ configuration: TextIndexConfiguration = .init()
    ) throws -> TextIndex<String> {
        let index = try TextIndex<String>(at: directory, configuration: configuration)
        index.identifier = { Data($0.utf8) }
        index.indexer = { name, _ in objects[name].map { IndexedObject(strings: [$0]) } }
        index.objectGetter = { data in
            let name = String(decoding: data, as: UTF8.self)
            return objects[name] == nil ? nil : name
        }
        return index
    }

    @Test("An index with other stop words is refused, names the difference, and can be rebuilt")
    func rebuild() async throws {
        let directory = directory()
        defer { try? TextIndex<String>.destroy(at: directory) }
        var objects = ["a": "the duck", "b": "a goose", "c": "gone", "d": "removed"]
        let first = try open(directory, objects)
        try await first.indexObjects(objects.keys.sorted())
        _ = try await first.removeIndex(for: "d").value()
        try first.flush()
        try first.close()
        objects["c"] = nil

        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let error = #expect(throws: TextIndexError.self) {
            try open(directory, objects, configuration)
        }
        #expect(error?.code == .configurationMismatch)
        #expect(error?.message.contains("stopWords") == true)

        configuration.reopensForRebuild = true
        let second = try open(directory, objects, configuration)
        #expect(try second.needsRebuild)
        #expect(second.count == 0)
        let report = try await second.rebuild()
        #expect(report.indexedCount == 2)
        #expect(try !second.needsRebuild)
        #expect(second.count == 2)
        #expect(try second.searchResults(forKeyword: "the").map(\.identifier) == [Data("a".utf8)])
        #expect(try second.searchResults(forKeyword: "removed").isEmpty)
        try second.close()

        let third = try open(directory, objects, configuration)
        #expect(try third.identifiers().count == 2)
        try third.close()
    }
}

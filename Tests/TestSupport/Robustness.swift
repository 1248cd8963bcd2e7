import Dispatch
import Foundation
import Testing

@testable import TextSearch

/// An object whose every part says which one it is and which version of it, so that a part that
/// went missing, or comes from another version, shows.
struct WorkNote: Sendable, Hashable {
    var id: Int
    var version: Int

    var identifier: Data { Self.identifier(id) }

    /// The one word that only this version of this note has, in both strings.
    var stamp: String { "stamp\(id)v\(version)e" }
    var strings: [String] { ["Heading \(stamp)", "the body of \(stamp) and its ending"] }

    var indexed: IndexedObject {
        IndexedObject(
            strings: strings, weight: Double(version),
            context: ["id": .int(Int64(id)), "version": .int(Int64(version))],
            attributes: id % 10 == 9
                ? [:]
                : ["version": .number(Double(version)), "marks": [.bool(id % 2 == 0), "all"]])
    }

    static func identifier(_ id: Int) -> Data { Data("note-\(id)".utf8) }
}

/// Opens an index of notes.
func openNotes(
    at directory: URL, _ configuration: TextIndexConfiguration = .init()
) throws -> TextIndex<WorkNote> {
    let index = try TextIndex<WorkNote>(at: directory, configuration: configuration)
    index.identifier = { $0.identifier }
    index.indexer = { note, _ in note.indexed }
    return index
}

/// The configuration that flushes as often as possible.
func tinyBuffers() -> TextIndexConfiguration {
    var configuration = TextIndexConfiguration()
    configuration.bufferSize = 1
    configuration.writeBufferSize = 64 << 10
    configuration.cacheSize = 64 << 10
    configuration.inlinePostingsLimit = 8
    configuration.leastSplitPostings = 1
    configuration.leastRun = 1
    return configuration
}

/// A directory that is removed when the test ends, with all that is in it.
final class TemporaryFolder {
    let url: URL

    init(_ name: String = "robustness") throws {
        url = temporaryDirectory(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func callAsFunction(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// Expects a `TextIndexError` of that kind, and gives it.
@discardableResult
func expectError<R>(
    _ code: TextIndexError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> R
) -> TextIndexError? {
    let error = #expect(throws: TextIndexError.self, sourceLocation: sourceLocation) {
        _ = try body()
    }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
    return error
}

/// Why an operation failed, as an error of ours.
func failure(of operation: IndexingOperation) -> TextIndexError? {
    operation.waitUntilFinished()
    return operation.error as? TextIndexError
}

/// Runs `body` on that many threads of their own at once, and waits for all of them.
///
/// Dispatch would run no more of them at a time than there are cores.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { continuation in
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(number)
                group.leave()
            }
        }
        group.notify(queue: .global()) { continuation.resume() }
    }
}

/// Runs `body` on a thread of its own: what blocks must not block the threads of Swift's tasks.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// A value that threads share.
///
/// With a lock that the thread sanitizer sees.
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    var current: Value { lock.withLock { value } }

    func change<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        try lock.withLock { try body(&value) }
    }
}

/// The notes of an index as all its ways of reading agree on them; what does not agree, or is not
/// proved, is recorded as an issue.
func consistentNotes(
    _ index: TextIndex<WorkNote>, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> [Int: Int] {
    func expect(_ condition: Bool, _ what: String) {
        #expect(
            condition, "\(what); \(comment?.rawValue ?? "")", sourceLocation: sourceLocation)
    }
    let report = try index.verify(depth: .full)
    expect(report.isClean, "\(report)")
    let identifiers = try index.identifiers()
    expect(Set(identifiers).count == identifiers.count, "an identifier comes twice")
    expect(index.count == identifiers.count, "\(index.count) for \(identifiers.count) identifiers")
    let everything = try index.searchResults(forKeyword: "")
    expect(Set(everything.map(\.identifier)) == Set(identifiers), "the empty keyword differs")
    let stamped = try index.searchResults(forKeyword: "stamp")
    expect(stamped.map(\.identifier) == everything.map(\.identifier), "a keyword's order differs")
    var notes: [Int: Int] = [:]
    for item in stamped {
        guard case .int(let id) = item.context["id"],
            case .int(let version) = item.context["version"]
        else {
            expect(false, "the context is not whole")
            continue
        }
        let note = WorkNote(id: Int(id), version: Int(version))
        notes[note.id] = note.version
        expect(item.identifier == note.identifier, "the identifier is another's")
        expect(item.weight == Double(note.version), "the weight is another version's")
        expect(item.resultTokens.map(\.string) == [0, 1], "a string of \(note) is not found")
        for token in item.resultTokens {
            let text = note.strings[token.string]
            let range = item.range(of: token, in: text)
            expect(range.map { text[$0] == "stamp" } ?? false, "a range of \(note) is wrong")
        }
    }
    expect(notes.count == identifiers.count, "some notes are not found by their text")
    for (id, version) in notes.sorted(by: { $0.key < $1.key }).prefix(40) {
        let note = WorkNote(id: id, version: version)
        let hits = try index.searchResults(forKeyword: note.stamp)
        expect(hits.map(\.identifier) == [note.identifier], "\(note) by its own word")
        expect(try index.item(for: note.identifier)?.weight == Double(version), "\(note) by item")
    }
    return notes
}

/// Expects that a closed index stores nothing of documents but those of its objects.
func expectNothingLeftOver(
    at directory: URL, count: Int, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let store = try IndexStore(at: directory, configuration: .init())
    defer { try? store.close() }
    var counts: [Table: Int] = [:]
    for table in [Table.objects, .identifiers, .journal, .tombstones] {
        try store.makeCursor().forEach(in: table) { _, _ in
            counts[table, default: 0] += 1
            return true
        }
    }
    #expect(counts[.objects, default: 0] == count, comment, sourceLocation: sourceLocation)
    #expect(counts[.identifiers, default: 0] == count, comment, sourceLocation: sourceLocation)
    #expect(counts[.journal] == nil, comment, sourceLocation: sourceLocation)
    #expect(counts[.tombstones] == nil, comment, sourceLocation: sourceLocation)
    let manifest = try #require(try store.value(Manifest.key)).withUnsafeBytes { try Manifest($0) }
    #expect(manifest.rebuilt.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(manifest.retired.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(
        try store.value(RebuildWriter.rebuildKey) == nil, comment, sourceLocation: sourceLocation)
}
